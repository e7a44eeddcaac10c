/**
 * Remembers the totals of long lists (0050). Counting a million documents takes a tenth of a second or more, but few of
 * them have changed since they were last counted. The log says which. Each of these is folded as it was then and as it is
 * now, and the database compares both versions with the condition of the query.
 */
import type { DocumentRow, FoundRows, LogRange, Soon } from '../engine.ts'
import { type RebuildFold, rebuildFold } from '../fold.ts'
import { follows, type Stamp } from '../history.ts'
import type { AnyKind } from '../kind.ts'
import { type CompiledQuery, conditionKey, FEW_MATCHES, MAX_KEY_CHARACTERS } from '../query/index.ts'
import type { StoredEvent } from '../types.ts'
import type { Connection } from './connection.ts'
import { type EventColumns, eventColumns, storedEvent } from './log.ts'
import type { Pool } from './pool.ts'
import { type FoundPage, HISTORY, type KnownQuery, nameOf } from './read.ts'

/** What is needed to count. */
export interface Counting {
  find(query: KnownQuery): Soon<FoundPage>
  changedStreams(kind: AnyKind, range: LogRange): Promise<ChangedStreams | undefined>
  countAmong(query: CompiledQuery, versions: readonly DocumentRow[]): Promise<number>
}

/** All events of some streams, in order, and the moment when they were read. */
type ChangedStreams = Stamp & { readonly events: readonly StoredEvent[] }

/** Counts in the database. */
export function countingIn(pool: Pool, find: Counting['find']): Counting {
  return {
    find,
    changedStreams: (kind, range) =>
      pool.read('changed-streams', (connection) => findChangedStreams(connection, kind.name, range)),
    countAmong: (query, versions) => countAmong(pool, query, versions),
  }
}

interface Known extends Stamp {
  readonly total: number
}

const MAX_KNOWN = 1_000

export class Totals {
  readonly #counting: Counting
  /** Totals up to this one are counted each time. */
  readonly #few: number
  /** By condition. */
  readonly #known = new Map<string, Known>()

  constructor(counting: Counting, few = FEW_MATCHES) {
    this.#counting = counting
    this.#few = few
  }

  /**
   * Finds what `query`, a query on `kind`, asks for. One that depends on documents of other kinds is counted each time, and so
   * is one on a kind that this node does not fold.
   */
  find(kind: AnyKind | undefined, query: CompiledQuery): Soon<FoundRows> {
    const condition = conditionKey(query)
    const key = query.isRelated || condition.length > MAX_KEY_CHARACTERS ? undefined : condition
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined && kind !== undefined) return this.#findWithKnown(kind, query, known)
    const found = this.#counting.find(query)
    return found instanceof Promise ? found.then((one) => this.#keep(key, one)) : this.#keep(key, found)
  }

  async #findWithKnown(kind: AnyKind, query: CompiledQuery, known: Known): Promise<FoundRows> {
    const found = await this.#counting.find({ ...query, knownTotal: known.total })
    const total = found.total ?? (await this.#totalAt(found, kind, query, known))
    return this.#keep(conditionKey(query), total === undefined ? await this.#counting.find(query) : { ...found, total })
  }

  #keep(key: string | undefined, found: FoundPage): FoundRows {
    const { total, history, sequence } = found
    if (total === undefined) throw new Error('The total was not counted.')
    if (key !== undefined) {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      if (total > this.#few) this.#known.set(key, { total, history, sequence })
      else this.#known.delete(key)
    }
    return { ...found, total }
  }

  /** The total at a moment after it was counted; undefined when the log cannot tell. */
  async #totalAt(now: Stamp, kind: AnyKind, query: CompiledQuery, then: Known): Promise<number | undefined> {
    if (!follows(now, then)) return undefined
    if (now.sequence === then.sequence) return then.total
    const changed = await this.#counting.changedStreams(kind, { since: then.sequence, until: now.sequence })
    if (changed === undefined || !follows(changed, now)) return undefined
    const streams = [...Map.groupBy(changed.events, ({ id }) => id).values()]
    const fold = rebuildFold(kind)
    const [before = 0, after = 0] = await Promise.all(
      [then, now].map(({ sequence }) => {
        const versions = streams.flatMap((events) => versionAt(fold, events, sequence) ?? [])
        return this.#counting.countAmong(query, versions)
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
  const { kind, id, owner } = first
  const { revision } = last
  const { state, gone, createdAt, changedAt } = fold(events)
  return { kind, id, owner, state, gone, revision, sequence: last.sequence, createdAt, changedAt }
}

/** More events are not read in order to find out what has changed. */
const MAX_CHANGED_EVENTS = 2_000

/**
 * All events of the streams of a kind that have one in a range, from one snapshot. Undefined when there are too many, or
 * when streams of the kind were removed after the start of the range.
 */
async function findChangedStreams(
  { client }: Connection,
  kind: string,
  { since, until }: LogRange,
): Promise<ChangedStreams | undefined> {
  if (until - since > 10 * MAX_CHANGED_EVENTS) return undefined
  const text = `
      with changed as materialized (
        select distinct id from events where instance = 1 and sequence > $2 and sequence <= $3 and kind = $1
        limit ${MAX_CHANGED_EVENTS + 1}
      )
      select ${HISTORY} as history, (select sequence from instances where id = 1) as now, r.sequence as removed, e.*
        from (values (1)) as one
        left join removals r on r.instance = 1 and r.kind = $1
        left join lateral (
          select s.* from changed c cross join lateral (
            select ${eventColumns} from events where instance = 1 and id = c.id and kind = $1 order by revision
          ) s limit ${MAX_CHANGED_EVENTS + 1}
        ) e on true`
  const { rows } = await client.query<
    EventColumns & { readonly history: string; readonly now: number; readonly removed: number | null }
  >({ name: 'changed-streams', text, values: [kind, since, until] })
  const [first] = rows
  if (first === undefined || (first.removed ?? 0) > since || rows.length > MAX_CHANGED_EVENTS) return undefined
  const { history, now } = first
  return { history, sequence: now, events: rows.filter(({ id }) => id !== null).map(storedEvent) }
}

/** How many of these versions of documents meet the condition of a query, by the same SQL as for stored documents. */
async function countAmong(pool: Pool, query: CompiledQuery, versions: readonly DocumentRow[]): Promise<number> {
  if (versions.length === 0) return 0
  const { where, parameters } = query
  const documents = versions.map(({ id, owner, state, gone, revision, sequence, createdAt, changedAt }) => ({
    ...{ instance: 1, kind: query.documentKinds.at(-1), id, owner, state: JSON.parse(state), gone, revision, sequence },
    ...{ created_at: createdAt, changed_at: changedAt },
  }))
  const text = `
      with versions as materialized (
        select * from jsonb_to_recordset($${parameters.length + 1}::jsonb) as d(instance integer, kind text, id text,
          owner text, state jsonb, gone boolean, revision integer, sequence bigint, created_at bigint, changed_at bigint)
      )
      select count(*) as total from versions as documents where ${where}`
  const values = [...parameters, JSON.stringify(documents)]
  return pool.read('count-among', async ({ client }) => {
    const { rows } = await client.query<{ total: number }>({ ...nameOf(text), text, values })
    return rows[0]?.total ?? 0
  })
}
