/** Ends sessions: on request, with their user, or after their lifetime. */

import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import type { EndReason } from '../events.ts'
import { hasExpired, type OpenSession, type Session, userIdOf } from '../state.ts'

/** Ends a session in a separate write. The caller has checked the authorization. */
export function endSession(app: App, origin: Origin, sessionId: string): Promise<Written<Document<Session>>> {
  return app.store.write(origin, (work) => end(app, work, sessionId, 'ended'))
}

async function end(app: App, work: Work, sessionId: string, reason: EndReason): Promise<Document<Session>> {
  const userId = userIdOf((await work.get(sessions, sessionId))?.state ?? { status: 'unknown' })
  const ended = await work.decide(sessions, sessionId, { type: 'end', reason, at: work.origin.at })
  if (userId !== undefined) await app.lifecycle.whenSessionEnded(app, work, { id: sessionId, userId })
  return ended
}

/** Ends a session as part of a write, unless it was ended since it was found. */
export async function endSessionIfOpen(
  app: App,
  work: Work,
  sessionId: string,
  reason: EndReason = 'ended',
): Promise<void> {
  const session = await work.get(sessions, sessionId)
  if (session?.state.status !== 'open') return
  await end(app, work, sessionId, reason)
}

async function endAll(app: App, work: Work, userId: string, reason: EndReason, keptId?: string): Promise<void> {
  const ids = await app.store.findIds(sessions, { field: 'userId', equals: userId })
  const others = ids.filter((id) => id !== keptId)
  await eachAtOnce(others, (id) => endSessionIfOpen(app, work, id, reason))
}

/** Ends the sessions of a user as part of a write; does nothing when none is open. */
export function endSessionsOfUser(
  app: App,
  work: Work,
  userId: string,
  reason: EndReason = 'user_removed',
): Promise<void> {
  return endAll(app, work, userId, reason)
}

/** Ends the sessions of a user in the commit that sets a new password, except the one in which it was set. */
export function endOtherSessions(
  app: App,
  work: Work,
  userId: string,
  keptSessionId: string | undefined,
): Promise<void> {
  return endAll(app, work, userId, 'password_changed', keptSessionId)
}

/**
 * Records once that a session has expired, if it has. A clock can be set back, and an expired session must not become
 * valid again: the first request that notices it writes an event, and from then on the clock does not matter. Never
 * throws: the response is the same in any case, and the next request tries again.
 */
export async function recordExpiry(app: App, sessionId: string, seen: OpenSession, at: Instant): Promise<void> {
  if (seen.seenExpiredAt !== undefined || !hasExpired(seen, at)) return
  const command = { type: 'expire', at } as const
  await app.store.write({ actor: 'server', at }, (work) => work.decide(sessions, sessionId, command)).catch(() => {})
}
