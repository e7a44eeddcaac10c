/** Documents by id, the hottest read: those asked for at the same time are read together. */
import type { DocumentRow } from './engine.ts'
import type { Pool } from './postgres-pool.ts'
import { type DocumentColumns, documentColumns, documentRow } from './postgres-reader.ts'
import { isStorableText } from './text.ts'

interface Wanted {
  readonly kind: string
  readonly id: string
  readonly resolve: (row: DocumentRow | undefined) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 200

/**
 * Reads documents by id. What is asked for while the lanes are busy goes together in one statement: under load that
 * costs a fraction of single reads, and without load nobody waits. Nobody gets what was read before they asked.
 */
export const documentReader = (
  pool: Pool,
  lanes: number,
): ((kind: string, id: string) => Promise<DocumentRow | undefined>) => {
  const wanted: Wanted[] = []
  let busy = 0

  const readOne = (kind: string, id: string): Promise<readonly DocumentColumns[]> =>
    pool.read(async ({ client }) => {
      const text = `select ${documentColumns} from documents where instance = 1 and kind = $1 and id = $2`
      return (await client.query<DocumentColumns>({ name: 'get_one', text, values: [kind, id] })).rows
    })

  const readMany = (batch: readonly Wanted[]): Promise<readonly DocumentColumns[]> =>
    pool.read(async ({ client }) => {
      const text = `select d.* from unnest($1::text[], $2::text[]) as w(kind, id) cross join lateral (
        select ${documentColumns} from documents d where d.instance = 1 and d.kind = w.kind and d.id = w.id limit 1) d`
      const values = [batch.map(({ kind }) => kind), batch.map(({ id }) => id)]
      return (await client.query<DocumentColumns>({ name: 'get_many', text, values })).rows
    })

  const run = async (): Promise<void> => {
    busy += 1
    while (wanted.length > 0) {
      const batch = wanted.splice(0, MOST_AT_ONCE)
      const [only] = batch
      try {
        const rows = batch.length === 1 && only ? await readOne(only.kind, only.id) : await readMany(batch)
        const found = new Map(rows.map((row) => [`${row.kind}\0${row.id}`, documentRow(row)]))
        for (const { kind, id, resolve } of batch) resolve(found.get(`${kind}\0${id}`))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    busy -= 1
  }

  return (kind, id) =>
    new Promise((resolve, reject) => {
      // Nothing has such an id, and PostgreSQL would fail, with all that is read in the same statement.
      if (!isStorableText(id)) {
        resolve(undefined)
        return
      }
      wanted.push({ kind, id, resolve, reject })
      // After the current turn, so that reads asked for side by side go side by side.
      if (wanted.length === 1 && busy < lanes) queueMicrotask(() => void (wanted.length > 0 && busy < lanes && run()))
    })
}
