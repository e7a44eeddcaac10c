/**
 * The requests in flight, with their start times. It is an array with free slots instead of a Map: a Map that is filled
 * and emptied all the time leaves a chain of outgrown tables behind. The first of them to reach the old generation
 * keeps all later requests alive until the next full collection, which cost a tenth of the CPU time in measurements
 * (decision 23).
 */

interface Entry<Item> {
  readonly item: Item
  readonly startedAt: number
}

/** The requests being served on one server or one HTTP/2 session. */
export class InFlight<Item> {
  readonly #places: (Entry<Item> | undefined)[] = []
  readonly #free: number[] = []

  /** Adds an item and returns its slot, which `remove` takes. */
  add(item: Item, startedAt: number): number {
    const place = this.#free.pop() ?? this.#places.length
    this.#places[place] = { item, startedAt }
    return place
  }

  /** Call it once for each slot. */
  remove(place: number): void {
    this.#places[place] = undefined
    this.#free.push(place)
  }

  get size(): number {
    return this.#places.length - this.#free.length
  }

  /** The items in flight, in no order. */
  *[Symbol.iterator](): Generator<Entry<Item>> {
    for (const entry of this.#places) if (entry !== undefined) yield entry
  }
}
