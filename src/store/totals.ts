/**
 * Remembers the totals of long lists (0050). Counting a million documents takes a tenth of a second or more, but few of
 * them have changed since they were last counted. The log says which. Each of these is folded as it was then and as it is
 * now, and the database compares both versions with the condition of the query.
 */
import type { DocumentRow, Engine, FoundRows, Soon, Stamp } from './engine.ts'
import { type RebuildFold, rebuildFold } from './fold.ts'
import type { AnyKind } from './kind.ts'
import { type CompiledQuery, compileQuery, conditionKey, FEW_MATCHES } from './query/index.ts'
import type { Relation, Relations } from './related.ts'
import type { StoredEvent } from './types.ts'

/** What was found, with a total in any case. */
export type Counted = FoundRows & { readonly total: number }

/** What of an engine is needed to count. */
export type CountingEngine = Pick<Engine, 'find' | 'changedStreams' | 'countAmong' | 'values' | 'dialect'>

interface Known extends Stamp {
  readonly total: number
}

/** What a total is asked for. */
interface Asked {
  readonly kind: AnyKind
  readonly query: CompiledQuery
  readonly relations: readonly Relation[]
}

const MAX_KNOWN = 1_000
/** After more events in the log, the total is counted again. */
const MAX_CHANGES = 10_000
/** More changed documents of another kind are not compared one by one. */
const MAX_COMPARED = 20
/** A condition with thousands of values is not worth its memory. */
const MAX_KEY_CHARACTERS = 4_096

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

  /** Finds what `query`, a query on `kind`, asks for. With complex relations, it counts each time. */
  find(kind: AnyKind, query: CompiledQuery, relations: Relations = []): Soon<Counted> {
    const condition = relations === 'complex' ? undefined : conditionKey(query)
    const key = condition !== undefined && condition.length <= MAX_KEY_CHARACTERS ? condition : undefined
    const known = key === undefined ? undefined : this.#known.get(key)
    if (relations !== 'complex' && key !== undefined && known !== undefined) {
      return this.#findWithKnown({ kind, query, relations }, key, known)
    }
    const found = this.#engine.find(query)
    return found instanceof Promise ? found.then((one) => this.#keep(key, one)) : this.#keep(key, found)
  }

  async #findWithKnown(asked: Asked, key: string, known: Known): Promise<Counted> {
    const { query } = asked
    const found = await this.#engine.find({ ...query, knownTotal: known.total })
    if (found.total !== undefined) return this.#keep(key, found)
    const changed = await this.#changedBetween(known, found, asked)
    if (changed === undefined) return this.#keep(key, await this.#engine.find(query))
    const isSame = found.sequence === known.sequence
    const total = isSame ? known.total : await this.#totalOf(changed, asked, known)
    return this.#keep(key, total === undefined ? await this.#engine.find(query) : { ...found, total })
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

  /** What has changed between two moments; undefined when the log cannot tell. */
  async #changedBetween(then: Stamp, now: Stamp, { kind }: Asked): Promise<Changes | undefined> {
    if (now.history !== then.history || now.sequence < then.sequence) return undefined
    if (now.sequence === then.sequence) return { old: [], current: [] }
    const changed = await this.#engine.changedStreams(kind, { since: then.sequence, until: now.sequence })
    if (changed?.history !== now.history) return undefined
    const streams = streamsOf(changed.events)
    const fold = rebuildFold(kind)
    const versionsAt = (sequence: number) => streams.flatMap((events) => versionAt(fold, events, sequence) ?? [])
    return { old: versionsAt(then.sequence), current: versionsAt(now.sequence) }
  }

  /** The total after these changes; undefined when it has to be counted again. */
  async #totalOf(changed: Changes, { kind, query, relations }: Asked, known: Known): Promise<number | undefined> {
    const [before, after] = await Promise.all([
      this.#engine.countAmong(query, changed.old),
      this.#engine.countAmong(query, changed.current),
    ])
    // Last, because the counts above have read related documents as they were at that time.
    for (const relation of relations) if (await this.#mayMatter(relation, kind, known)) return undefined
    return known.total - before + after
  }

  /** Whether related documents may have changed since a moment so that other documents of the kind match. */
  async #mayMatter(relation: Relation, kind: AnyKind, known: Stamp): Promise<boolean> {
    const changed = await this.#changedMembers(relation, known)
    if (changed === undefined || changed.length === 0) return changed === undefined
    // They do not matter as long as no document refers to them: a project without applications, for instance.
    const { dialect } = this.#engine
    const refer = compileQuery(kind, { where: { field: relation.ownField, oneOf: changed }, limit: 0 }, dialect)
    if ((await this.#engine.values(refer, 'id', 1)).length > 0) return true
    const streams = await this.#versionsSince(kind, known)
    return streams === undefined || (await this.#engine.countAmong(refer, existing(streams.flat()))) > 0
  }

  /** The ids of related documents that did not always meet their condition, or not always fail it; undefined if unknown. */
  async #changedMembers({ kind, field, query }: Relation, known: Stamp): Promise<readonly string[] | undefined> {
    const streams = await this.#versionsSince(kind, known)
    if (streams === undefined) return undefined
    const countOf = (versions: Versions) => this.#engine.countAmong(query, existing(versions))
    if ((await countOf(streams.flat())) === 0) return []
    if (field !== 'id' || streams.length > MAX_COMPARED) return undefined
    const counts = await Promise.all(streams.map(countOf))
    const isSteady = (versions: Versions, index: number) => counts[index] === 0 || counts[index] === versions.length
    return streams
      .filter((versions, index) => !isSteady(versions, index))
      .map((versions) => existing(versions)[0]?.id ?? '')
  }

  /** The documents that have changed, each as it was then and after every event since; undefined when it is not known. */
  async #versionsSince(kind: AnyKind, { history, sequence: since }: Stamp): Promise<readonly Versions[] | undefined> {
    const until = since + MAX_CHANGES
    const changed = await this.#engine.changedStreams(kind, { since, until })
    if (changed?.history !== history || changed.sequence > until) return undefined
    const fold = rebuildFold(kind)
    return streamsOf(changed.events).map((events) => {
      const later = events.map(({ sequence }) => sequence).filter((sequence) => sequence > since)
      return [since, ...later].map((sequence) => versionAt(fold, events, sequence))
    })
  }
}

/** Documents that have changed, as they were then and as they are now. */
interface Changes {
  readonly old: readonly DocumentRow[]
  readonly current: readonly DocumentRow[]
}

/** A document at several moments; undefined when there was none yet. */
type Versions = readonly (DocumentRow | undefined)[]

function existing(versions: Versions): readonly DocumentRow[] {
  return versions.filter((version) => version !== undefined)
}

function streamsOf(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  return [...Map.groupBy(events, ({ id }) => id).values()]
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
