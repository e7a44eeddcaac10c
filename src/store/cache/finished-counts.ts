/**
 * Remembers the sums of hours that are long over, so that 90 days cost as much as three. Such numbers do not change: an event
 * counts in the hour in which its commit began. What this process adds to them nevertheless is noticed. What another process
 * adds, whose clock is days behind, is seen after an hour, because then the hours that are over are others.
 */
import { type CountedStep, type CountQuery, type CountRange, type CountRow, hourOf } from '../counters.ts'

/** Numbers by day are those of its first hour, so this leaves a whole day to events that are committed late. */
const OVER_AFTER_HOURS = 48
/** What is full is emptied: what is in use is soon read again. */
const MAX_STEPS = 50_000

type Read = (range: CountRange) => Promise<readonly CountedStep[]>

export class FinishedCounts {
  readonly #read: Read
  readonly #sums = new Map<string, readonly CountedStep[]>()
  /** How many steps are in `#sums`; an entry without any counts too. */
  #size = 0
  /** Hours from this one on are in none of the sums. */
  #until = 0
  /** Another object whenever sums that are being read may have changed. */
  #moment = {}

  constructor(read: Read) {
    this.#read = read
  }

  async counted({ kinds, scope, since, hours, step, now }: CountQuery): Promise<readonly CountedStep[]> {
    const first = hourOf(since)
    const end = first + hours
    const over = Math.min(hourOf(now) - OVER_AFTER_HOURS, end)
    const range = { kinds, scope, first, step, from: first, until: end }
    if (over <= first) return this.#read(range)
    const finished = await this.#finished({ ...range, until: over })
    return over === end ? finished : joined(finished, await this.#read({ ...range, from: over }))
  }

  async #finished(range: CountRange): Promise<readonly CountedStep[]> {
    const { kinds, scope, first, step, until } = range
    const key = JSON.stringify([kinds, scope, first, step, until])
    const known = this.#sums.get(key)
    if (known !== undefined) return known
    const moment = this.#moment
    const sums = await this.#read(range)
    if (moment !== this.#moment || this.#sums.has(key)) return sums
    if (this.#size + sums.length >= MAX_STEPS) this.clear()
    if (sums.length >= MAX_STEPS) return sums
    this.#sums.set(key, sums)
    this.#size += sums.length + 1
    this.#until = Math.max(this.#until, until)
    return sums
  }

  /** A commit of this process has added these. */
  added(rows: readonly CountRow[]): void {
    if (rows.some(({ hour }) => hour < this.#until)) this.clear()
  }

  clear(): void {
    this.#moment = {}
    this.#sums.clear()
    this.#size = 0
    this.#until = 0
  }
}

/** The step in which the hours that are over end is the sum of both parts; those before it are complete. */
function joined(finished: readonly CountedStep[], recent: readonly CountedStep[]): readonly CountedStep[] {
  const last = recent.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const shared = new Map(finished.filter(({ start }) => start >= last).map(({ name, n }) => [name, n]))
  if (shared.size === 0) return [...finished, ...recent]
  const parts = recent.map((step) => {
    const n = step.start === last ? (shared.get(step.name) ?? 0) : 0
    if (n > 0) shared.delete(step.name)
    return n > 0 ? { ...step, n: step.n + n } : step
  })
  return [...finished.filter(({ start, name }) => start < last || shared.has(name)), ...parts]
}
