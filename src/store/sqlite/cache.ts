/**
 * The cache of the SQLite reader: documents, ids known to have none, and answers to small queries. It is never stale.
 * Before a turn's first read, the log lists the streams that any process has changed since the last one, and their
 * entries are dropped. This works because every change raises the sequence; a removed stream is listed by its kind.
 */
import type { DocumentRow, FoundRows } from '../engine.ts'

/** A changed stream or, with null as id, a kind of which streams were removed from the log. */
export type Changed = readonly [kind: string, id: string | null]

const MAX_DOCUMENTS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ID_CHARACTERS = 200
const MAX_ROWS = 16
/** With more new events than this, emptying the cache costs less than reading them. */
const MAX_CHANGES = 256

export class ReadCache {
  #sequence = 0
  /** By kind, then by id; null: there is no such document. That is valid as long as the stream has no event. */
  readonly #documents = new Map<string, Map<string, DocumentRow | null>>()
  #size = 0
  /** By kind, then by query key: an answer is valid as long as no document of the kind has changed. */
  readonly #answers = new Map<string, Map<string, FoundRows>>()

  /** Brings the cache up to `sequence`, the instance's last one in the current snapshot. */
  follow(sequence: number, changesSince: (sequence: number) => readonly Changed[]): void {
    if (sequence === this.#sequence) return
    if (sequence < this.#sequence || sequence - this.#sequence > MAX_CHANGES) {
      this.#documents.clear()
      this.#size = 0
      this.#answers.clear()
    } else if (this.#size > 0 || this.#answers.size > 0) {
      for (const [kind, id] of changesSince(this.#sequence)) {
        if (id === null) this.#dropKind(kind)
        else if (this.#documents.get(kind)?.delete(id) === true) this.#size--
        this.#answers.delete(kind)
      }
    }
    this.#sequence = sequence
  }

  #dropKind(kind: string): void {
    this.#size -= this.#documents.get(kind)?.size ?? 0
    this.#documents.delete(kind)
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
    // Drops the oldest of the same kind, so that many sessions do not push out the documents that every call reads.
    if (this.#size >= MAX_DOCUMENTS && dropOldest(documents)) this.#size--
    documents.set(id, row)
    this.#size++
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
}

function dropOldest(map: Map<string, unknown>): boolean {
  const oldest = map.keys().next().value
  return oldest !== undefined && map.delete(oldest)
}
