/**
 * The cache of an engine's reader: documents, ids known to have none, holders of claims, and answers to small queries. It
 * is never stale, because the reader brings it up to date first: the log lists the streams that any process has changed
 * since, and their entries are dropped. Every change raises the sequence; a removed stream is listed by its kind.
 */
import type { DocumentRow, FoundRows } from './engine.ts'

/** A changed stream or, with null as id, a kind of which streams were removed from the log. */
export type Changed = readonly [kind: string, id: string | null]

/** The stream that holds a claim. */
export interface Holder {
  readonly kind: string
  readonly id: string
}

const MAX_DOCUMENTS = 5_000
const MAX_CLAIMS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ID_CHARACTERS = 200
const MAX_ROWS = 16
/** With more new events than this, emptying the cache costs less than reading them. */
export const MAX_CHANGES = 256

export class ReadCache {
  #sequence = 0
  /** By kind, then by id; null: there is no such document. That is valid as long as the stream has no event. */
  readonly #documents = new Map<string, Map<string, DocumentRow | null>>()
  #size = 0
  /** By kind, then by query key: an answer is valid as long as no document of the kind has changed. */
  readonly #answers = new Map<string, Map<string, FoundRows>>()
  /** A claim is given up only by an event of its holder, or with the holder's stream. */
  readonly #holders = new Map<string, Holder>()
  /** The keys in `#holders` by kind and by id of the holder. */
  readonly #claims = new Map<string, Map<string, string[]>>()

  /** Brings the cache up to `sequence`, the instance's last one in the current snapshot. */
  follow(sequence: number, changesSince: (sequence: number) => readonly Changed[]): void {
    if (sequence === this.#sequence) return
    if (sequence < this.#sequence || sequence - this.#sequence > MAX_CHANGES) this.#clear()
    else if (this.#size > 0 || this.#answers.size > 0 || this.#holders.size > 0) {
      for (const [kind, id] of changesSince(this.#sequence)) {
        if (id === null) this.#dropKind(kind)
        else this.#dropStream(kind, id)
        this.#answers.delete(kind)
      }
    }
    this.#sequence = sequence
  }

  /** Forgets everything: what it kept may be of another history. */
  reset(): void {
    this.#clear()
    this.#sequence = 0
  }

  #clear(): void {
    this.#documents.clear()
    this.#size = 0
    this.#answers.clear()
    this.#holders.clear()
    this.#claims.clear()
  }

  #dropKind(kind: string): void {
    this.#size -= this.#documents.get(kind)?.size ?? 0
    this.#documents.delete(kind)
    for (const keys of this.#claims.get(kind)?.values() ?? []) for (const key of keys) this.#holders.delete(key)
    this.#claims.delete(kind)
  }

  #dropStream(kind: string, id: string): void {
    if (this.#documents.get(kind)?.delete(id) === true) this.#size--
    const claims = this.#claims.get(kind)
    for (const key of claims?.get(id) ?? []) this.#holders.delete(key)
    claims?.delete(id)
  }

  get sequence(): number {
    return this.#sequence
  }

  /** The cached document; null when there is known to be none, undefined when the cache has no entry. */
  document(kind: string, id: string): DocumentRow | null | undefined {
    return this.#documents.get(kind)?.get(id)
  }

  /** Caches a document or, with null, that there is none. */
  keepDocument(kind: string, id: string, row: DocumentRow | null): void {
    if (row === null ? id.length > MAX_ID_CHARACTERS : row.state.length > MAX_STATE_CHARACTERS) return
    let documents = this.#documents.get(kind)
    if (documents === undefined) {
      documents = new Map()
      this.#documents.set(kind, documents)
    }
    const size = documents.size
    // Drops the oldest of the same kind, so that many sessions do not push out the documents that every call reads.
    if (this.#size >= MAX_DOCUMENTS) dropOldest(documents)
    documents.set(id, row)
    this.#size += documents.size - size
  }

  answer(kind: string, query: string): FoundRows | undefined {
    return this.#answers.get(kind)?.get(query)
  }

  keepAnswer(kind: string, query: string, found: FoundRows): void {
    if (found.rows.length > MAX_ROWS || found.rows.some(({ state }) => state.length > MAX_STATE_CHARACTERS)) return
    let answers = this.#answers.get(kind)
    if (answers === undefined) {
      answers = new Map()
      this.#answers.set(kind, answers)
    }
    if (answers.size >= MAX_ANSWERS) dropOldest(answers)
    answers.set(query, found)
  }

  /** The id of the stream that holds a claim; undefined when the cache has no entry. */
  holder(claimKind: string, value: string): string | undefined {
    return this.#holders.get(claimKey(claimKind, value))?.id
  }

  keepHolder(claimKind: string, value: string, holder: Holder): void {
    if (value.length > MAX_ID_CHARACTERS) return
    if (this.#holders.size >= MAX_CLAIMS) this.#dropOldestHolder()
    const key = claimKey(claimKind, value)
    this.#holders.set(key, holder)
    const ofKind = this.#claims.get(holder.kind) ?? new Map<string, string[]>()
    this.#claims.set(holder.kind, ofKind)
    const keys = ofKind.get(holder.id) ?? []
    if (!keys.includes(key)) ofKind.set(holder.id, [...keys, key])
  }

  #dropOldestHolder(): void {
    const oldest = this.#holders.values().next().value
    if (oldest === undefined) return
    for (const key of this.#claims.get(oldest.kind)?.get(oldest.id) ?? []) this.#holders.delete(key)
    this.#claims.get(oldest.kind)?.delete(oldest.id)
  }
}

function claimKey(claimKind: string, value: string): string {
  return `${claimKind}\0${value}`
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next().value
  if (oldest !== undefined) map.delete(oldest)
}
