/**
 * Reads documents, claims and small queries through a cache that is validated by the database (0046). One statement asks
 * for the instance's sequence, for the streams that changed since the last one, and for the documents that the cache
 * lacks, all from one snapshot. Such rounds run one after the other; all reads that arrive while one is running share the
 * next one. So no read gets a value that was not current at some moment after it, or its request, began.
 */

import { claimKey, type Holder, ReadCache } from '../cache/read-cache.ts'
import { isRecentEnough } from '../cache/read-scope.ts'
import type { ComputedCache, DocumentRow, Soon } from '../engine.ts'
import { follows, type Stamp } from '../history.ts'
import type { TraceContext } from '../observer.ts'
import { type CompiledQuery, queryKey } from '../query/index.ts'
import { type StreamName, streamKey } from '../streams.ts'
import { isStorableText } from '../text.ts'
import { type Connection, inTransaction } from './connection.ts'
import type { Pool } from './pool.ts'
import {
  type ClaimName,
  type FoundPage,
  findDocuments,
  findHolder,
  findValues,
  type KnownQuery,
  type MayBeBehind,
  readRound,
  type StampedRows,
} from './read.ts'
import { shareAnswers } from './share-answers.ts'
import type { CatchUp } from './versions/catch-up.ts'
import type { DocumentKinds } from './versions/document-kinds.ts'

const MOST_AT_ONCE = 200
/** How often a query is repeated while other versions write, before it keeps them from writing. */
const MOST_ATTEMPTS = 3

/** What a round has read for its waiting readers. */
interface Found {
  readonly documents: ReadonlyMap<string, DocumentRow>
  readonly holders: ReadonlyMap<string, Holder>
  /** Whether a claim may be missing until documents are folded again. */
  readonly areClaimsBehind: boolean
}

/** Reads that wait for the same statement. */
class Round {
  readonly since = performance.now()
  readonly documents = new Map<string, StreamName>()
  readonly claims = new Map<string, ClaimName>()
  /** Of the waiting callers. */
  readonly contexts = new Set<TraceContext>()
  readonly #settled = Promise.withResolvers<Found>()

  get size(): number {
    return this.documents.size + this.claims.size
  }

  get answer(): Promise<Found> {
    return this.#settled.promise
  }

  resolve(found: Found): void {
    this.#settled.resolve(found)
  }

  reject(error: unknown): void {
    this.#settled.reject(error)
  }
}

export interface CachedReadsOptions {
  /** One connection of its own, so that no slow query holds up the rounds. */
  readonly rounds: Pool
  readonly queries: Pool
  /** Whether reads wait for the database to confirm the cache. Only the test that shows why they must turns it off. */
  readonly validates?: boolean
  readonly kinds: DocumentKinds
  /** Folds documents again that another version has changed. */
  readonly catchUp: CatchUp
  /** Throws when the documents of this node are gone; returns undefined when nothing has to be asked. */
  confirm(history: string): Promise<void> | undefined
}

export class CachedReads {
  readonly #options: CachedReadsOptions
  readonly #cache = new ReadCache<FoundPage>()
  /** When the last finished round was sent. What the cache has was current at some moment after that. */
  #validAt = Number.NEGATIVE_INFINITY
  readonly #waiting: Round[] = []
  #isRunning = false
  readonly #share = shareAnswers<StampedRows>()

  constructor(options: CachedReadsOptions) {
    this.#options = options
  }

  get(kind: string, id: string): Soon<DocumentRow | undefined> {
    // No document has such an id, and PostgreSQL would fail the whole statement with all its other reads.
    if (!isStorableText(id)) return undefined
    const kept = this.#cache.document(kind, id)
    if (kept !== undefined && this.#isValid()) return kept ?? undefined
    return this.#getLater(kind, id, kept !== undefined)
  }

  find(query: KnownQuery): Soon<FoundPage> {
    const key = `${query.knownTotal !== undefined} ${queryKey(query)}`
    // An answer is dropped when a document of its own kind changes; changes of related kinds would go unnoticed.
    const isKept = !query.isRelated && this.#cache.answer(query.kind, key) !== undefined
    if (isKept && this.#isValid()) return this.#keptAnswer(query.kind, key) as FoundPage
    return this.#findLater(query, key, isKept)
  }

  async values(query: CompiledQuery, column: string, limit: number): Promise<readonly unknown[]> {
    const read = (connection: Connection) => findValues(connection, query, column, limit)
    return (await this.#readCurrent('values', query.documentKinds, read)).values
  }

  findClaimHolder(claimKind: string, value: string): Soon<string | undefined> {
    // No stream can hold such a value, and PostgreSQL would not accept it.
    if (!isStorableText(value)) return undefined
    const kept = this.#cache.holder(claimKind, value)
    if (kept !== undefined && this.#isValid()) return kept
    return this.#findHolderLater(claimKind, value, kept !== undefined)
  }

  readonly computed: ComputedCache = {
    get: (key) => {
      const kept = this.#cache.computed(key)
      return kept === undefined || this.#isValid() ? kept : this.#computedLater(key)
    },
    begin: () => {
      const { moment } = this.#cache
      return (key, value, sources) => this.#cache.keepComputed(key, value, sources, moment)
    },
  }

  /** How long the oldest read has waited, in milliseconds, when more wait than go into one statement; 0 otherwise. */
  delayMs(): number {
    const [oldest] = this.#waiting
    return oldest === undefined || this.#waiting.length === 1 ? 0 : performance.now() - oldest.since
  }

  #isValid(): boolean {
    return this.#options.validates === false || isRecentEnough(this.#validAt, this.#cache.stamp.sequence)
  }

  async #getLater(kind: string, id: string, isKept: boolean): Promise<DocumentRow | undefined> {
    if (isKept) {
      await this.#nextRound().answer
      const kept = this.#cache.document(kind, id)
      if (kept !== undefined) return kept ?? undefined
    }
    const round = this.#nextRound()
    const key = streamKey({ kind, id })
    round.documents.set(key, { kind, id })
    const row = (await round.answer).documents.get(key)
    return row !== undefined && row.revision < 0 ? this.#options.catchUp.get(kind, id) : row
  }

  async #computedLater(key: string): Promise<unknown> {
    await this.#nextRound().answer
    return this.#cache.computed(key)
  }

  async #findLater(query: KnownQuery, key: string, isKept: boolean): Promise<FoundPage> {
    if (isKept) {
      await this.#nextRound().answer
      const kept = this.#keptAnswer(query.kind, key)
      if (kept !== undefined) return kept
    }
    const found = await this.#share(key, () =>
      this.#readCurrent('find', query.documentKinds, (connection) => findDocuments(connection, query)),
    )
    if (!query.isRelated && !found.isBehind && this.#mayKeep(found)) this.#cache.keepAnswer(query.kind, key, found)
    return found
  }

