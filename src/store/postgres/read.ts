/** Reads from PostgreSQL. Each call is one statement, so that its whole answer comes from one snapshot. */
import type { Instant } from '../../kernel/instant.ts'
import type { DocumentRow, FoundRows } from '../engine.ts'
import type { TraceContext } from '../observer.ts'
import type { CompiledQuery } from '../query/index.ts'
import { type Holder, MAX_CHANGES } from '../read-cache.ts'
import { isStorableText } from '../text.ts'
import type { EventQuery, StoredEvent } from '../types.ts'
import type { Connection } from './connection.ts'
import { REBUILDS } from './migrations.ts'
import type { Pool } from './pool.ts'
import { readTogether, type Wanted, type WantedFor, wantedKey } from './read-together.ts'
import { kindOfDocuments } from './versions/document-kinds.ts'

/** Columns of `documents` in SQL; `documentRow` reads them. */
export const documentColumns = 'kind, id, owner, state, gone, revision, sequence, created_at, changed_at'

export interface DocumentColumns {
  readonly kind: string
  readonly id: string
  readonly owner: string
  readonly state: string
  readonly gone: boolean
  readonly revision: number
  readonly sequence: number
  readonly created_at: Instant
  readonly changed_at: Instant
}

export function documentRow(row: DocumentColumns): DocumentRow {
  return {
    kind: kindOfDocuments(row.kind),
    id: row.id,
    owner: row.owner,
    state: row.state,
    gone: row.gone,
    revision: row.revision,
    sequence: row.sequence,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

/** Columns of `events` in SQL; `storedEvent` reads them. */
export const eventColumns = 'sequence, kind, id, revision, type, data, actor, owner, at'

export type EventColumns = Omit<StoredEvent, 'data'> & { readonly data: string }

export function storedEvent(row: EventColumns): StoredEvent {
  return { ...row, data: JSON.parse(row.data) }
}

/** Which history a value was read from, and at which sequence of it. */
export interface Stamp {
  /** Differs after a failover, a restart or a rebuild. */
  readonly history: string
  readonly sequence: number
}

/**
 * When the server was started, and how often documents were rebuilt. Every acknowledged commit survives as long as the
 * server runs; after that, a standby may have been promoted that lacks some, and sequences may be given out again.
 */
const HISTORY = `(extract(epoch from pg_postmaster_start_time())::text || ' ' ||
  (select coalesce(sum(version), 0) from versions where instance = 1 and name = '${REBUILDS}')::text)`

const CHANGES = `select 0 as part, ${HISTORY} as kind, null as id, null as owner, null::jsonb as state, null::boolean as gone,
    null::integer as revision, sequence, null::bigint as created_at, null::bigint as changed_at
  from instances where id = 1
  union all (select 1, kind, id, null, null, null, null, null, null, null from events
    where instance = 1 and sequence > $1 order by sequence limit ${MAX_CHANGES})
  union all select 1, kind, null, null, null, null, null, null, null, null from removals
    where instance = 1 and sequence > $1`

const CHANGES_AND_DOCUMENTS = `${CHANGES}
  union all select 2, d.* from unnest($2::text[], $3::text[]) as w(kind, id) cross join lateral (
    select ${documentColumns} from documents d where d.instance = 1 and d.kind = w.kind and d.id = w.id limit 1) d`

export interface RoundAnswer extends Stamp {
  /** The streams that changed after the given sequence, and with null the kinds of which streams were removed. */
  readonly changed: readonly (readonly [kind: string, id: string | null])[]
  readonly rows: readonly DocumentRow[]
}

/** What changed since a sequence, and the wanted documents, from one snapshot, for the callers of these contexts. */
export function readRound(
  pool: Pool,
  since: number,
  wanted: readonly Wanted[],
  contexts: readonly TraceContext[],
): Promise<RoundAnswer> {
  const run = async ({ client }: Connection): Promise<RoundAnswer> => {
    const { rows } = await client.query<DocumentColumns & { part: number }>(
      wanted.length === 0
        ? { name: 'changes', text: CHANGES, values: [since] }
        : { name: 'round', text: CHANGES_AND_DOCUMENTS, values: [since, ...namesOf(wanted)] },
    )
    const [now] = rows
    if (now?.part !== 0) throw new Error('The database has no instance.')
    return {
      history: now.kind,
      sequence: now.sequence,
      changed: rows.filter(({ part }) => part === 1).map(({ kind, id }) => [kind, id] as const),
      rows: rows.filter(({ part }) => part === 2).map(documentRow),
    }
  }
  return pool.read('get', run, contexts)
}

/** Reads all events of a stream, in order; the reads of the same moment share a statement. */
export function streamReader(pool: Pool, lanes: number): (kind: string, id: string) => Promise<readonly StoredEvent[]> {
  const readStreams = (batch: readonly WantedFor[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>> => {
    // The inner order keeps the planner from reversing the join, which would read the whole log.
    const text = `select s.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
        select ${eventColumns} from events e where e.instance = 1 and e.id = w.id and e.kind = w.kind
        order by e.revision) s order by s.sequence`
    // Two callers may want the same stream; its events must not be selected twice.
    const streams = [...new Map(batch.map((wanted) => [wantedKey(wanted), wanted])).values()]
    return pool.read(
      'stream',
      async ({ client }) => {
        const { rows } = await client.query<EventColumns>({ name: 'streams', text, values: namesOf(streams) })
        return Map.groupBy(rows.map(storedEvent), wantedKey)
      },
      batch.map(({ context }) => context),
    )
  }
  const read = readTogether(lanes, readStreams, () => pool.context)
  return async (kind, id) => (await read(kind, id)) ?? []
}

function namesOf(batch: readonly Wanted[]): readonly (readonly string[])[] {
  return [batch.map(({ kind }) => kind), batch.map(({ id }) => id)]
}

/** Whether some of the documents that an answer depends on must be folded again first (0048). */
export interface MayBeBehind {
  readonly isBehind: boolean
}

/** The stream that holds a claim, if there is one. `claiming` are the names of the documents whose kinds claim values. */
export async function findHolder(
  { client }: Connection,
  claimKind: string,
  value: string,
  claiming: readonly string[],
): Promise<{ readonly holder: Holder | undefined } & Stamp & MayBeBehind> {
  const { rows } = await client.query<{ kind: string | null; id: string } & Stamp & MayBeBehind>({
    name: 'holder',
    text: `select h.holder_kind as kind, h.id, ${HISTORY} as history, i.sequence,
        exists (select from behind) and exists (
          select from behind where instance = 1 and document_kind = any($3::text[])) as "isBehind"
      from instances i left join claims h on h.instance = 1 and h.kind = $1 and h.value = $2 where i.id = 1`,
    values: [claimKind, value, claiming],
  })
  const [{ kind, id, ...stamp } = { kind: null, id: '', history: '', sequence: 0, isBehind: false }] = rows
  return { ...stamp, holder: kind === null ? undefined : { kind, id } }
}

const MOST_NAMED = 200
const names = new Map<string, string>()

/**
 * Names a statement, so that each connection plans it once: planning costs more than finding. Only the first statements
 * get a name, because filters have no end of combinations and every connection keeps all named ones.
 */
function nameOf(text: string): { name?: string } {
  const name = names.get(text) ?? (names.size < MOST_NAMED ? `find_${names.size}` : undefined)
  if (name === undefined) return {}
  names.set(text, name)
  return { name }
}

/** More matches than this are read in the order of an index instead of being sorted. */
const FEW_MATCHES = 5_000

/** Whether many documents match; asked where only the data tell. The page itself comes from one later snapshot. */
async function hasManyMatches({ client }: Connection, { where, parameters }: CompiledQuery): Promise<boolean> {
  const text = `select from documents where ${where} offset ${FEW_MATCHES} limit 1`
  return (await client.query({ ...nameOf(text), text, values: [...parameters] })).rows.length > 0
}

/** The answer to a query, and where it was read. */
export type StampedRows = FoundRows & Stamp & MayBeBehind

/** A page, the total, and where in which history they were read. */
export async function findDocuments(connection: Connection, query: CompiledQuery): Promise<StampedRows> {
  const { client } = connection
  const { where, parameters, documentKinds, orderByOfMany } = query
  const isMany = orderByOfMany !== undefined && (await hasManyMatches(connection, query))
  const orderBy = isMany ? orderByOfMany : query.orderBy
  const [limit, offset] = [`$${parameters.length + 1}::bigint`, `$${parameters.length + 2}::bigint`]
  const names = documentKinds.map((name) => `'${name}'`).join(', ')
  // A page that is not full is the last one and needs no count. The left join returns total and sequence even for an
  // empty page; row_number keeps the order of the page.
  const text = `
      with page as materialized (
        select row_number() over () as position, found.* from (
          select ${documentColumns} from documents where ${where} order by ${orderBy} limit ${limit} offset ${offset}
        ) found
      )
      select case when size.rows < ${limit} and (size.rows > 0 or ${offset} = 0) then ${offset} + size.rows
          else (select count(*) from documents where ${where}) end as total,
        (select sequence from instances where id = 1) as last_sequence, ${HISTORY} as history,
        exists (select from behind where instance = 1 and document_kind in (${names})) as is_behind, page.*
      from (select count(*) as rows from page) size left join page on true order by position`
  const { rows } = await client.query<
    {
      total: number
      last_sequence: number
      history: string
      is_behind: boolean
      position: number | null
    } & DocumentColumns
  >({ ...nameOf(text), text, values: [...parameters, query.limit, query.offset] })
  return {
    rows: rows.filter(({ position }) => position !== null).map(documentRow),
    total: rows[0]?.total ?? 0,
    sequence: rows[0]?.last_sequence ?? 0,
    history: rows[0]?.history ?? '',
    isBehind: rows[0]?.is_behind ?? false,
  }
}

/** Events of the log that match a query. */
export async function readEvents(pool: Pool, query: EventQuery): Promise<readonly StoredEvent[]> {
  const conditions = ['instance = 1']
  const values: (string | number | readonly string[])[] = []
  const add = (condition: string, value: string | number | readonly string[] | undefined): void => {
    if (value === undefined) return
    // No event contains a text that cannot be stored, and PostgreSQL would not accept it.
    if (typeof value === 'string' && !isStorableText(value)) {
      conditions.push('false')
      return
    }
    values.push(typeof value === 'object' ? value.filter(isStorableText) : value)
    conditions.push(condition.replace('?', `$${values.length}`))
  }
  add('kind = any(?::text[])', query.kinds)
  add('id = ?', query.id)
  add('type = any(?::text[])', query.types)
  add('actor = ?', query.actor)
  add('owner = ?', query.owner)
  add('at >= ?', query.since)
  add('at < ?', query.until)
  add(query.descending ? 'sequence < ?' : 'sequence > ?', query.from)
  const direction = query.descending ? 'desc' : 'asc'
  const text = `select ${eventColumns} from events where ${conditions.join(' and ')} order by sequence ${direction} limit ${query.limit}`
  return await pool.read('events', async ({ client }) =>
    (await client.query<EventColumns>(text, values)).rows.map(storedEvent),
  )
}
