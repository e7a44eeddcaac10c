/** Adds users to organizations, and changes usernames. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { isTokenParty } from '../../../module/token-party.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { activeOrganization, findOrganization } from '../../organizations/index.ts'
import type { UserCommand } from '../decider.ts'
import { users } from '../documents.ts'
import { requireNoClientId, scopeForName } from '../name-scope.ts'
import { userRefusals } from '../refusals.ts'
import type { User } from '../state.ts'
import { decideUser } from './managed.ts'

/** Throws unless the organization exists and is active; guards that until the commit. */
export async function requireActiveOrganization(work: Work, organizationId: string): Promise<void> {
  if ((await activeOrganization(work, organizationId)) !== undefined) return
  const isThere = (await findOrganization(work, organizationId)) !== undefined
  throw refused(userRefusals, isThere ? 'user.organization_inactive' : 'user.organization_not_found')
}

export interface NewUser {
  readonly userId: string
  /** Whether the server generated the ID, and no caller chose it. */
  readonly isOwnId?: boolean
  readonly organizationId: string
  readonly command: Extract<UserCommand, { type: 'add_human' | 'add_machine' }>
}

/** Throws when the ID or the name of a new machine user is the client ID of an application. */
async function requireNoClientOf(app: App, userId: string, userName: string): Promise<void> {
  await requireNoClientId(app, userName)
  if (await isTokenParty(app, userId)) throw refused(userRefusals, 'user.id_taken')
}

/** Adds a user to an active organization as part of a write. */
export async function addUserTo(
  app: App,
  work: Work,
  { userId, isOwnId = false, organizationId, command }: NewUser,
): Promise<Document<User>> {
  // In parallel, so that a remote database costs one round trip.
  const [, scope] = await Promise.all([
    requireActiveOrganization(work, organizationId),
    scopeForName(app, work, { userId, organizationId, userName: command.userName }),
    command.type === 'add_machine' && requireNoClientOf(app, userId, command.userName),
  ])
  const scoped = { ...command, ...scope }
  if (isOwnId) return work.begin(users, userId, scoped, organizationId)
  return work.decide(users, userId, scoped, organizationId)
}

/** Adds a user to an active organization. */
export function addUser(app: App, origin: Origin, user: NewUser): Promise<Written<Document<User>>> {
  return app.store.write(origin, (work) => addUserTo(app, work, user))
}

/** Changes the username of a user as part of a write; refused when the user already has it. */
export async function changeUserName(
  app: App,
  work: Work,
  { id: userId, owner: organizationId, state }: Document<User>,
  userName: string,
): Promise<Document<User>> {
  if ('type' in state && state.type === 'machine') await requireNoClientId(app, userName)
  const scope = await scopeForName(app, work, { userId, organizationId, userName })
  return decideUser(work, userId, { type: 'change_username', userName, at: work.origin.at, ...scope })
}

/** For requests that describe the desired state: the current name is no change. */
export async function renameUser(
  app: App,
  work: Work,
  user: Document<User>,
  userName: string,
): Promise<Document<User>> {
  const isSame = 'userName' in user.state && user.state.userName === userName
  return isSame ? user : changeUserName(app, work, user, userName)
}
