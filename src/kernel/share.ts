/**
 * Shares: what several owners use together is bounded, and each of them has a part of it, so that nobody uses it up for the
 * others. Calls are counted here, in the memory of this process; numbers and bytes of what is stored are counted in the write, by
 * the limits that kinds declare. Nobody else counts (`tools/answers.ts`).
 */
import type { Clock } from './instant.ts'

/** Whose share it is, from the widest to the narrowest: an organization and its user for example. There always is one. */
export type Owners = readonly [string, ...string[]]

/** A share of calls in a window. */
export interface ThrottleOptions {
  readonly now: Clock
  /** How often in a row. */
  readonly limit: number
  /** After how long it counts from zero again. */
  readonly windowMs: number
  /** How many keys are counted: beyond that, whoever has the most of them loses their oldest. */
  readonly maxKeys?: number
}

/** Says whether it may be done once more, and counts it for the narrowest of the owners. */
export type Throttle = (...owners: Owners) => boolean

/** Attempts of which only the wrong ones count. */
export interface Attempts {
  /** Says whether one more may be made, and counts it until it turns out to be right. */
  take: Throttle
  /** The attempt was right: it does not count. */
  giveBack(...owners: Owners): void
  /** How many count now. */
  count(...owners: Owners): number
}

/** What is kept by owner and forgotten when there is too much: of the owner who has the most, the oldest. */
class Ledger<Value> {
  readonly #most: number
  readonly #groups = new Map<string, Map<string, Value>>()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get(owners: Owners): Value | undefined {
    return this.#groups.get(groupOf(owners))?.get(lastOf(owners))
  }

  set(owners: Owners, value: Value): void {
    this.delete(owners)
    if (this.#size >= this.#most) this.#forgetOne()
    const name = groupOf(owners)
    const group = this.#groups.get(name) ?? new Map<string, Value>()
    this.#groups.set(name, group.set(lastOf(owners), value))
    this.#size++
  }

  delete(owners: Owners): void {
    this.#forget(groupOf(owners), lastOf(owners))
  }

  #forget(name: string, key: string | undefined): void {
    const group = this.#groups.get(name)
    if (group === undefined || key === undefined || !group.delete(key)) return
    this.#size--
    if (group.size === 0) this.#groups.delete(name)
  }

  #forgetOne(): void {
    let largest = ''
    for (const [name, { size }] of this.#groups) if (size > (this.#groups.get(largest)?.size ?? 0)) largest = name
    this.#forget(largest, this.#groups.get(largest)?.keys().next().value)
  }
}

function groupOf(owners: Owners): string {
  return JSON.stringify(owners.slice(0, -1))
}

function lastOf(owners: Owners): string {
  return owners.at(-1) ?? ''
}

export function openAttempts({ now, limit, windowMs, maxKeys = 10_000 }: ThrottleOptions): Attempts {
  const counts = new Ledger<{ readonly since: number; count: number }>(maxKeys)
  const find = (owners: Owners) => {
    const known = counts.get(owners)
    return known !== undefined && now() - known.since < windowMs ? known : undefined
  }
  return {
    take(...owners) {
      const known = find(owners)
      if (known === undefined) counts.set(owners, { since: now(), count: 1 })
      else if (known.count >= limit) return false
      else known.count++
      return true
    },
    giveBack(...owners) {
      const known = find(owners)
      if (known !== undefined && known.count > 0) known.count--
    },
    count: (...owners) => find(owners)?.count ?? 0,
  }
}

export function openThrottle(options: ThrottleOptions): Throttle {
  return openAttempts(options).take
}

/** A share of what is done for all, one after the other. */
export interface PaceOptions {
  readonly now: Clock
  /** How many an owner can have done at once. */
  readonly burst: number
  /** The time between those that come after them. */
  readonly everyMs: number
}

/**
 * Says how much later the next one of an owner is due, and counts it: what an owner has done beyond the burst is spread, so
 * that it does not wait in front of what others have done.
 */
export function openPace({ now, burst, everyMs }: PaceOptions): (...owners: Owners) => number {
  const busyUntil = new Ledger<number>(10_000)
  return (...owners) => {
    const at = now()
    const until = Math.max(at, busyUntil.get(owners) ?? 0) + everyMs
    busyUntil.set(owners, until)
    return Math.max(0, until - at - burst * everyMs)
  }
}

/** The places that each level of owners leaves to the others: half. */
const PART = 2

/** What all have taken together. */
const ALL = ''

/**
 * Calls at once. Owners are named from the widest to the narrowest, an organization and its user for example. Each gets one
 * more place only while more are free than it has already: alone it gets half of them, and whoever comes next half of what is
 * left. Among the users of an organization its half is divided in the same way. `each` is the most for one owner of each level,
 * for what nobody needs more of.
 */
export class Places {
  readonly #most: number
  readonly #each: readonly number[]
  readonly #taken = new Map<string, number>()

  constructor(most: number, ...each: readonly number[]) {
    this.#most = most
    this.#each = each
  }

  /** How many are taken. */
  get taken(): number {
    return this.#taken.get(ALL) ?? 0
  }

  /** Takes a place; returns what gives it back, or undefined when the owners have their share. */
  take(...owners: Owners): (() => void) | undefined {
    const keys = [ALL, ...owners.map((_, index) => JSON.stringify(owners.slice(0, index + 1)))]
    const counts = keys.map((key) => this.#taken.get(key) ?? 0)
    const isFree = counts.every((count, level) => {
      const most = this.#most / PART ** Math.max(0, level - 1)
      return level === 0
        ? count < most
        : count < Math.min(most - (counts[level - 1] ?? 0), this.#each[level - 1] ?? count + 1)
    })
    if (!isFree) return undefined
    for (const [level, key] of keys.entries()) this.#taken.set(key, (counts[level] ?? 0) + 1)
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      for (const key of keys) {
        const left = (this.#taken.get(key) ?? 0) - 1
        if (left > 0) this.#taken.set(key, left)
        else this.#taken.delete(key)
      }
    }
  }

  /** Runs something in a place of these owners; throws what `refuse` makes when they have their share. */
  async run<Value>(owners: Owners, refuse: () => Error, act: () => Promise<Value>): Promise<Value> {
    const leave = this.take(...owners)
    if (leave === undefined) throw refuse()
    try {
      return await act()
    } finally {
      leave()
    }
  }
}
