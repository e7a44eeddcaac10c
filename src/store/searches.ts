/**
 * Searches inside texts. When one was slow, the texts it looks at are kept in memory from then on (0053). The next ones ask
 * the database only for the documents whose texts match, and for those that have changed since the texts were read.
 */
import { Refused } from '../kernel/refusal.ts'
import type { Engine, FoundRows, Soon } from './engine.ts'
import type { AnyKind } from './kind.ts'
import { columnOf } from './query/columns.ts'
import { type CompiledQuery, compileQuery } from './query/index.ts'
import { conditionsInside, type InsideText } from './query/inside-texts.ts'
import type { Relations } from './related.ts'
import { type Candidates, type TextEngine, TextsInMemory } from './texts-in-memory.ts'
import type { Counted, Totals } from './totals.ts'
import type { Filter, Query } from './types.ts'

/** What of an engine is needed to search. */
export type SearchingEngine = TextEngine & Pick<Engine, 'find' | 'findAtOnce' | 'values'>

/** A search that takes less time is not worth the memory. */
const SLOW_MS = 40
/** With more documents whose texts match, a list is read in its order and counted. */
const MOST_CANDIDATES = 20_000
/** How often it looks for documents that changed in the meantime. */
const MAX_ATTEMPTS = 3

export interface SearchOptions {
  readonly slowMs: number
  /** So many documents are compared one by one. */
  readonly most: number
  readonly texts: TextsInMemory
}

export class Searches {
  readonly #engine: SearchingEngine
  readonly #totals: Pick<Totals, 'find' | 'hadMoreThan'>
  readonly #texts: TextsInMemory
  readonly #slowMs: number
  readonly #most: number

  constructor(
    engine: SearchingEngine,
    totals: Pick<Totals, 'find' | 'hadMoreThan'>,
    options: Partial<SearchOptions> = {},
  ) {
    this.#engine = engine
    this.#totals = totals
    this.#texts = options.texts ?? new TextsInMemory(engine)
    this.#slowMs = options.slowMs ?? SLOW_MS
    this.#most = options.most ?? MOST_CANDIDATES
  }

  /** Finds what `query` asks for; `compiled` is the same query. Others than searches inside texts are found by indexes. */
  find(kind: AnyKind, query: Query, compiled: CompiledQuery, relations: Relations = []): Soon<Counted> {
    const conditions = compiled.isTextSearch ? conditionsInside(query.where) : undefined
    if (conditions === undefined) return this.#totals.find(kind, compiled, relations)
    const read = () => {
      const isLittle = ({ total }: Counted) => total <= this.#most
      return this.#timed(this.#totals.find(kind, compiled, relations), kind, conditions, isLittle)
    }
    if (!this.#texts.has(kind, conditions) || this.#totals.hadMoreThan(this.#most, compiled)) return read()
    const atOnce = this.#engine.findAtOnce?.(compiled)
    if (atOnce?.total !== undefined) return { ...atOnce, total: atOnce.total }
    return this.#findInTexts(kind, query, conditions).then((found) => found ?? read())
  }

  /** The values of a field of the documents that meet a condition, in any order, at most `limit` of them. */
  async values(kind: AnyKind, where: Filter, field: string, limit: number): Promise<readonly unknown[]> {
    const { dialect } = this.#engine
    const column = columnOf(kind, field).sql
    const read = (filter: Filter) =>
      this.#engine.values(compileQuery(kind, { where: filter, limit: 0 }, dialect), column, limit)
    const conditions = conditionsInside(where)
    if (conditions === undefined) return read(where)
    const found =
      this.#texts.has(kind, conditions) &&
      (await this.#amongCandidates(kind, conditions, (ids) => read({ all: [{ field: 'id', oneOf: ids }, where] })))
    return found || this.#timed(read(where), kind, conditions, (values) => values.length < limit)
  }

  /** Has texts read into memory if this search was slow, and found so little that searching them would have helped. */
  #timed<Found>(
    finding: Soon<Found>,
    kind: AnyKind,
    conditions: readonly InsideText[],
    isLittle: (found: Found) => boolean,
  ): Soon<Found> {
    if (!(finding instanceof Promise)) return finding
    const startedAt = performance.now()
    return finding.then((found) => {
      const tookMs = performance.now() - startedAt
      // If this fails, the next search takes as long as this one.
      if (tookMs >= this.#slowMs && isLittle(found)) this.#texts.load(kind, conditions, tookMs).catch(() => {})
      return found
    })
  }

  async #findInTexts(kind: AnyKind, query: Query, conditions: readonly InsideText[]): Promise<Counted | undefined> {
    const { dialect } = this.#engine
    const found = await this.#amongCandidates(kind, conditions, (ids): Soon<FoundRows> => {
      const where = { all: [{ field: 'id', oneOf: ids }, query.where ?? { all: [] }] }
      return this.#engine.find(compileQuery(kind, { ...query, where }, dialect))
    })
    return found?.total === undefined ? undefined : { ...found, total: found.total }
  }

  /** What `read` finds among the documents that may match; undefined when they are too many, or change all the time. */
  async #amongCandidates<Found>(
    kind: AnyKind,
    conditions: readonly InsideText[],
    read: (ids: readonly string[]) => Soon<Found>,
  ): Promise<Found | undefined> {
    let candidates = await this.#texts.candidates(kind, conditions, this.#most)
    for (let attempt = 0; attempt < MAX_ATTEMPTS && candidates !== undefined; attempt++) {
      const found = await unlessTooComplex(read, [...candidates.ids])
      const later = await this.#withLater(kind, candidates)
      if (later === candidates) return found
      candidates = later
    }
    return undefined
  }

  /** The candidates, and what has changed since; the same ones when nothing has, undefined when it is not known. */
  async #withLater(kind: AnyKind, candidates: Candidates): Promise<Candidates | undefined> {
    const { history, sequence, ids } = candidates
    const changed = await this.#engine.changedIds(kind, sequence)
    if (changed?.history !== history) return undefined
    if (changed.ids.length === 0) return candidates
    return { history, sequence: changed.sequence, ids: new Set([...ids, ...changed.ids]) }
  }
}

/** With a condition on the id, a filter may be more complex than one is allowed to be. */
async function unlessTooComplex<Found>(
  read: (ids: readonly string[]) => Soon<Found>,
  ids: readonly string[],
): Promise<Found | undefined> {
  try {
    return await read(ids)
  } catch (error) {
    if (error instanceof Refused && error.code === 'store.filter_too_complex') return undefined
    throw error
  }
}
