/**
 * What the reader keeps between turns: documents, that there are none, and the answers to small queries. Nothing here is
 * ever stale: before a turn's first read the log says which streams have changed since the last one, whoever changed
 * them, and what was kept of those is dropped. It works because the sequence grows with every change; of a stream that has left the log, the
 * kind is told instead.
 */
import type { DocumentRow, FoundRows } from '../engine.ts'

/** The stream that an event belongs to, or, with null, a kind of which streams have left the log. */
export type Changed = readonly [kind: string, id: string | null]

const MAX_DOCUMENTS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ID_CHARACTERS = 200
const MAX_ROWS = 16
/** With more events than this since the last turn, starting anew costs less than reading them. */
const MAX_CHANGES = 256

export class ReadCache {
  #sequence = 0
  /** By kind, then by id; null: there is none. That holds as long as its stream has no event, too. */
  readonly #documents = new Map<string, Map<string, DocumentRow | null>>()
  #size = 0
  /** By kind, then by query: an answer holds as long as nothing of its kind has changed. */
  readonly #answers = new Map<string, Map<string, FoundRows>>()

  /** Brings the cache up to `sequence`, the instance's last one in the snapshot that is now read from. */
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

  /** What is kept of a document: null when it is known that there is none, undefined when nothing is known. */
  document(kind: string, id: string): DocumentRow | null | undefined {
    return this.#documents.get(kind)?.get(id)
  }

  /** Keeps a document, or with null that there is none. */
  keepDocument(kind: string, id: string, row: DocumentRow | null): void {
    if (row === null ? id.length > MAX_ID_CHARACTERS : row.state.length > MAX_STATE_CHARACTERS) return
    let documents = this.#documents.get(kind)
    if (documents === undefined) {
      documents = new Map()
      this.#documents.set(kind, documents)
    }
    // The oldest of the same kind: many sessions do not push out who calls.
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
