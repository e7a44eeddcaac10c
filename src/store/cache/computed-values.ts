/**
 * Values that were computed from documents, such as the caller of a token. A value is dropped as soon as something changes
 * that was read for it: one of the documents, or any document of a kind that was searched.
 */

/** What was read to compute a value. */
export interface Sources {
  readonly documents: readonly { readonly kind: string; readonly id: string }[]
  /** The kinds in which documents were searched. */
  readonly kinds: readonly string[]
  /** How many documents the searches found. The value may be as large as all of them. */
  readonly found: number
}

interface Computed {
  readonly value: unknown
  readonly sources: Sources
}

const MAX_VALUES = 5_000
/** Values that were computed from more found documents than this are not kept. */
const MAX_FOUND = 5_000
/** As above, for all values together. */
const MAX_FOUND_TOGETHER = 50_000

export class ComputedValues {
  readonly #values = new Map<string, Computed>()
  /** The keys of values by kind and id of a document that was read. */
  readonly #byDocument = new Map<string, Map<string, Set<string>>>()
  /** The keys of values by a kind that was searched. */
  readonly #byKind = new Map<string, Set<string>>()
  #found = 0

  get size(): number {
    return this.#values.size
  }

  get(key: string): unknown {
    return this.#values.get(key)?.value
  }

  keep(key: string, value: unknown, sources: Sources): void {
    this.#drop(key)
    if (sources.found > MAX_FOUND) return
    // Those in use are soon computed again. Removing the oldest one by one would be slow, see `read-cache.ts`.
    if (this.#values.size >= MAX_VALUES || this.#found + sources.found > MAX_FOUND_TOGETHER) this.clear()
    this.#values.set(key, { value, sources })
    this.#found += sources.found
    for (const { kind, id } of sources.documents) {
      const ofKind = this.#byDocument.get(kind) ?? new Map<string, Set<string>>()
      this.#byDocument.set(kind, ofKind)
      ofKind.set(id, (ofKind.get(id) ?? new Set()).add(key))
    }
    for (const kind of sources.kinds) this.#byKind.set(kind, (this.#byKind.get(kind) ?? new Set()).add(key))
  }

  /** A document of this kind has changed. */
  streamChanged(kind: string, id: string): void {
    for (const key of this.#byKind.get(kind) ?? []) this.#drop(key)
    for (const key of this.#byDocument.get(kind)?.get(id) ?? []) this.#drop(key)
  }

  /** Any documents of this kind may have changed. */
  kindChanged(kind: string): void {
    for (const key of this.#byKind.get(kind) ?? []) this.#drop(key)
    for (const keys of this.#byDocument.get(kind)?.values() ?? []) for (const key of keys) this.#drop(key)
  }

  clear(): void {
    this.#values.clear()
    this.#byDocument.clear()
    this.#byKind.clear()
    this.#found = 0
  }

  #drop(key: string): void {
    const computed = this.#values.get(key)
    if (computed === undefined) return
    this.#values.delete(key)
    this.#found -= computed.sources.found
    for (const { kind, id } of computed.sources.documents) {
      const ofKind = this.#byDocument.get(kind)
      const keys = ofKind?.get(id)
      keys?.delete(key)
      if (keys?.size === 0) ofKind?.delete(id)
    }
    for (const kind of computed.sources.kinds) this.#byKind.get(kind)?.delete(key)
  }
}
