/** Authorization for single sessions: by their token, as the bearer token of the call, or by permission. */

import type { Call, Caller } from '../../access/call.ts'
import { mayKnow } from '../../access/hidden-reasons.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { holdsIn, holdsOnInstance } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Origin } from '../../store/index.ts'
import { isCovered, membershipRefusals } from '../memberships/index.ts'
import { type AskedDelivery, type Delivery, decideDelivery, TO_THE_USER } from '../messages/index.ts'
import { sessions } from './documents.ts'
import { recordExpiry } from './handlers/end-session.ts'
import { isCurrentSession, requireTokenOf } from './open-session.ts'
import type { Person } from './preconditions.ts'
import { sessionRefusals } from './refusals.ts'
import { creatorIdOf, type OpenSession, organizationIdOf, type Session, userIdOf } from './state.ts'

/** The caller who creates or updates a session, and their permissions. */
export interface SessionCaller {
  /** Actor and time of the write. */
  readonly origin: Origin
  /** The creator of a new session; empty for a hosted page. */
  readonly creatorId: string
  /** Throws unless the caller may create a session for this owner: the organization of its user, or the instance. */
  authorizeCreation(owner: string): void
  /** Whether the caller may change sessions of this owner without their token. */
  mayWrite(owner: string): boolean
  /** Whether the caller holds all that a user holds. */
  covers(userId: string): Promise<boolean>
  /** Decides how a one-time code reaches a user. */
  decideDelivery(person: Person, asked: AskedDelivery): Promise<Delivery>
  /** Whether the caller may be told what is wrong with a user there. */
  mayKnow(owner: string): boolean
  /** The session whose token authenticated the call. */
  readonly session?: { readonly id: string; readonly tokenHash: string }
}

/**
 * Decides on a one-time code for a caller. About a user above them no code is returned, and the mail has no link: login
 * pages sign in everybody, and such a user types the code.
 */
async function deliveryFor(app: App, call: Call, person: Person, asked: AskedDelivery): Promise<Delivery> {
  const { userId, organizationId } = person
  if (asked.type === 'send' && asked.urlTemplate === undefined) return TO_THE_USER
  if (!call.may('session.write', organizationId)) throw refused(sessionRefusals, 'session.code_not_returned')
  if (asked.type === 'send' && !(await isCovered(app, call, userId))) return TO_THE_USER
  return decideDelivery(app, call, { id: userId, owner: organizationId }, asked, { permission: 'session.write' })
}

/** The caller of a method. */
export function sessionCallerOf(app: App, call: Call): SessionCaller {
  return {
    origin: call.origin,
    creatorId: call.caller.userId,
    authorizeCreation: (owner) => call.authorize(owner),
    mayWrite: (owner) => call.may('session.write', owner),
    covers: (userId) => isCovered(app, call, userId),
    decideDelivery: (person, asked) => deliveryFor(app, call, person, asked),
    mayKnow: (owner) => mayKnow(call, { owner }),
    ...(call.caller.session && { session: call.caller.session }),
  }
}

/**
 * An anonymous visitor of a hosted page: can create sessions, has at most the token of one, and learns nothing about
 * users.
 */
export function anonymousCaller(origin: Origin): SessionCaller {
  return {
    origin,
    creatorId: '',
    authorizeCreation: () => {},
    mayWrite: () => false,
    covers: async () => false,
    decideDelivery: async () => TO_THE_USER,
    mayKnow: () => false,
  }
}

/** The owner of a session: the organization of its user, or the instance before a user is checked. */
export function ownerOf({ instanceId }: App, session: Document<Session>): string {
  return organizationIdOf(session.state) ?? instanceId
}

/** The session of a request. */
export interface NamedSession {
  readonly sessionId: string
  /** If set, must be the current one. */
  readonly token?: string | undefined
}

/** Who changes or ends a session. */
interface SessionChanger {
  readonly bearer: SessionCaller['session']
  /** Whether the permission of the caller allows it for this owner. */
  mayWithout(owner: string): boolean
  covers(userId: string): Promise<boolean>
}

