/**
 * The cache of an engine's reader: documents, ids known to have none, holders of claims, answers to small queries, and
 * values computed from documents. It is never stale, because the reader brings it up to date first: the log lists the
 * streams that any process has changed since, and their entries are dropped. Every change raises the sequence; a removed
 * stream is listed by its kind.
 */
import { ComputedValues, type Sources } from './computed-values.ts'
import type { Changed, Commit, DocumentRow, FoundRows, Outcome } from './engine.ts'
import { RecentDocuments } from './recent-documents.ts'
import { changedRows, Written } from './written.ts'

/** The stream that holds a claim. */
export interface Holder {
  readonly kind: string
  readonly id: string
}

const MAX_CLAIMS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ID_CHARACTERS = 200
const MAX_ROWS = 16
/** A query with thousands of values is not worth its memory. */
const MAX_QUERY_CHARACTERS = 4_096
/** With more new events than this, emptying the cache costs less than reading them. */
export const MAX_CHANGES = 256
/** Beyond this, documents that were dropped are forgotten, and read again when they are needed. */
const MAX_DROPPED = 1_000

export class ReadCache {
  #sequence = 0
  /** That there is no such document is valid as long as the stream has no event. */
  readonly #documents = new RecentDocuments()
  /** By kind, then by query key: an answer is valid as long as no document of the kind has changed. */
  readonly #answers = new Map<string, Map<string, FoundRows>>()
  /** A claim is given up only by an event of its holder, or with the holder's stream. */
  readonly #holders = new Map<string, Holder>()
  /** The keys in `#holders` by kind and by id of the holder. */
  readonly #claims = new Map<string, Map<string, string[]>>()
  readonly #computed = new ComputedValues()
  /** What this process has written and the cache has not followed yet. */
  readonly #written = new Written()
  /**
   * The documents that were dropped last, by kind and id, with the sequence of the last event of their stream: the process
   * may have written it, and be told later.
   */
  #dropped = new Map<string, Map<string, number>>()
  /** Another object whenever something in the cache may have been dropped. */
  #moment = {}

  /** Brings the cache up to `sequence`, the instance's last one in the current snapshot. */
  follow(sequence: number, changesSince: (sequence: number) => readonly Changed[]): void {
    if (sequence === this.#sequence) return
    this.#moment = {}
    if (sequence < this.#sequence || sequence - this.#sequence > MAX_CHANGES) this.#clear()
    else if (!this.#isEmpty) {
      if (this.#dropped.values().reduce((sum, ids) => sum + ids.size, 0) > MAX_DROPPED) this.#dropped = new Map()
      const isOwn = this.#written.events === sequence - this.#sequence
      const changes = isOwn ? this.#written.changes : changesSince(this.#sequence)
      for (const change of changes) this.#drop(change)
      for (const [kind, id] of changes) if (id === null) this.#dropped.delete(kind)
      for (const row of this.#written.rows) this.#keepWritten(row)
      this.#written.clear()
    }
    this.#sequence = sequence
  }

  /** To be called when a batch of this process is committed. */
  noteWritten(batch: readonly Commit[], outcomes: readonly Outcome[]): void {
    for (const [index, commit] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome?.type !== 'committed') continue
      if (outcome.sequence <= this.#sequence) {
        // A read has found it in the log before this process was told.
        for (const row of changedRows(commit, outcome.sequence)) this.#keepWritten(row)
      } else if (outcome.sequence - this.#sequence <= MAX_CHANGES) {
        this.#written.add(commit, outcome.sequence)
      } else {
        // The cache will be emptied at the next read.
        this.#written.clear()
        return
      }
    }
  }

  /** Keeps a document that was in use, if nothing has changed it since. Others that are written may never be read. */
  #keepWritten(row: DocumentRow): void {
    if (this.#dropped.get(row.kind)?.get(row.id) === row.sequence) this.keepDocument(row.kind, row.id, row)
  }

  /** Forgets everything: what it kept may be of another history. */
  reset(): void {
    this.#clear()
    this.#sequence = 0
  }

  get #isEmpty(): boolean {
    const others = this.#answers.size + this.#holders.size + this.#computed.size + this.#written.events
    return others + this.#dropped.size === 0 && this.#documents.isEmpty
  }

  #clear(): void {
    this.#moment = {}
    this.#computed.clear()
    this.#written.clear()
    this.#dropped = new Map()
    this.#documents.clear()
    this.#answers.clear()
    this.#holders.clear()
    this.#claims.clear()
  }

  #drop([kind, id, sequence]: Changed): void {
    this.#answers.delete(kind)
    if (id === null) {
      this.#dropKind(kind)
      return
    }
    const dropped = this.#dropped.get(kind)
    if (this.#documents.has(kind, id) || dropped?.has(id) === true) {
      const last = Math.max(sequence, dropped?.get(id) ?? 0)
      if (dropped === undefined) this.#dropped.set(kind, new Map([[id, last]]))
      else dropped.set(id, last)
    }
    this.#dropStream(kind, id)
  }

  #dropKind(kind: string): void {
    this.#computed.kindChanged(kind)
    this.#documents.dropKind(kind)
    for (const keys of this.#claims.get(kind)?.values() ?? []) for (const key of keys) this.#holders.delete(key)
    this.#claims.delete(kind)
  }

  #dropStream(kind: string, id: string): void {
    this.#computed.streamChanged(kind, id)
    this.#documents.drop(kind, id)
    const claims = this.#claims.get(kind)
    for (const key of claims?.get(id) ?? []) this.#holders.delete(key)
    claims?.delete(id)
  }

  get sequence(): number {
    return this.#sequence
  }

  /** Changes when anything in the cache may have been dropped. */
  get moment(): object {
    return this.#moment
  }

  computed(key: string): unknown {
    return this.#computed.get(key)
  }

  /** Keeps a value, unless something that was read for it since `moment` may have changed. */
  keepComputed(key: string, value: unknown, sources: Sources, moment: object): void {
    if (moment === this.#moment) this.#computed.keep(key, value, sources)
  }

  /** The cached document; null when there is known to be none, undefined when the cache has no entry. */
  document(kind: string, id: string): DocumentRow | null | undefined {
    return this.#documents.get(kind, id)
  }

  /** Caches a document or, with null, that there is none. */
  keepDocument(kind: string, id: string, row: DocumentRow | null): void {
    if (row === null ? id.length > MAX_ID_CHARACTERS : row.state.length > MAX_STATE_CHARACTERS) return
    this.#documents.keep(kind, id, row)
  }

  answer(kind: string, query: string): FoundRows | undefined {
    return this.#answers.get(kind)?.get(query)
  }

  keepAnswer(kind: string, query: string, found: FoundRows): void {
    if (query.length > MAX_QUERY_CHARACTERS) return
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
