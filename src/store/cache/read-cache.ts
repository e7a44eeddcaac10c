/**
 * The cache of an engine's reader: documents, ids known to have none, holders of claims, answers to small queries, and
 * values computed from documents. It is never stale, because the reader brings it up to date first: the log lists the
 * streams that any process has changed since, and their entries are dropped. Every change raises the sequence; a removed
 * stream is listed by its kind.
 */

import type { Changed, DocumentRow, FoundRows } from '../engine.ts'
import { follows, type Stamp } from '../history.ts'
import { MAX_KEY_CHARACTERS } from '../query/index.ts'
import { ComputedValues, type Sources } from './computed-values.ts'

/** The stream that holds a claim. */
export interface Holder {
  readonly kind: string
  readonly id: string
}

// What is full is emptied: what is in use is soon read again. Removing the oldest one by one would be slow, because a `Map` has
// to pass over all that were removed before.
const MAX_DOCUMENTS = 10_000
const MAX_CLAIMS = 5_000
const MAX_ANSWERS = 1_000
const MAX_STATE_CHARACTERS = 4_096
const MAX_ID_CHARACTERS = 200
const MAX_ROWS = 16
/** With more new events than this, emptying the cache costs less than reading them. */
export const MAX_CHANGES = 256

export class ReadCache<Answer extends Pick<FoundRows, 'rows'> = FoundRows> {
  #stamp: Stamp = { history: '', sequence: 0 }
  /** By kind, then by id. That there is no such document (null) is valid as long as the stream has no event. */
  readonly #documents = new Map<string, Map<string, DocumentRow | null>>()
  #documentCount = 0
  /** By kind, then by query key: an answer is valid as long as no document of the kind has changed. */
  readonly #answers = new Map<string, Map<string, Answer>>()
  /** A claim is given up only by an event of its holder, or with the holder's stream. */
  readonly #holders = new Map<string, Holder>()
  /** The keys in `#holders` by kind and by id of the holder. */
  readonly #claims = new Map<string, Map<string, string[]>>()
  readonly #computed = new ComputedValues()
  /** Another object whenever something in the cache may have been dropped. */
  #moment = {}

  /** Brings the cache up to the current snapshot; `now` has the instance's last sequence. */
  follow(now: Stamp, changesSince: (sequence: number) => readonly Changed[]): void {
    const { history, sequence } = this.#stamp
    if (now.sequence === sequence && now.history === history) return
    this.#moment = {}
    if (!follows(now, this.#stamp) || now.sequence - sequence > MAX_CHANGES) this.#clear()
    else if (!this.#isEmpty) for (const change of changesSince(sequence)) this.#drop(change)
    this.#stamp = now
  }

  get #isEmpty(): boolean {
    return this.#answers.size + this.#holders.size + this.#computed.size + this.#documents.size === 0
  }

  #clear(): void {
    this.#moment = {}
    this.#computed.clear()
    this.#clearDocuments()
    this.#answers.clear()
    this.#clearHolders()
  }

  #clearDocuments(): void {
    this.#documents.clear()
    this.#documentCount = 0
  }

  #clearHolders(): void {
    this.#holders.clear()
    this.#claims.clear()
  }

  #drop([kind, id]: Changed): void {
    this.#answers.delete(kind)
    if (id === null) this.#dropKind(kind)
    else this.#dropStream(kind, id)
  }

  #dropKind(kind: string): void {
    this.#computed.kindChanged(kind)
    this.#documentCount -= this.#documents.get(kind)?.size ?? 0
    this.#documents.delete(kind)
    for (const keys of this.#claims.get(kind)?.values() ?? []) for (const key of keys) this.#holders.delete(key)
    this.#claims.delete(kind)
  }

  #dropStream(kind: string, id: string): void {
    this.#computed.streamChanged(kind, id)
    if (this.#documents.get(kind)?.delete(id) === true) this.#documentCount -= 1
    const claims = this.#claims.get(kind)
    for (const key of claims?.get(id) ?? []) this.#holders.delete(key)
    claims?.delete(id)
  }

  /** What it has is that of this moment. */
  get stamp(): Stamp {
    return this.#stamp
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
    return this.#documents.get(kind)?.get(id)
  }

  /** Caches a document or, with null, that there is none. */
  keepDocument(kind: string, id: string, row: DocumentRow | null): void {
    if (row === null ? id.length > MAX_ID_CHARACTERS : row.state.length > MAX_STATE_CHARACTERS) return
    if (this.#documentCount >= MAX_DOCUMENTS) this.#clearDocuments()
    const documents = this.#documents.get(kind) ?? new Map<string, DocumentRow | null>()
    this.#documents.set(kind, documents)
    const before = documents.size
    documents.set(id, row)
    this.#documentCount += documents.size - before
  }

  answer(kind: string, query: string): Answer | undefined {
    return this.#answers.get(kind)?.get(query)
  }

  keepAnswer(kind: string, query: string, found: Answer): void {
    if (query.length > MAX_KEY_CHARACTERS) return
    if (found.rows.length > MAX_ROWS || found.rows.some(({ state }) => state.length > MAX_STATE_CHARACTERS)) return
    const answers = this.#answers.get(kind) ?? new Map<string, Answer>()
    this.#answers.set(kind, answers)
    if (answers.size >= MAX_ANSWERS) answers.clear()
    answers.set(query, found)
  }

  /** The id of the stream that holds a claim; undefined when the cache has no entry. */
  holder(claimKind: string, value: string): string | undefined {
    return this.#holders.get(claimKey(claimKind, value))?.id
  }

  keepHolder(claimKind: string, value: string, holder: Holder): void {
    if (value.length > MAX_ID_CHARACTERS) return
    if (this.#holders.size >= MAX_CLAIMS) this.#clearHolders()
    const key = claimKey(claimKind, value)
    this.#holders.set(key, holder)
    const ofKind = this.#claims.get(holder.kind) ?? new Map<string, string[]>()
    this.#claims.set(holder.kind, ofKind)
    const keys = ofKind.get(holder.id) ?? []
    if (!keys.includes(key)) ofKind.set(holder.id, [...keys, key])
  }
}

/** The key of a claim, in the cache and in what is read for it. */
export function claimKey(claimKind: string, value: string): string {
  return `${claimKind}\0${value}`
}
