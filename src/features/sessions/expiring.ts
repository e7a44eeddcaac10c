/**
 * Writing down that sessions have expired. A clock can be set back; what was over must not begin again. So the first who
 * sees that the lifetime of a session is over says so in an event, and from then on nobody asks the clock.
 */
import type { Instant } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import { sessions } from './documents.ts'
import { hasExpired, type OpenSession } from './state.ts'

/** Who stands on the events that nobody asked for. */
const NOBODY = 'system'

/**
 * Writes down, once, that a session has expired, if it has; the answer may go out when this is done. Never throws: whoever
 * showed the session hears the same in any case, and the next one who sees it tries again.
 */
export async function noteExpired(store: Store, sessionId: string, seen: OpenSession, at: Instant): Promise<void> {
  if (seen.seenExpiredAt !== undefined || !hasExpired(seen, at)) return
  const command = { type: 'expire', at } as const
  await store.write({ actor: NOBODY, at }, (work) => work.decide(sessions, sessionId, command)).catch(() => {})
}
