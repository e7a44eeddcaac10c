/**
 * Shares: what several owners use together is bounded, and each of them has a part of it, so that nobody uses it up for the
 * others. Shares of calls are counted here, in the memory of this process; numbers and bytes of what is stored are counted in the
 * write, by the limits that kinds declare.
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
  /** How many keys are counted; the oldest are dropped first. */
  readonly maxKeys?: number
}

/** Says whether it may be done once more, and counts it. */
export type Throttle = (key: string) => boolean

/** Attempts of which only the wrong ones count. */
export interface Attempts {
  /** Says whether one more may be made, and counts it until it turns out to be right. */
  take: Throttle
  /** The attempt was right: it does not count. */
  giveBack(key: string): void
}

export function openAttempts({ now, limit, windowMs, maxKeys = 10_000 }: ThrottleOptions): Attempts {
  const counts = new Map<string, { readonly since: number; count: number }>()
  return {
    take(key) {
      const at = now()
      const known = counts.get(key)
      if (known !== undefined && at - known.since < windowMs) {
        if (known.count >= limit) return false
        known.count++
        return true
      }
      counts.delete(key)
      const oldest = counts.size >= maxKeys ? counts.keys().next().value : undefined
      if (oldest !== undefined) counts.delete(oldest)
      counts.set(key, { since: at, count: 1 })
      return true
    },
    giveBack(key) {
      const known = counts.get(key)
      if (known !== undefined && known.count > 0) known.count--
    },
  }
}

export function openThrottle(options: ThrottleOptions): Throttle {
  return openAttempts(options).take
}

/** The places that each level of owners leaves to the others: half. */
const PART = 2

/**
 * Calls at once. Owners are named from the widest to the narrowest, an organization and its user for example. Each gets one
 * more place only while more are free than it has already: alone it gets half of them, and whoever comes next half of what is
 * left. Among the users of an organization its half is divided in the same way.
 */
export class Places {
  readonly #most: number
  readonly #taken = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether nobody has a place. */
  get isEmpty(): boolean {
    return this.#taken.size === 0
  }

  /** Takes a place; returns what gives it back, or undefined when the owners have their share. */
  take(...owners: Owners): (() => void) | undefined {
    const keys = ['', ...owners].map((_, level) => JSON.stringify(owners.slice(0, level)))
    const counts = keys.map((key) => this.#taken.get(key) ?? 0)
    const isFree = counts.every((count, level) => {
      const most = this.#most / PART ** Math.max(0, level - 1)
      return level === 0 ? count < most : count < most - (counts[level - 1] ?? 0)
    })
    if (!isFree) return undefined
    for (const [level, key] of keys.entries()) this.#taken.set(key, (counts[level] ?? 0) + 1)
    return () => {
      for (const key of keys) {
        const left = (this.#taken.get(key) ?? 0) - 1
        if (left > 0) this.#taken.set(key, left)
        else this.#taken.delete(key)
      }
    }
  }
}
