/**
 * Users that an account at a provider of the instance could belong to because an organization says so: it proposed the link, or
 * gave a user the address that the provider has verified. The owner of the account is asked, on the pages of that organization.
 */
import { searchText } from '../../kernel/fold-text.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { usersProposedFor } from '../identity-links/index.ts'
import type { OpenedProvider } from '../identity-providers/index.ts'
import { activePerson, canonicalName, type HumanUser, holdersOfAddress, isLiving, type User } from '../users/index.ts'
import { emailOf, userNameOf } from './identity.ts'
import { isOffered } from './provider-rules.ts'

/** Whether a user who has finished their set-up has this address, verified, and this name if one is given. */
function isMeant(user: User, address: string, userName: string | undefined): user is HumanUser {
  return (
    isLiving(user) &&
    user.type === 'human' &&
    user.status === 'active' &&
    user.email.isVerified &&
    user.search.email === searchText(address) &&
    (userName === undefined || user.search.userName === canonicalName(userName))
  )
}

type Claims = Parameters<typeof emailOf>[0]

/** Whom the policy of a provider links accounts to by address; undefined when it does not, or has not verified one. */
export function wantedPerson(provider: OpenedProvider, claims: Claims) {
  const { options } = provider
  const email = emailOf(claims, provider)
  const isWanted = options.isLinkingAllowed && options.autoLinking !== 'none'
  if (!isWanted || email?.isVerified !== true) return undefined
  const { address } = email
  const userName = options.autoLinking === 'username' ? userNameOf(claims, provider) : undefined
  if (options.autoLinking === 'username' && userName === undefined) return undefined
  return { address, isMeant: (user: User) => isMeant(user, address, userName) }
}

/** An account, and the organization whose pages its owner visits. */
export interface ProposedTo {
  readonly provider: OpenedProvider
  readonly externalUserId: string
  readonly claims: Claims
  readonly visitedId: string
}

/** The users of an organization that the owner of the account is asked about. Those that it proposed come first. */
export async function proposedUsers(
  app: App,
  { provider, externalUserId, claims, visitedId }: ProposedTo,
): Promise<readonly Document<HumanUser>[]> {
  if (provider.owner !== app.instanceId) return []
  const wanted = wantedPerson(provider, claims)
  const [proposed, holders] = await Promise.all([
    usersProposedFor(app, { idpId: provider.id, externalUserId }, visitedId),
    wanted === undefined ? [] : holdersOfAddress(app, wanted.address, visitedId),
  ])
  const byAddress = holders.filter(({ state }) => wanted?.isMeant(state)).map(({ id }) => id)
  const people = await Promise.all([...new Set([...proposed, ...byAddress])].map((id) => activePerson(app.store, id)))
  const users = people.flatMap((person) => (person?.user.state.type === 'human' ? [person.user] : []))
  const isAllowed = await Promise.all(
    users.map(({ id, owner }) => isOffered(app, provider.id, { organizationId: owner, userId: id }, app.store)),
  )
  return users.filter((_, index) => isAllowed[index]) as readonly Document<HumanUser>[]
}
