/** Sessions as those may see them who may. */
import type { Call, Caller } from '../../access/call.ts'
import { holdsIn, holdsOnInstance } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Page, Query, Store } from '../../store/index.ts'
import { type User, users } from '../users/index.ts'
import { type SessionField, sessions } from './documents.ts'
import { noteExpired } from './expiring.ts'
import { sessionRefusals } from './refusals.ts'
import { checkShown } from './showing.ts'
import { creatorIdOf, type OpenSession, type Session, userIdOf } from './state.ts'

export interface Wanted {
  readonly sessionId: string
  readonly token?: string | undefined
}

/** Whether a caller holds a permission where a session belongs. */
function mayThere({ grants }: Caller, permission: string, instanceId: string) {
  return (owner: string): boolean =>
    owner === instanceId ? holdsOnInstance(grants, permission) : holdsIn(grants, permission, owner)
}

/** Whether the session is the caller's own: of their user, or created by them. */
function isOwn({ userId }: Caller, { state }: Document<Session>): boolean {
  return userIdOf(state) === userId
}

/**
 * A session that has not ended, for its user or creator, whoever shows its token, and those who may read it. One that
 * has expired is shown as it was read, before that was written down.
 */
export async function findSession(
  store: Store,
  { caller, at }: Pick<Call, 'caller' | 'at'>,
  wanted: Wanted,
  instanceId: string,
): Promise<Document<OpenSession>> {
  const session = await store.get(sessions, wanted.sessionId)
  const mayRead = mayThere(caller, 'session.read', instanceId)
  const isOwned = session !== undefined && (isOwn(caller, session) || creatorIdOf(session.state) === caller.userId)
  checkShown(session, wanted, caller.session, instanceId, (owner) => isOwned || mayRead(owner))
  if (session?.state.status !== 'open') throw refused(sessionRefusals, 'session.not_found')
  await noteExpired(store, session.id, session.state, at)
  return session as Document<OpenSession>
}

/** The session to be ended, also one that has ended; undefined when there is none and the caller may know that. */
export async function findSessionToEnd(
  store: Store,
  caller: Caller,
  wanted: Wanted,
  instanceId: string,
): Promise<Document<Session> | undefined> {
  const session = await store.get(sessions, wanted.sessionId)
  const mayDelete = mayThere(caller, 'session.delete', instanceId)
  if (session === undefined && mayDelete(instanceId)) return undefined
  checkShown(session, wanted, caller.session, instanceId, (owner) =>
    session !== undefined && isOwn(caller, session) ? true : mayDelete(owner),
  )
  return session
}

/** A page of sessions that have not ended. */
export async function findSessions(store: Store, query: Query<SessionField>): Promise<Page<OpenSession>> {
  return (await store.find(sessions, query)) as Page<OpenSession>
}

/** The user of a session; undefined when it has none, or they are no more. */
export async function userOf(store: Store, { state }: Document<OpenSession>): Promise<Document<User> | undefined> {
  return state.user && store.get(users, state.user.id)
}

/** The users of sessions, by their id. */
export async function usersOf(
  store: Store,
  found: readonly Document<OpenSession>[],
): Promise<ReadonlyMap<string, Document<User>>> {
  const ids = [...new Set(found.flatMap(({ state }) => state.user?.id ?? []))]
  if (ids.length === 0) return new Map()
  const [only] = ids
  if (ids.length === 1 && only !== undefined) {
    const user = await store.get(users, only)
    return new Map(user && [[only, user]])
  }
  const { documents } = await store.find(users, { where: { field: 'id', in: ids }, orderBy: 'id', limit: ids.length })
  return new Map(documents.map((user) => [user.id, user]))
}
