/** Reads how many sign-ins there were. Nothing is scanned: the store has counted them (docs/decisions/0070). */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { COUNTING, SCOPES } from './documents.ts'
import type { Method, Reason } from './events.ts'

const HOUR_MS = 3_600_000
const HOURS_OF_DAY = 24
const MOST_RANKED = 10

/** What is counted: everything, the users of an organization, or an application. */
export type Counted =
  | { readonly type: 'instance' }
  | { readonly type: 'organization' | 'application'; readonly id: string }

export interface DayOfSignIns {
  readonly start: Instant
  readonly succeeded: ReadonlyMap<Method, number>
  readonly failed: ReadonlyMap<Reason, number>
}

export interface RankedApplication {
  readonly id: string
  readonly succeeded: number
  readonly failed: number
}

function scopeOf(counted: Counted): string {
  if (counted.type === 'instance') return SCOPES.instance
  return counted.type === 'organization' ? SCOPES.organization(counted.id) : SCOPES.application(counted.id)
}

/** A name is `s:` or `f:` and what succeeded or failed. */
function isSuccess(name: string): boolean {
  return name.startsWith('s:')
}

/** The hour in which the first of some days begins, where the time zone is `offsetHours` east of UTC. */
function firstHour(now: Instant, days: number, offsetHours: number): number {
  const today = Math.floor((Math.floor(now / HOUR_MS) + offsetHours) / HOURS_OF_DAY)
  return (today - days + 1) * HOURS_OF_DAY - offsetHours
}

/** The days up to today, the oldest first. */
export async function countDays(
  { store }: App,
  counted: Counted,
  { now, days, offsetHours }: { readonly now: Instant; readonly days: number; readonly offsetHours: number },
): Promise<readonly DayOfSignIns[]> {
  const first = firstHour(now, days, offsetHours)
  const since = instant(first * HOUR_MS)
  const hours = days * HOURS_OF_DAY
  const query = { kinds: COUNTING, scope: scopeOf(counted), since, hours, step: HOURS_OF_DAY, now }
  const found = Map.groupBy(await store.counted(query), ({ start }) => start)
  return Array.from({ length: days }, (_, index) => {
    const start = instant(since + index * HOURS_OF_DAY * HOUR_MS)
    const own = found.get(start) ?? []
    const named = <Name extends string>(succeeded: boolean) =>
      new Map(own.filter(({ name }) => isSuccess(name) === succeeded).map(({ name, n }) => [name.slice(2) as Name, n]))
    return { start, succeeded: named<Method>(true), failed: named<Reason>(false) }
  })
}

/** The applications with the most sign-ins, by days of UTC. */
export async function rankApplications(
  { store }: App,
  organizationId: string | undefined,
  { now, days }: { readonly now: Instant; readonly days: number },
): Promise<readonly RankedApplication[]> {
  const since = instant(firstHour(now, days, 0) * HOUR_MS)
  const hours = days * HOURS_OF_DAY
  const found = await store.counted({
    kinds: COUNTING,
    scope: SCOPES.applications(organizationId),
    since,
    hours,
    step: hours,
    now,
  })
  const ranked = new Map<string, RankedApplication>()
  for (const { name, n } of found) {
    const id = name.slice(2)
    const { succeeded, failed } = ranked.get(id) ?? { succeeded: 0, failed: 0 }
    ranked.set(id, isSuccess(name) ? { id, succeeded: succeeded + n, failed } : { id, succeeded, failed: failed + n })
  }
  const byNumber = (one: RankedApplication, other: RankedApplication) =>
    other.succeeded - one.succeeded || other.failed - one.failed
  return [...ranked.values()].sort(byNumber).slice(0, MOST_RANKED)
}

export interface SignInsOfHour {
  readonly start: Instant
  readonly succeeded: number
  readonly failed: number
}

/** The last hours of the instance, the oldest first; the last one is the current hour. */
export async function signInsByHour(
  { store }: Pick<App, 'store'>,
  now: Instant,
  hours: number,
): Promise<readonly SignInsOfHour[]> {
  const since = instant((Math.floor(now / HOUR_MS) - hours + 1) * HOUR_MS)
  const found = await store.counted({ kinds: COUNTING, scope: SCOPES.instance, since, hours, step: 1, now })
  return Array.from({ length: hours }, (_, index) => {
    const start = instant(since + index * HOUR_MS)
    const sum = (succeeded: boolean) =>
      found
        .filter((one) => one.start === start && isSuccess(one.name) === succeeded)
        .reduce((total, { n }) => total + n, 0)
    return { start, succeeded: sum(true), failed: sum(false) }
  })
}
