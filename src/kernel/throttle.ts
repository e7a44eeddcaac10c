/** Limits how often something may be done for one key. It is counted in the memory of this process. */
import type { Clock } from './instant.ts'

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
        known.count++
        return known.count <= limit
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
