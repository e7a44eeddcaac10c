/** Counts the sign-ins of the last 24 hours in the log. */

import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { StoredEvent } from '../../store/index.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
/** A busy instance has more events than one request may read: this many of each type. */
const READS = { pageSize: 1000, mostPages: 10 }

const SUCCEEDED = ['session.password_checked.v1', 'session.web_authn_checked.v1', 'session.intent_checked.v1'] as const
const FAILED = ['attempts.failed.v1', 'session.check_failed.v1'] as const

export interface SignInsOfHour {
  readonly start: Instant
  readonly succeeded: number
  readonly failed: number
}

export interface SignIns {
  readonly hours: readonly SignInsOfHour[]
  /** Undefined when everything was counted. */
  readonly completeSince: Instant | undefined
}

interface CountedEvents {
  readonly events: readonly StoredEvent[]
  readonly completeSince: Instant | undefined
}

/**
 * Events of one type, the newest first, back to a time. Without the time in the query: the index of types gives them in
 * this order, and reading stops at the first event that is too old.
 */
async function eventsSince(
  { store }: Pick<App, 'store'>,
  type: string,
  since: Instant,
  { pageSize, mostPages }: typeof READS,
): Promise<CountedEvents> {
  const events: StoredEvent[] = []
  for (let pages = 0; pages < mostPages; pages++) {
    const from = events.at(-1)?.sequence
    const page = await store.events({
      types: [type],
      descending: true,
      limit: pageSize,
      ...(from !== undefined && { from }),
    })
    events.push(...page)
    const oldest = events.at(-1)
    if (page.length < pageSize || oldest === undefined || oldest.at < since) {
      return { events: events.filter(({ at }) => at >= since), completeSince: undefined }
    }
  }
  return { events, completeSince: events.at(-1)?.at }
}

/**
 * The sign-ins by hour up to now. A session counts once in an hour, whichever factors were checked in it. Tests pass
 * other limits.
 */
export async function countSignIns(app: Pick<App, 'store'>, now: Instant, reads = READS): Promise<SignIns> {
  const first = Math.floor(now / HOUR_MS) - HOURS + 1
  const since = instant(first * HOUR_MS)
  const hours = Array.from({ length: HOURS }, () => ({ sessions: new Set<string>(), failed: 0 }))
  const hourOf = (at: Instant) => hours[Math.min(Math.floor(at / HOUR_MS) - first, HOURS - 1)]
  const ends: Instant[] = []
  for (const type of [...SUCCEEDED, ...FAILED]) {
    const { events, completeSince } = await eventsSince(app, type, since, reads)
    if (completeSince !== undefined) ends.push(completeSince)
    const isFailure = (FAILED as readonly string[]).includes(type)
    for (const { at, id } of events) {
      const hour = hourOf(at)
      if (hour === undefined) continue
      if (isFailure) hour.failed++
      else hour.sessions.add(id)
    }
  }
  return {
    hours: hours.map(({ sessions, failed }, index) => ({
      start: instant((first + index) * HOUR_MS),
      succeeded: sessions.size,
      failed,
    })),
    completeSince: ends.length === 0 ? undefined : instant(Math.max(...ends)),
  }
}
