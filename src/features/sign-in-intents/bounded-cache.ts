/** A cache with a limit on its entries and on their age, for the metadata of providers. */
import type { Clock } from '../../kernel/instant.ts'

export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

/** Drops entries older than `lifetimeMilliseconds` and, beyond `most` entries, the least recently used. */
export function openBoundedCache<Value>(clock: Clock, most: number, lifetimeMilliseconds: number): BoundedCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (clock() >= entry.until) return undefined
      // A Map keeps the order of insertion: the most recently used entry is the last.
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, until: clock() + lifetimeMilliseconds })
      const [oldest] = entries.keys()
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
