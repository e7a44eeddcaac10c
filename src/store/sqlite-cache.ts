/**
 * What the reader keeps between turns: documents, and the answers to small queries. Nothing here is ever stale: before a
 * turn's first read the log says which streams have changed since the last one, whoever changed them, and what was kept
 * of those is dropped. It works because the sequence grows with every change; of a stream that has left the log, the
 * kind is told instead.
 */
import type { DocumentRow, FoundRows } from './engine.ts'

/** The stream that an event belongs to, or, with null, a kind of which streams have left the log. */
export type Changed = readonly [kind: string, id: string | null]

const MAX_DOCUMENTS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ROWS = 16
/** With more events than this since the last turn, starting anew costs less than reading them. */
const MAX_CHANGES = 256

export class ReadCache {
  #sequence = 0
  readonly #documents = new Map<string, DocumentRow>()
  /** By kind, then by query: an answer holds as long as nothing of its kind has changed. */
  readonly #answers = new Map<string, Map<string, FoundRows>>()

  /** Brings the cache up to `sequence`, the instance's last one in the snapshot that is now read from. */
  follow(sequence: number, changesSince: (sequence: number) => readonly Changed[]): void {
    if (sequence === this.#sequence) return
    if (sequence < this.#sequence || sequence - this.#sequence > MAX_CHANGES) {
      this.#documents.clear()
      this.#answers.clear()
    } else if (this.#documents.size > 0 || this.#answers.size > 0) {
      for (const [kind, id] of changesSince(this.#sequence)) {
        if (id === null) this.#dropKind(kind)
        else this.#documents.delete(keyOf(kind, id))
        this.#answers.delete(kind)
      }
    }
    this.#sequence = sequence
  }

  #dropKind(kind: string): void {
    for (const [key, row] of this.#documents) if (row.kind === kind) this.#documents.delete(key)
  }

  get sequence(): number {
    return this.#sequence
  }

  document(kind: string, id: string): DocumentRow | undefined {
    return this.#documents.get(keyOf(kind, id))
  }

  keepDocument(row: DocumentRow): void {
    if (row.state.length > MAX_STATE_CHARACTERS) return
    if (this.#documents.size >= MAX_DOCUMENTS) dropOldest(this.#documents)
    this.#documents.set(keyOf(row.kind, row.id), row)
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

const keyOf = (kind: string, id: string): string => `${kind}\0${id}`

const dropOldest = (map: Map<string, unknown>): void => {
  const oldest = map.keys().next().value
  if (oldest !== undefined) map.delete(oldest)
}
