/** Documents by id, the hottest read, and whole streams: those asked for at the same time are read together. */
import type { DocumentRow } from '../engine.ts'
import type { StoredEvent } from '../index.ts'
import type { Pool } from './pool.ts'
import {
  type DocumentColumns,
  documentColumns,
  documentRow,
  type EventColumns,
  eventColumns,
  storedEvent,
} from './read.ts'
import { readTogether, type Wanted, wantedKey } from './read-together.ts'

/** Reads documents by id. */
export function documentReader(
  pool: Pool,
  lanes: number,
): (kind: string, id: string) => Promise<DocumentRow | undefined> {
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

/** Reads all events of a stream, in order. */
export function streamReader(pool: Pool, lanes: number): (kind: string, id: string) => Promise<readonly StoredEvent[]> {
  const read = readTogether<readonly StoredEvent[]>(lanes, (batch) =>
    pool.read(async ({ client }) => {
      // The order inside keeps the planner from turning the lookups around and reading the whole log for them.
      const text = `select s.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
        select ${eventColumns} from events e where e.instance = 1 and e.id = w.id and e.kind = w.kind
        order by e.revision) s order by s.sequence`
      // Two may want the same stream; its events must not come twice.
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
