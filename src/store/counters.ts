/**
 * Numbers by hour that events add to: how many sign-ins an organization had, for example. A commit adds to them in its own
 * transaction, with statements that do not depend on each other, so no document is read and none is hot. They follow from
 * the log alone: a rebuild counts it again, and `signet verify` compares.
 */

import { type Instant, instant } from '../kernel/instant.ts'
import { isArrival } from './arrival.ts'
import type { AnyKind, Count } from './kind.ts'

const HOUR_MS = 3_600_000
const HOURS_OF_DAY = 24

/** Older hours are removed by the job that removes ended streams. The streams that count must be kept longer. */
export const COUNTS_KEPT_MS = 91 * HOURS_OF_DAY * HOUR_MS

/** The hours that `signet verify` compares, back from the last one: what is older may have been removed from either side. */
const HOURS_COMPARED = 90 * HOURS_OF_DAY

/** Up to this many hours are added up at once, by days at most: longer steps are asked for where there are many names. */
const FEW_HOURS = 3 * HOURS_OF_DAY

/** A number as the table holds it; `hour` counts from 1970. */
export interface CountRow {
  readonly kind: string
  readonly scope: string
  readonly hour: number
  readonly name: string
  readonly n: number
}

/** The numbers of a scope from the hour of `since` on, of some kinds together, added up in steps of some hours. */
export interface CountQuery {
  readonly kinds: readonly string[]
  readonly scope: string
  readonly since: Instant
  readonly hours: number
  readonly step: number
  /** The current time: what is long over is remembered. */
  readonly now: Instant
}

/** What an engine adds up: the hours of `from` and later, before `until`, in steps that begin at the hour `first`. */
export interface CountRange {
  readonly kinds: readonly string[]
  readonly scope: string
  readonly first: number
  readonly step: number
  readonly from: number
  readonly until: number
}

export interface CountedStep {
  readonly start: Instant
  readonly name: string
  readonly n: number
}

interface CountedEvent {
  readonly type: string
  readonly data: unknown
}

/** The number of the hour, from 1970 on. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS)
}

/** What an event of a stream adds. */
export function countsOf(
  kind: AnyKind,
  { type, data }: CountedEvent,
  { owner, at }: { readonly owner: string; readonly at: number },
): readonly CountRow[] {
  if (isArrival({ type })) return []
  const counts: readonly Count[] = kind.counts?.({ type, data }, owner) ?? []
  const hour = hourOf(at)
  return counts.map(({ scope, name, unit, times = 1 }) => ({
    kind: kind.name,
    scope,
    hour: unit === 'day' ? hour - (hour % HOURS_OF_DAY) : hour,
    name,
    n: times,
  }))
}

/** Adds up rows, so that each number is written once. */
export class Tally {
  readonly #rows = new Map<string, CountRow>()

  add(rows: readonly CountRow[]): void {
    for (const row of rows) {
      const key = keyOf(row)
      this.#rows.set(key, { ...row, n: row.n + (this.#rows.get(key)?.n ?? 0) })
    }
  }

  get size(): number {
    return this.#rows.size
  }

  /** Returns what was added up, and begins again. */
  take(): readonly CountRow[] {
    const rows = [...this.#rows.values()]
    this.#rows.clear()
    return rows
  }
}

function keyOf({ kind, scope, hour, name }: CountRow): string {
  return JSON.stringify([kind, scope, hour, name])
}

/** The part of an engine that reads counters. */
export interface CounterMethods {
  /** The numbers that events have added to; those that are 0 are left out. */
  counted(range: CountRange): Promise<readonly CountedStep[]>
  /** Removes the numbers of the hours before this time. */
  removeCounts(before: Instant): Promise<void>
}

/** Runs a statement with parameters `$1`, `$2` …; rows are arrays. */
type Run = (sql: string, ...parameters: readonly (string | number)[]) => Promise<readonly (readonly unknown[])[]>

/** Both databases understand these statements; `readMany` is for those that add up months. */
export function counterMethods({ run, read, readMany }: Record<'run' | 'read' | 'readMany', Run>): CounterMethods {
  return {
    async counted({ kinds, scope, first, step, from, until }) {
      const isShort = until - from <= FEW_HOURS && step <= HOURS_OF_DAY
      const rows = await (isShort ? read : readMany)(
        `select (hour - cast($1 as integer)) / cast($2 as integer) as step, name, sum(n) as n from counters
         where instance = 1 and kind in (${kinds.map((_, index) => `$${index + 6}`).join(', ')})
           and scope = $3 and hour >= $4 and hour < $5 group by 1, 2`,
        ...[first, step, scope, from, until, ...kinds],
      )
      return rows.map(([position, name, n]) => ({
        start: instant((first + Number(position) * step) * HOUR_MS),
        name: String(name),
        n: Number(n),
      }))
    },
    async removeCounts(before) {
      await run('delete from counters where instance = 1 and hour < $1', hourOf(before))
    },
  }
}

/** Says where stored numbers differ from those of the log, in the hours that both must have. */
export function* differingCounts(counted: readonly CountRow[], stored: Iterable<CountRow>): Generator<string> {
  const numbers = new Map<string, { readonly row: CountRow; readonly stored: number; readonly counted: number }>()
  let newest = 0
  for (const row of stored) numbers.set(keyOf(row), { row, stored: row.n, counted: 0 })
  for (const row of counted) {
    const known = numbers.get(keyOf(row))
    numbers.set(keyOf(row), { row, stored: known?.stored ?? 0, counted: row.n })
  }
  for (const { row } of numbers.values()) newest = Math.max(newest, row.hour)
  for (const { row, stored, counted } of numbers.values()) {
    if (row.hour < newest - HOURS_COMPARED || stored === counted) continue
    const { kind, scope, hour, name } = row
    const time = new Date(hour * HOUR_MS).toISOString()
    yield `The counter ${kind} ${scope} ${name} of ${time} is ${stored}, but its log has ${counted}.`
  }
}
