/**
 * A cache with a limit on the characters of its entries. There are two generations: what is used is in the young one, and
 * when that is full, it becomes the old one and what was in the old one is forgotten. Removing the oldest one by one would be
 * slow, because a `Map` has to pass over all that were removed before.
 */
export interface CacheSize {
  /** For all entries together, in each of the two generations. */
  readonly characters: number
  /** A longer entry is not kept. */
  readonly longest: number
}

/** An entry without a text takes some memory, too. */
const LEAST = 100

interface Entry<Value> {
  readonly value: Value
  readonly size: number
}

export class SizedCache<Value> {
  readonly #limit: CacheSize
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #size = 0

  constructor(limit: CacheSize) {
    this.#limit = limit
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old !== undefined) this.#keep(key, old)
    return old?.value
  }

  /** Keeps a value under a key; `characters` is the size of the value, if it is more than the key. */
  set(key: string, value: Value, characters = 0): void {
    const size = key.length + characters
    this.delete(key)
    if (size <= this.#limit.longest) this.#keep(key, { value, size: size + LEAST })
  }

  delete(key: string): void {
    this.#size -= this.#young.get(key)?.size ?? 0
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** The characters that are kept, for tests. */
  get characters(): number {
    return [...this.#young.values(), ...this.#old.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #keep(key: string, entry: Entry<Value>): void {
    if (this.#size + entry.size > this.#limit.characters) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    this.#old.delete(key)
    this.#young.set(key, entry)
    this.#size += entry.size
  }
}
