/**
 * Remembers what slow searches inside texts have found (0050). What matches now has matched before, or has changed since;
 * the log says what has changed. So a search that is asked for again looks at these documents only, and the database
 * compares each of them with the whole condition.
 */
import type { Engine, FoundRows, Soon, Stamp } from './engine.ts'
import type { AnyKind } from './kind.ts'
import { type CompiledQuery, compileQuery, conditionKey, FEW_MATCHES } from './query/index.ts'
import type { Relation, Relations } from './related.ts'
import type { Counted, Totals } from './totals.ts'
import type { Query } from './types.ts'

/** What of an engine is needed to search again. */
export type SearchingEngine = Pick<Engine, 'find' | 'changedStreams' | 'values' | 'dialect'>

/** A search that was slow. */
interface Known extends Stamp {
  /** The documents that matched at that moment, and maybe others; undefined as long as only a page of them was read. */
  readonly ids: readonly string[] | undefined
}

interface Asked {
  readonly kind: AnyKind
  readonly query: Query
  readonly compiled: CompiledQuery
  readonly relations: readonly Relation[]
}

/** A search that takes less time is not worth remembering. */
const SLOW_MS = 40
const MAX_KNOWN = 50
const MAX_KEY_CHARACTERS = 4_096
/** After more events in the log, the search runs again. */
const MAX_CHANGES = 10_000
/** How often it looks for documents that changed in the meantime. */
const MAX_ATTEMPTS = 3

export class Searches {
  readonly #engine: SearchingEngine
  readonly #totals: Pick<Totals, 'find' | 'mayMatter'>
  readonly #slowMs: number
  /** A search with more matches is a list whose total is remembered. */
  readonly #few: number
  /** By condition, the least recently used first. */
  readonly #known = new Map<string, Known>()

  constructor(
    engine: SearchingEngine,
    totals: Pick<Totals, 'find' | 'mayMatter'>,
    slowMs = SLOW_MS,
    few = FEW_MATCHES,
  ) {
    this.#engine = engine
    this.#totals = totals
    this.#slowMs = slowMs
    this.#few = few
  }

  /** Finds what `query` asks for; `compiled` is the same query. Others than searches inside texts are found by indexes. */
  find(kind: AnyKind, query: Query, compiled: CompiledQuery, relations: Relations = []): Soon<Counted> {
    if (relations === 'complex' || !compiled.isTextSearch) return this.#totals.find(kind, compiled, relations)
    const key = conditionKey(compiled)
    const known = this.#known.get(key)
    if (known !== undefined) return this.#findKnown({ kind, query, compiled, relations }, key, known)
    const found = this.#totals.find(kind, compiled, relations)
    if (!(found instanceof Promise) || key.length > MAX_KEY_CHARACTERS) return found
    return this.#timed(found, key, query)
  }

  async #timed(finding: Promise<Counted>, key: string, query: Query): Promise<Counted> {
    const startedAt = performance.now()
    const found = await finding
    const { rows, total, history, sequence } = found
    if (performance.now() - startedAt >= this.#slowMs && total <= this.#few) {
      const isWhole = (query.offset ?? 0) === 0 && rows.length === total
      this.#keep(key, { ids: isWhole ? rows.map(({ id }) => id) : found.ids, history, sequence })
    }
    return found
  }

  #keep(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    const [oldest] = this.#known.size > MAX_KNOWN ? this.#known.keys() : []
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  async #findKnown(asked: Asked, key: string, known: Known): Promise<Counted> {
    const ids = known.ids ?? (await this.#allIds(asked))
    const found = ids && (await this.#findAmong(asked, { ...known, ids }))
    if (found !== undefined) {
      const { history, sequence } = found
      this.#keep(key, { ids: found.candidates, history, sequence })
      return found
    }
    this.#known.delete(key)
    const { kind, query, compiled, relations } = asked
    return this.#timed(Promise.resolve(this.#totals.find(kind, compiled, relations)), key, query)
  }

  /**
   * All matches, read now although what is known is older: of the documents that have not changed since then, the same ones
   * match.
   */
  async #allIds({ compiled }: Asked): Promise<readonly string[] | undefined> {
    const ids = await this.#engine.values(compiled, 'id', this.#few + 1)
    return ids.length > this.#few ? undefined : (ids as readonly string[])
  }

  /** What is found among the known documents and those that have changed since; undefined when the log cannot tell. */
  async #findAmong(
    { kind, query, relations }: Asked,
    { ids, ...known }: Stamp & { readonly ids: readonly string[] },
  ): Promise<(Counted & { readonly candidates: readonly string[] }) | undefined> {
    const candidates = new Set(ids)
    const { history } = known
    let since = known.sequence
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const changed = await this.#changedIds(kind, { history, sequence: since })
      if (changed === undefined) return undefined
      for (const id of changed.ids) candidates.add(id)
      if (candidates.size > 2 * this.#few) return undefined
      const found = await this.#engine.find(this.#among(kind, query, [...candidates]))
      const isComplete = await this.#isUnchanged(kind, changed.sequence, found)
      if (isComplete && found.total !== undefined) {
        // Last, because the documents above were compared with related ones as they were at that time.
        if (await this.#totals.mayMatter(kind, relations, known)) return undefined
        return { ...found, total: found.total, candidates: [...candidates] }
      }
      since = changed.sequence
    }
    return undefined
  }

  #among(kind: AnyKind, query: Query, candidates: readonly string[]): CompiledQuery {
    const where = { all: [{ field: 'id', oneOf: candidates }, query.where ?? { all: [] }] }
    return compileQuery(kind, { ...query, where }, this.#engine.dialect)
  }

  /** The documents that have changed since a moment, and until when; undefined when it is not known. */
  async #changedIds(kind: AnyKind, { history, sequence: since }: Stamp) {
    const until = since + MAX_CHANGES
    const changed = await this.#engine.changedStreams(kind, { since, until })
    if (changed?.history !== history || changed.sequence > until) return undefined
    return { ids: new Set(changed.events.map(({ id }) => id)), sequence: changed.sequence }
  }

  /** Whether no document of the kind has changed between a sequence and the moment of an answer. */
  async #isUnchanged(kind: AnyKind, since: number, { sequence: until, history }: FoundRows): Promise<boolean> {
    if (until === since) return true
    const changed = await this.#engine.changedStreams(kind, { since, until })
    return changed?.history === history && changed.events.length === 0
  }
}
