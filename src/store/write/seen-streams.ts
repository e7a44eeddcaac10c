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

export class SeenStreams implements Iterable<Seen> {
  readonly #streams = new Map<string, Seen>()

  get size(): number {
    return this.#streams.size
  }

  get(kind: AnyKind, id: string): Seen | undefined {
    return this.#streams.get(streamKey({ kind: kind.name, id }))
  }

  /** Adds a stream at the end. If it was there, it is not any more. */
  put(seen: Seen): void {
    const key = streamKey({ kind: seen.kind.name, id: seen.id })
    this.#streams.delete(key)
    this.#streams.set(key, seen)
  }

  [Symbol.iterator](): Iterator<Seen> {
    return this.#streams.values()
  }
}
