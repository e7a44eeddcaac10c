/** How sessions end: on request, with their user, or because their lifetime is over. */
import type { App } from '../../../access/app.ts'
import { SYSTEM_ACTOR } from '../../../kernel/actor.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { sessions } from '../documents.ts'
import { hasExpired, type OpenSession, type Session } from '../state.ts'

const BATCH_SIZE = 1000

/** Ends a session as a write of its own. The caller has checked that it may be done. */
export function endSession(app: App, origin: Origin, sessionId: string): Promise<Written<Document<Session>>> {
  return app.store.write(origin, (work) =>
    work.decide(sessions, sessionId, { type: 'end', reason: 'ended', at: origin.at }),
  )
}

/** Ends a session as part of a write, unless it was ended since it was found. */
export async function endSessionIfOpen(
  work: Work,
  sessionId: string,
  reason: 'ended' | 'user_removed' = 'ended',
): Promise<void> {
  const session = await work.get(sessions, sessionId)
  if (session?.state.status !== 'open') return
  await work.decide(sessions, sessionId, { type: 'end', reason, at: work.origin.at })
}

/** Ends the sessions of a user as part of a write; does nothing when none is open. */
export async function endSessionsOfUser(
  app: App,
  work: Work,
  userId: string,
  reason: 'ended' | 'user_removed' = 'user_removed',
): Promise<void> {
  const where = { field: 'userId', equals: userId } as const
  for (let offset = 0, more = true; more; offset += BATCH_SIZE) {
    const { documents } = await app.store.find(sessions, { where, orderBy: 'id', limit: BATCH_SIZE, offset })
    for (const { id } of documents) await endSessionIfOpen(work, id, reason)
    more = documents.length === BATCH_SIZE
  }
}

/**
 * Records, once, that a session has expired, if it has. A clock can be set back, and an expired session must not become
 * valid again: so the first request that sees it writes an event, and from then on the clock is not asked. Never throws:
 * the caller gets the same answer in any case, and the next request tries again.
 */
export async function recordExpiry(app: App, sessionId: string, seen: OpenSession, at: Instant): Promise<void> {
  if (seen.seenExpiredAt !== undefined || !hasExpired(seen, at)) return
  const command = { type: 'expire', at } as const
  await app.store
    .write({ actor: SYSTEM_ACTOR, at }, (work) => work.decide(sessions, sessionId, command))
    .catch(() => {})
}
