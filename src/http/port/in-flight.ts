/**
 * The requests in flight, with the time each began. It is an array with free places rather than a Map: a Map that is
 * filled and emptied all the time leaves a chain of outgrown tables behind, and the first of them to grow old keeps every
 * later request alive until the next full collection, which was measured to cost a tenth of the processor (decision 23).
 */

interface Entry<Item> {
  readonly item: Item
  readonly startedAt: number
}

/** The requests being served on one server or one HTTP/2 session. */
export class InFlight<Item> {
  readonly #places: (Entry<Item> | undefined)[] = []
  readonly #free: number[] = []

  /** Adds it and returns its place, which `remove` wants. */
  add(item: Item, startedAt: number): number {
    const place = this.#free.pop() ?? this.#places.length
    this.#places[place] = { item, startedAt }
    return place
  }

  /** To be called once for each place. */
  remove(place: number): void {
    this.#places[place] = undefined
    this.#free.push(place)
  }

  get size(): number {
    return this.#places.length - this.#free.length
  }

  /** Those in flight, in no order. */
  *[Symbol.iterator](): Generator<Entry<Item>> {
    for (const entry of this.#places) if (entry !== undefined) yield entry
  }
}
