/** The reading side of PostgreSQL. Each call is one statement, so that all of its answer comes from one snapshot. */
import type { Instant } from '../../kernel/instant.ts'
import type { CompiledQuery, DocumentRow, FoundRows } from '../engine.ts'
import type { EventQuery, StoredEvent } from '../index.ts'
import { isStorableText } from '../text.ts'
import type { Pool } from './pool.ts'

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

/** Who holds a claim. */
export async function readHolder(pool: Pool, kind: string, value: string): Promise<string | undefined> {
  // Nobody can hold it, and PostgreSQL would fail.
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
 * Planning costs more than finding, so texts that come again are planned once per connection. Filters can be combined
 * without end: only the first ones get a name, or every connection would remember them all.
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
    // A page that is not full ends the list and needs no counting. The left join keeps total and sequence when the page
    // is empty; row_number keeps the order of the page.
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

/** Events of the log by their circumstances. */
export async function readEvents(pool: Pool, query: EventQuery): Promise<readonly StoredEvent[]> {
  const conditions = ['instance = 1']
  const values: (string | number | readonly string[])[] = []
  const add = (condition: string, value: string | number | readonly string[] | undefined): void => {
    if (value === undefined) return
    // No event has a text that cannot be stored, and PostgreSQL would fail.
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
