/** The streams that a work has read or decided on, in the order of the last decision, or else of the first read. */
import type { DocumentRow } from '../engine.ts'
import type { EventText } from '../fold.ts'
import type { AnyKind } from '../kind.ts'
import { streamKey } from '../streams.ts'

/** A stream that this work has read, with what was decided on it since. */
export interface Seen {
  readonly kind: AnyKind
  readonly id: string
  readonly row: DocumentRow | undefined
  readonly owner: string | undefined
  /** The current state, parsed on demand: many works only need to know that a document exists. */
  state(): unknown
  readonly gone: boolean
  /** This commit removes it; nothing more may be decided on it. */
  readonly removed: boolean
  readonly events: readonly EventText[]
  readonly text: string
}

/** A few are found faster without a map, which needs a key each. Ending all sessions of a user may be thousands. */
const FEW = 32

export class SeenStreams implements Iterable<Seen> {
  #few: Seen[] = []
  #many: Map<string, Seen> | undefined

  get size(): number {
    return this.#many?.size ?? this.#few.length
  }

  get(kind: AnyKind, id: string): Seen | undefined {
    if (this.#many !== undefined) return this.#many.get(streamKey({ kind: kind.name, id }))
    return this.#few.find((one) => one.id === id && one.kind === kind)
  }

  /** Adds a stream that is not there yet. */
  add(seen: Seen): void {
    if (this.#many === undefined && this.#few.length === FEW) {
      this.#many = new Map(this.#few.map((one) => [keyOf(one), one]))
      this.#few = []
    }
    if (this.#many === undefined) this.#few.push(seen)
    else this.#many.set(keyOf(seen), seen)
  }

  /** Adds a stream at the end. If it was there, it is not any more. */
  replace(seen: Seen): void {
    this.#many?.delete(keyOf(seen))
    const index = this.#few.findIndex(({ kind, id }) => id === seen.id && kind === seen.kind)
    if (index !== -1) this.#few.splice(index, 1)
    this.add(seen)
  }

  [Symbol.iterator](): Iterator<Seen> {
    return (this.#many?.values() ?? this.#few)[Symbol.iterator]()
  }
}

function keyOf({ kind, id }: Seen): string {
  return streamKey({ kind: kind.name, id })
}
