/**
 * The documents of a cache that were used last. There are two generations: what is used is in the young one, and when that
 * is full, it becomes the old one and what was in the old one is forgotten. Removing the oldest one by one would be slow,
 * because a `Map` has to pass over all that were removed before.
 */
import type { DocumentRow } from '../engine.ts'

/** By kind, then by id; null: there is no such document. */
type Generation = Map<string, Map<string, DocumentRow | null>>

/** Some megabytes: most documents are below a kilobyte. */
const MAX_YOUNG = 5_000

export class RecentDocuments {
  #young: Generation = new Map()
  #old: Generation = new Map()
  #youngSize = 0

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0
  }

  /** Undefined when it is not here. */
  get(kind: string, id: string): DocumentRow | null | undefined {
    const young = this.#young.get(kind)?.get(id)
    if (young !== undefined) return young
    const old = this.#old.get(kind)?.get(id)
    if (old !== undefined) this.keep(kind, id, old)
    return old
  }

  keep(kind: string, id: string, row: DocumentRow | null): void {
    if (this.#youngSize >= MAX_YOUNG) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngSize = 0
    }
    let documents = this.#young.get(kind)
    if (documents === undefined) {
      documents = new Map()
      this.#young.set(kind, documents)
    }
    const before = documents.size
    documents.set(id, row)
    this.#youngSize += documents.size - before
  }

  drop(kind: string, id: string): void {
    if (this.#young.get(kind)?.delete(id) === true) this.#youngSize -= 1
    this.#old.get(kind)?.delete(id)
  }

  dropKind(kind: string): void {
    this.#youngSize -= this.#young.get(kind)?.size ?? 0
    this.#young.delete(kind)
    this.#old.delete(kind)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngSize = 0
  }
}
