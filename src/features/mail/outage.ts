/**
 * Remembers for a few seconds that the mail server does not work, so that a thousand waiting mails do not all knock at
 * its door: one of them does, and the others know the answer. Belongs to one process.
 */
import type { Clock, Instant } from '../../kernel/instant.ts'

export interface Outage {
  /** Why there is no use in trying now; undefined when there is. `server` names the server and its settings. */
  reason(server: string): string | undefined
  began(server: string, reason: string): void
  ended(): void
}

const QUIET_MILLISECONDS = 5_000

export function openOutage(clock: Clock): Outage {
  let known: { readonly server: string; readonly reason: string; readonly until: number } | undefined
  const now = (): Instant => clock()
  return {
    reason: (server) =>
      known !== undefined && known.server === server && now() < known.until ? known.reason : undefined,
    began(server, reason) {
      known = { server, reason, until: now() + QUIET_MILLISECONDS }
    },
    ended() {
      known = undefined
    },
  }
}
