/**
 * Whether a session counts now: it is open and has not expired. Everything that depends on a sign-in asks here, by the
 * ID of the session and whose it must be, or by its token.
 */

import { matchesHash, parseSessionToken } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Finder, Reader } from '../../store/index.ts'
import { sessions } from './documents.ts'
import { recordExpiry } from './handlers/end-session.ts'
import { findSessions, livingAt } from './queries.ts'
import { sessionRefusals } from './refusals.ts'
import { type CheckedUser, hasExpired, type OpenSession, type Session, userIdOf } from './state.ts'

/** An open session with a user. */
export type UserSession = OpenSession & { readonly user: CheckedUser }

/**
 * The session with this ID, if it is open now and has a user: the given one, if one is given. Inside a work it is guarded
 * until the commit.
 */
export async function findOpenSession(
  reader: Reader,
  sessionId: string,
  at: Instant,
  userId?: string,
): Promise<Document<UserSession> | undefined> {
  const session = sessionId === '' ? undefined : await reader.get(sessions, sessionId)
  if (session?.state.status !== 'open' || hasExpired(session.state, at)) return undefined
  const { user } = session.state
  if (user === undefined || (userId !== undefined && user.id !== userId)) return undefined
  return session as Document<UserSession>
}

/** The user of a session, also of one that has ended; undefined when it has none, or is no longer known. */
export async function userOfSession({ store }: Pick<App, 'store'>, sessionId: string): Promise<string | undefined> {
  const session = await store.get(sessions, sessionId)
  return session && userIdOf(session.state)
}

/** Whether the text is the current token of the session, or the last token of an ended one. */
function isTokenOf({ id, state }: Document<Session>, token: string): boolean {
  const parsed = parseSessionToken(token)
  if (parsed === undefined || state.status === 'unknown') return false
  return parsed.tokenId === id && matchesHash(parsed.secret, state.secret.tokenHash)
}

/** Throws `session.token_invalid` unless the text is the current token of the session, or the last of an ended one. */
export function requireTokenOf(session: Document<Session>, token: string): void {
  if (!isTokenOf(session, token)) throw refused(sessionRefusals, 'session.token_invalid')
}

/** The ID of the session whose current token this is; of an ended one, its last. */
export async function sessionIdOfToken({ store }: Pick<App, 'store'>, token: string): Promise<string | undefined> {
  const parsed = parseSessionToken(token)
  const session = parsed && (await store.get(sessions, parsed.tokenId))
  return session !== undefined && isTokenOf(session, token) ? session.id : undefined
}

/** The session of a token, if it is open now and the token is its current one. It may have no user yet. */
export async function findSessionOfToken(
  app: App,
  token: string | undefined,
  at: Instant,
): Promise<Document<OpenSession> | undefined> {
  const parsed = token === undefined ? undefined : parseSessionToken(token)
  const session = parsed && (await app.store.get(sessions, parsed.tokenId))
  if (token === undefined || session?.state.status !== 'open' || !isTokenOf(session, token)) return undefined
  if (!hasExpired(session.state, at)) return session as Document<OpenSession>
  await recordExpiry(app, session.id, session.state, at)
  return undefined
}

/** The open sessions of a user, newest first. */
export async function openSessionsOf(
  app: App,
  userId: string,
  at: Instant,
  limit: number,
): Promise<readonly Document<OpenSession>[]> {
  const where = { all: [{ field: 'userId', equals: userId }, livingAt(at)] } as const
  return (await findSessions(app, { where, orderBy: 'createdAt', descending: true, limit })).documents
}

/** The number of open sessions. */
export async function countOpenSessions(finder: Finder, at: Instant): Promise<number> {
  return (await finder.find(sessions, { where: livingAt(at), limit: 1 })).total
}
