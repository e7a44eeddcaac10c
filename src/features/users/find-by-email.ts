/** The user whom a person means who signs in on a page: by user name, or by email address where that is unique. */
import type { App } from '../../access/app.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Document } from '../../store/index.ts'
import { effectiveSettings, isEmailLoginAllowed, settingsOfUser } from '../settings/index.ts'
import { users } from './documents.ts'
import { findByLoginName } from './name-scope.ts'
import { type HumanUser, isLiving, mayAct, type User } from './state.ts'

/** How many users with one address are compared. Where there are more, the address means no user. */
const MOST_CANDIDATES = 100

function canSignIn({ state }: Document<User>): boolean {
  return isLiving(state) && state.type === 'human' && mayAct(state)
}

/**
 * The only user with a verified address. Where no user has verified it, the only one who has it: administrators add users
 * whose address is not verified yet, and they sign in with it too. An unverified address never stands in the way of a
 * verified one, because anyone could enter it.
 */
function onlyOne(candidates: readonly Document<User>[]): Document<User> | undefined {
  const verified = candidates.filter(({ state }) => (state as HumanUser).email.isVerified)
  const [first, ...others] = verified.length > 0 ? verified : candidates
  return others.length === 0 ? first : undefined
}

/**
 * The user with this address among those who can sign in: of the organization if it has one, else of the instance. None
 * where the login settings of that user do not allow the address in place of the name.
 */
async function findByEmail(
  app: App,
  email: string,
  organizationId: string | undefined,
): Promise<Document<User> | undefined> {
  const where = { field: 'email', equals: searchText(email) } as const
  const { documents, total } = await app.store.find(users, { where, orderBy: 'email', limit: MOST_CANDIDATES })
  if (total > MOST_CANDIDATES) return undefined
  const candidates = documents.filter(canSignIn)
  const inOrganization = candidates.filter(({ owner }) => owner === organizationId)
  const found = onlyOne(inOrganization.length > 0 ? inOrganization : candidates)
  const { login } =
    found === undefined
      ? await effectiveSettings(app, organizationId ?? app.instanceId)
      : await settingsOfUser(app, { userId: found.id, organizationId: found.owner })
  return isEmailLoginAllowed(login) ? found : undefined
}

/**
 * The user whom a typed name means: by login name, else by email address. Both are always looked up, so that the work is
 * the same for every name.
 */
export async function findBySignInName(
  app: App,
  name: string,
  organizationId?: string | undefined,
): Promise<Document<User> | undefined> {
  const [byName, byEmail] = await Promise.all([
    findByLoginName(app, name, organizationId),
    findByEmail(app, name, organizationId),
  ])
  return byName ?? byEmail
}