  /** Repeats a read until nothing that it depends on has been changed by another version and not been folded since. */
  async #readCurrent<Answer extends Stamp & MayBeBehind>(
    operation: string,
    documentKinds: readonly string[],
    read: (connection: Connection) => Promise<Answer>,
  ): Promise<Answer> {
    const { queries, catchUp, confirm } = this.#options
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const answer = await queries.read(operation, read)
      await confirm(answer.history)
      if (!answer.isBehind) return answer
      await catchUp.all(documentKinds)
    }
    // Other versions write faster than this one folds: they have to wait for this answer.
    const answer = await queries.read(operation, (connection) =>
      inTransaction(connection, async () => {
        await connection.client.query('select from instances where id = 1 for update')
        await catchUp.allWithin(connection, documentKinds)
        return read(connection)
      }),
    )
    await confirm(answer.history)
    return answer
  }

  /** With the current sequence: nothing of the kind has changed up to it. The answer may have been read even later. */
  #keptAnswer(kind: string, key: string): FoundPage | undefined {
    const kept = this.#cache.answer(kind, key)
    const { history, sequence } = this.#cache.stamp
    return kept && { ...kept, sequence: Math.max(kept.sequence, sequence), history }
  }

  async #findHolderLater(claimKind: string, value: string, isKept: boolean): Promise<string | undefined> {
    if (isKept) {
      await this.#nextRound().answer
      const kept = this.#cache.holder(claimKind, value)
      if (kept !== undefined) return kept
    }
    const round = this.#nextRound()
    const key = claimKey(claimKind, value)
    round.claims.set(key, { kind: claimKind, value })
    const { holders, areClaimsBehind } = await round.answer
    return areClaimsBehind ? await this.#findHolderBehind(claimKind, value) : holders.get(key)?.id
  }

  /** While another version writes: its documents are folded first, because only then they hold what this version claims. */
  async #findHolderBehind(claimKind: string, value: string): Promise<string | undefined> {
    const { claiming } = this.#options.kinds
    const read = (connection: Connection) => findHolder(connection, claimKind, value, claiming)
    return (await this.#readCurrent('claim', claiming, read)).holder?.id
  }

  /**
   * Whether a value that was read by itself may be cached: when it is not behind the cache. What changed in between is dropped
   * when the cache gets there, at worst without need.
   */
  #mayKeep(read: Stamp): boolean {
    return follows(read, this.#cache.stamp)
  }

  /** The round that no statement has been sent for yet. */
  #nextRound(): Round {
    const last = this.#waiting.at(-1)
    const round = last !== undefined && last.size < MOST_AT_ONCE ? last : this.#newRound()
    round.contexts.add(this.#options.rounds.context)
    return round
  }

  #newRound(): Round {
    const round = new Round()
    this.#waiting.push(round)
    // In a microtask, so that reads of the same moment share a statement.
    if (!this.#isRunning) {
      this.#isRunning = true
      queueMicrotask(() => void this.#run())
    }
    return round
  }

  async #run(): Promise<void> {
    for (let round = this.#waiting.shift(); round !== undefined; round = this.#waiting.shift()) {
      try {
        round.resolve(await this.#runRound(round))
      } catch (error) {
        round.reject(error)
      }
    }
    this.#isRunning = false
  }

  async #runRound(round: Round): Promise<Found> {
    const { rounds, kinds } = this.#options
    const documents = [...round.documents.values()]
    const wanted = {
      documents: documents.map(({ kind, id }) => ({ kind: kinds.of(kind), id })),
      claims: [...round.claims.values()],
      claiming: kinds.claiming,
    }
    const sentAt = performance.now()
    const answer = await readRound(rounds, this.#cache.stamp.sequence, wanted, [...round.contexts])
    const { history, sequence, changed, rows, holders, areClaimsBehind } = answer
    await this.#options.confirm(history)
    this.#cache.follow({ history, sequence }, () => changed)
    this.#validAt = sentAt
    const found = new Map(rows.map((row) => [streamKey(row), row]))
    for (const { kind, id } of documents) {
      const row = found.get(streamKey({ kind, id })) ?? null
      if (row === null || row.revision >= 0) this.#cache.keepDocument(kind, id, row)
    }
    if (!areClaimsBehind) for (const { kind, value, holder } of holders) this.#cache.keepHolder(kind, value, holder)
    return {
      documents: found,
      holders: new Map(holders.map(({ kind, value, holder }) => [claimKey(kind, value), holder])),
      areClaimsBehind,
    }
  }
}
