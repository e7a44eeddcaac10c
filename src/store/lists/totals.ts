/**
 * Remembers the totals of long lists (0050). Counting a million documents takes a tenth of a second or more, but few of
 * them have changed since they were last counted. The log says which. Each of these is folded as it was then and as it is
 * now, and the database compares both versions with the condition of the query.
 */
import type { DocumentRow, Engine, FoundRows, Soon } from '../engine.ts'
import { type RebuildFold, rebuildFold } from '../fold.ts'
import { follows, type Stamp } from '../history.ts'
import type { AnyKind } from '../kind.ts'
import { type CompiledQuery, conditionKey, FEW_MATCHES, MAX_KEY_CHARACTERS } from '../query/index.ts'
import type { StoredEvent } from '../types.ts'

/** What was found, with a total in any case. */
export type Counted = FoundRows & { readonly total: number }

/** What of an engine is needed to count. */
export type CountingEngine = Pick<Engine, 'find' | 'changedStreams' | 'countAmong'>

interface Known extends Stamp {
  readonly total: number
}

const MAX_KNOWN = 1_000

export class Totals {
  readonly #engine: CountingEngine
  /** Totals up to this one are counted each time. */
  readonly #few: number
  /** By condition, the least recently used first. */
  readonly #known = new Map<string, Known>()

  constructor(engine: CountingEngine, few = FEW_MATCHES) {
    this.#engine = engine
    this.#few = few
  }

  /** Finds what `query`, a query on `kind`, asks for. One that depends on documents of other kinds is counted each time. */
  find(kind: AnyKind, query: CompiledQuery): Soon<Counted> {
    const condition = conditionKey(query)
    const key = query.isRelated || condition.length > MAX_KEY_CHARACTERS ? undefined : condition
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined) return this.#findWithKnown(kind, query, known)
    const found = this.#engine.find(query)
    return found instanceof Promise ? found.then((one) => this.#keep(key, one)) : this.#keep(key, found)
  }

  async #findWithKnown(kind: AnyKind, query: CompiledQuery, known: Known): Promise<Counted> {
    const found = await this.#engine.find({ ...query, knownTotal: known.total })
    const total = found.total ?? (await this.#totalAt(found, kind, query, known))
    return this.#keep(conditionKey(query), total === undefined ? await this.#engine.find(query) : { ...found, total })
  }

  #keep(key: string | undefined, found: FoundRows): Counted {
    const { total, history, sequence } = found
    if (total === undefined) throw new Error('The total was not counted.')
    if (key !== undefined) {
      this.#known.delete(key)
      if (total > this.#few) this.#known.set(key, { total, history, sequence })
      const [oldest] = this.#known.size > MAX_KNOWN ? this.#known.keys() : []
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    return { ...found, total }
  }

  /** The total at a moment after it was counted; undefined when the log cannot tell. */
  async #totalAt(now: Stamp, kind: AnyKind, query: CompiledQuery, then: Known): Promise<number | undefined> {
    if (!follows(now, then)) return undefined
    if (now.sequence === then.sequence) return then.total
    const changed = await this.#engine.changedStreams(kind, { since: then.sequence, until: now.sequence })
    if (changed === undefined || !follows(changed, now)) return undefined
    const streams = [...Map.groupBy(changed.events, ({ id }) => id).values()]
    const fold = rebuildFold(kind)
    const [before = 0, after = 0] = await Promise.all(
      [then, now].map(({ sequence }) => {
        const versions = streams.flatMap((events) => versionAt(fold, events, sequence) ?? [])
        return this.#engine.countAmong(query, versions)
      }),
    )
    return then.total - before + after
  }
}

/** The document of a stream as it was at a sequence; undefined when there was none yet. */
function versionAt(fold: RebuildFold, stream: readonly StoredEvent[], sequence: number): DocumentRow | undefined {
  const events = stream.filter((event) => event.sequence <= sequence)
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return undefined
  const { kind, id, owner, at: createdAt } = first
  const { revision, at: changedAt } = last
  const { state, gone } = fold(events)
  return { kind, id, owner, state, gone, revision, sequence: last.sequence, createdAt, changedAt }
}
