/** Reads from PostgreSQL. Each call is one statement, so that its whole answer comes from one snapshot. */
import type { Instant } from '../../kernel/instant.ts'
import type { DocumentRow, FoundRows } from '../engine.ts'
import type { CompiledQuery } from '../query/index.ts'
import { isStorableText } from '../text.ts'
import type { EventQuery, StoredEvent } from '../types.ts'
import type { Pool } from './pool.ts'
import { type ReadTogether, readTogether, type Wanted, wantedKey } from './read-together.ts'

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
    kind: row.kind,
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

/** Reads documents by id; the reads of the same moment share a statement. */
export function documentReader(pool: Pool, lanes: number): ReadTogether<DocumentRow> {
  const readOne = ({ kind, id }: Wanted): Promise<readonly DocumentColumns[]> =>
    pool.read(async ({ client }) => {
      const text = `select ${documentColumns} from documents where instance = 1 and kind = $1 and id = $2`
      return (await client.query<DocumentColumns>({ name: 'get_one', text, values: [kind, id] })).rows
    })

  const readMany = (batch: readonly Wanted[]): Promise<readonly DocumentColumns[]> =>
    pool.read(async ({ client }) => {
      const text = `select d.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
        select ${documentColumns} from documents d where d.instance = 1 and d.kind = w.kind and d.id = w.id limit 1) d`
      return (await client.query<DocumentColumns>({ name: 'get_many', text, values: namesOf(batch) })).rows
    })

  return readTogether(lanes, async (batch) => {
    const [only] = batch
    const rows = batch.length === 1 && only ? await readOne(only) : await readMany(batch)
    return new Map(rows.map((row) => [wantedKey(row), documentRow(row)]))
  })
}

/** Reads all events of a stream, in order; the reads of the same moment share a statement. */
export function streamReader(pool: Pool, lanes: number): (kind: string, id: string) => Promise<readonly StoredEvent[]> {
  const read = readTogether<readonly StoredEvent[]>(lanes, (batch) =>
    pool.read(async ({ client }) => {
      // The inner order keeps the planner from reversing the join, which would read the whole log.
      const text = `select s.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
        select ${eventColumns} from events e where e.instance = 1 and e.id = w.id and e.kind = w.kind
        order by e.revision) s order by s.sequence`
      // Two callers may want the same stream; its events must not be selected twice.
      const streams = [...new Map(batch.map((wanted) => [wantedKey(wanted), wanted])).values()]
      const { rows } = await client.query<EventColumns>({ name: 'streams', text, values: namesOf(streams) })
      return Map.groupBy(rows.map(storedEvent), wantedKey)
    }),
  )
  return async (kind, id) => (await read(kind, id)) ?? []
}

function namesOf(batch: readonly Wanted[]): readonly (readonly string[])[] {
  return [batch.map(({ kind }) => kind), batch.map(({ id }) => id)]
}

/** The id of the stream that holds a claim. */
export async function findClaimHolder(pool: Pool, kind: string, value: string): Promise<string | undefined> {
  // No stream can hold such a value, and PostgreSQL would not accept it.
  if (!isStorableText(value)) return undefined
  return await pool.read(async ({ client }) => {
    const { rows } = await client.query<{ id: string }>({
      name: 'holder',
      text: 'select id from claims where instance = 1 and kind = $1 and value = $2',
      values: [kind, value],
    })
    return rows[0]?.id
  })
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

/** A page, the total and the instance's sequence. */
export function findDocuments(pool: Pool, query: CompiledQuery): Promise<FoundRows> {
  return pool.read(async ({ client }) => {
    const { where, orderBy, parameters } = query
    const [limit, offset] = [`$${parameters.length + 1}::bigint`, `$${parameters.length + 2}::bigint`]
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
        (select sequence from instances where id = 1) as last_sequence, page.*
      from (select count(*) as rows from page) size left join page on true order by position`
    const { rows } = await client.query<
      { total: number; last_sequence: number; position: number | null } & DocumentColumns
    >({ ...nameOf(text), text, values: [...parameters, query.limit, query.offset] })
    return {
      rows: rows.filter(({ position }) => position !== null).map(documentRow),
      total: rows[0]?.total ?? 0,
      sequence: rows[0]?.last_sequence ?? 0,
    }
  })
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
  return await pool.read(async ({ client }) => (await client.query<EventColumns>(text, values)).rows.map(storedEvent))
}
