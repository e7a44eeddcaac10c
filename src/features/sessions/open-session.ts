/**
 * Whether a session counts now: it is open and has not expired. Everything that depends on a sign-in asks here, by the
 * ID of the session and whose it must be, or by its token.
 */

import { matchesHash, parseSessionToken } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Finder, Reader } from '../../store/index.ts'
import { endingsOf } from '../generations/index.ts'
import { sessions } from './documents.ts'
import { recordExpiry } from './handlers/end-session.ts'
import { findSessions, livingAt } from './queries.ts'
import { sessionRefusals } from './refusals.ts'
import { type CheckedUser, hasExpired, type OpenSession, type Session, userIdOf } from './state.ts'

/** What is done to a user or an organization ends their sessions, also when it is undone. */
export const sessionEndings = endingsOf(sessions)

/** False once a lockout, or the end of the organization, has signed the user of a session out. */
export async function isCurrentSession(reader: Reader, { state: { user } }: Document<OpenSession>): Promise<boolean> {
  if (user === undefined) return true
  return sessionEndings.isCurrent(reader, { userId: user.id, organizationId: user.organizationId }, user.generations)
}

/** The sessions that no lockout has ended. */
export async function currentSessions(
  reader: Reader,
  found: readonly Document<OpenSession>[],
): Promise<readonly Document<OpenSession>[]> {
  const current = await Promise.all(found.map((session) => isCurrentSession(reader, session)))
  return found.filter((_, index) => current[index])
}

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
  const open = session as Document<UserSession>
  return (await isCurrentSession(reader, open)) ? open : undefined
}

/** The user of a session, also of one that has ended; undefined when it has none, or is no longer known. */
export async function userOfSession(reader: Reader, sessionId: string): Promise<string | undefined> {
  const session = await reader.get(sessions, sessionId)
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
  if (hasExpired(session.state, at)) {
    await recordExpiry(app, session.id, session.state, at)
    return undefined
  }
  const open = session as Document<OpenSession>
  return (await isCurrentSession(app.store, open)) ? open : undefined
}

/** The open sessions of a user, newest first. */
export async function openSessionsOf(
  app: App,
  userId: string,
  at: Instant,
  limit: number,
): Promise<readonly Document<OpenSession>[]> {
  const where = { all: [{ field: 'userId', equals: userId }, livingAt(at)] } as const
  const { documents } = await findSessions(app, { where, orderBy: 'createdAt', descending: true, limit })
  return currentSessions(app.store, documents)
}

/** The number of open sessions. */
export async function countOpenSessions(finder: Finder, at: Instant): Promise<number> {
  return (await finder.find(sessions, { where: livingAt(at), limit: 1 })).total
}