/**
 * Throws unless the caller may access a session: by its token, which must be right if it is given; by using it as the
 * bearer token; or because `mayWithout` allows it for its owner. Only callers for whom `mayWithout` allows it on the
 * instance learn that there is no such session. Returns the hash of the presented token.
 */
function requireSessionAccess(
  app: App,
  session: Document<Session> | undefined,
  { sessionId, token }: NamedSession,
  bearer: SessionCaller['session'],
  mayWithout: (owner: string) => boolean,
): string | undefined {
  if (session === undefined || session.state.status === 'unknown') {
    if (mayWithout(app.instanceId)) throw refused(sessionRefusals, 'session.not_found')
    throw token === undefined
      ? refused(accessRefusals, 'access.forbidden')
      : refused(sessionRefusals, 'session.token_invalid')
  }
  if (token !== undefined) {
    requireTokenOf(session, token)
    return session.state.secret.tokenHash
  }
  if (bearer?.id === sessionId) return bearer.tokenHash
  if (!mayWithout(ownerOf(app, session))) throw refused(accessRefusals, 'access.forbidden')
  return undefined
}

/**
 * For a change. Without the token, or the session as bearer, the caller must also cover its user: a caller who
 * changes a session gets its token, and ending one locks its user out.
 */
export async function requireSessionChange(
  app: App,
  session: Document<Session> | undefined,
  named: NamedSession,
  { bearer, mayWithout, covers }: SessionChanger,
): Promise<string | undefined> {
  const shownHash = requireSessionAccess(app, session, named, bearer, mayWithout)
  const userId = session && userIdOf(session.state)
  if (shownHash === undefined && userId !== undefined && !(await covers(userId))) {
    throw refused(membershipRefusals, 'user.above_own')
  }
  return shownHash
}

/** Whether a caller holds a permission in an organization, or on the instance. */
function holdsFor({ instanceId }: App, { grants }: Caller, permission: string) {
  return (owner: string): boolean =>
    owner === instanceId ? holdsOnInstance(grants, permission) : holdsIn(grants, permission, owner)
}

/**
 * Returns a session that has not ended, for its user, its creator, the holder of its token, and callers with the
 * permission. An expired one is returned as it was before that was recorded.
 */
export async function findSession(
  app: App,
  { caller, at }: Pick<Call, 'caller' | 'at'>,
  named: NamedSession,
): Promise<Document<OpenSession>> {
  const session = await app.store.get(sessions, named.sessionId)
  const mayRead = holdsFor(app, caller, 'session.read')
  const isOwn = session !== undefined && [userIdOf(session.state), creatorIdOf(session.state)].includes(caller.userId)
  requireSessionAccess(app, session, named, caller.session, (owner) => isOwn || mayRead(owner))
  if (session?.state.status !== 'open') throw refused(sessionRefusals, 'session.not_found')
  const open = session as Document<OpenSession>
  if (!(await isCurrentSession(app.store, open))) throw refused(sessionRefusals, 'session.not_found')
  await recordExpiry(app, open.id, open.state, at)
  return open
}

/** The session to end, even if it has already ended; undefined when there is none and the caller may know that. */
export async function findSessionToEnd(
  app: App,
  call: Pick<Call, 'caller'>,
  named: NamedSession,
): Promise<Document<Session> | undefined> {
  const { caller } = call
  const session = await app.store.get(sessions, named.sessionId)
  const mayDelete = holdsFor(app, caller, 'session.delete')
  if (session === undefined && mayDelete(app.instanceId)) return undefined
  const isOwn = session !== undefined && userIdOf(session.state) === caller.userId
  await requireSessionChange(app, session, named, {
    bearer: caller.session,
    mayWithout: (owner) => isOwn || mayDelete(owner),
    covers: async (userId) => isOwn || isCovered(app, call, userId),
  })
  return session
}
