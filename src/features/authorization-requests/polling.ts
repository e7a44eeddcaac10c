/** How often somebody who waits for a user may ask (RFC 8628 §3.5, CIBA §7.3): a device, or an application. Pure. */
import type { Instant } from '../../kernel/instant.ts'

/** Something that waits until a user decides. */
export interface Waiting {
  readonly startedAt: Instant
  readonly expiresAt: Instant
  /** The last question that was stored, and the process that answered it. */
  readonly polled?: { readonly at: Instant; readonly by: string }
  /** How long it must wait between two questions, if it asked too early. */
  readonly intervalMs?: number
}

/** A question whether the user has decided. `seenAt` is the last one, if that was not stored. */
export interface Poll {
  readonly at: Instant
  readonly by: string
  readonly seenAt?: Instant
}

/** What is stored of a question: that it came, or that it came too early and how long to wait from now on. */
export type Polled = { readonly at: Instant; readonly by: string; readonly intervalMs?: number }

/** How long to wait between two questions (RFC 8628 §3.2). */
export const POLLING_INTERVAL_MS = 5000

/** How much longer to wait after each question that came too early (RFC 8628 §3.5). */
const SLOWER_MS = 5000

/** Two requests can take different times to arrive. */
const LEEWAY_MS = 500

/** Whether a question comes too early. */
export function isTooEarly({ polled, intervalMs }: Waiting, at: Instant, seenAt?: Instant): boolean {
  const last = seenAt ?? polled?.at
  return last !== undefined && at - last < (intervalMs ?? POLLING_INTERVAL_MS) - LEEWAY_MS
}

/** What to store of a question; undefined: nothing. One that would wait until the end is not slowed down any more. */
export function pollOf(waiting: Waiting, { at, by, seenAt }: Poll): Polled | undefined {
  if (!isTooEarly(waiting, at, seenAt)) return { at, by }
  const { intervalMs = POLLING_INTERVAL_MS, startedAt, expiresAt } = waiting
  return intervalMs >= expiresAt - startedAt ? undefined : { at, by, intervalMs: intervalMs + SLOWER_MS }
}
