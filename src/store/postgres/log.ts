/** Reads the log in PostgreSQL: the events of streams, those that match a query, and the streams that changed in a range. */
import type { Engine, LogRange } from '../engine.ts'
import { isStorableText } from '../text.ts'
import type { EventQuery, StoredEvent } from '../types.ts'
import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'
import { HISTORY, namesOf } from './read.ts'
import { readTogether, type WantedFor, wantedKey } from './read-together.ts'

/** How many statements read whole streams at once. */
const STREAM_LANES = 2

/** Columns of `events` in SQL; `storedEvent` reads them. */
export const eventColumns = 'sequence, kind, id, revision, type, data, actor, owner, at'

export type EventColumns = Omit<StoredEvent, 'data'> & { readonly data: string }

export function storedEvent(row: EventColumns): StoredEvent {
  return { ...row, data: JSON.parse(row.data) }
}

/** Reads all events of a stream, in order; the reads of the same moment share a statement. */
function streamReader(pool: Pool, lanes: number): (kind: string, id: string) => Promise<readonly StoredEvent[]> {
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

/** Events of the log that match a query. */
async function readEvents(pool: Pool, query: EventQuery): Promise<readonly StoredEvent[]> {
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

/** The part of an engine that reads the log. */
export function logMethods(pool: Pool): Pick<Engine, 'changedStreams' | 'events' | 'stream'> {
  return {
    changedStreams: (kind, range) =>
      pool.read('changed-streams', (connection) => findChangedStreams(connection, kind.name, range)),
    events: (query) => readEvents(pool, query),
    stream: streamReader(pool, STREAM_LANES),
  }
}

/** More events are not read in order to find out what has changed. */
const MAX_CHANGED_EVENTS = 2_000
const MAX_RANGE = 20_000

/**
 * All events of the streams of a kind that have one in a range, from one snapshot. Undefined when there are too many, or
 * when streams of the kind were removed after the start of the range.
 */
async function findChangedStreams(
  { client }: Connection,
  kind: string,
  { since, until }: LogRange,
): Promise<{ readonly history: string; readonly events: readonly StoredEvent[] } | undefined> {
  if (until - since > MAX_RANGE) return undefined
  const text = `
      with changed as materialized (
        select distinct id from events where instance = 1 and sequence > $2 and sequence <= $3 and kind = $1
        limit ${MAX_CHANGED_EVENTS + 1}
      )
      select ${HISTORY} as history, r.sequence as removed, e.* from (values (1)) as one
        left join removals r on r.instance = 1 and r.kind = $1
        left join lateral (
          select s.* from changed c cross join lateral (
            select ${eventColumns} from events where instance = 1 and id = c.id and kind = $1 order by revision
          ) s limit ${MAX_CHANGED_EVENTS + 1}
        ) e on true`
  const { rows } = await client.query<
    EventColumns & { readonly history: string; readonly removed: number | null; readonly sequence: number | null }
  >({ name: 'changed-streams', text, values: [kind, since, until] })
  const [first] = rows
  if (first === undefined || (first.removed ?? 0) > since || rows.length > MAX_CHANGED_EVENTS) return undefined
  return { history: first.history, events: rows.filter(({ id }) => id !== null).map(storedEvent) }
}
