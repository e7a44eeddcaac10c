/**
 * Statistics of the fields of documents. The indexes of fields have conditions, and PostgreSQL uses no statistics of such
 * indexes: it took every condition on a field for equally selective, and sorted a million documents for a page.
 *
 * There are none of numbers: they would be computed for the documents of all kinds, and a text that is no number in one of
 * them would make every `analyze` fail.
 */
import { createHash } from 'node:crypto'
import { fieldColumn } from '../query/columns.ts'
import { type Connection, inTransaction } from './connection.ts'
import { changeSchema } from './distributed.ts'
import type { DocumentSet } from './versions/document-kinds.ts'

/** The statements that create the statistics of these kinds, by name. Fields of several kinds may share one. */
function wantedStatistics(sets: readonly DocumentSet[]): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>()
  for (const { kind } of sets) {
    for (const field of Object.values(kind.fields)) {
      const { sql, type } = fieldColumn(field)
      if (type !== 'text') continue
      const hash = createHash('sha256').update(sql).digest('hex').slice(0, 8)
      const name = `documents.${field.path.join('.').slice(0, 44)}.${hash}`
      wanted.set(name, `create statistics if not exists "${name}" on ${sql} from documents`)
    }
  }
  return wanted
}

/** Creates the statistics that are missing. Those that no field needs any more stay, and cost nearly nothing. */
export async function prepareStatistics(
  connection: Connection,
  sets: readonly DocumentSet[],
  isLarge: boolean,
): Promise<void> {
  const { client } = connection
  const { rows } = await client.query<{ name: string }>(
    `select stxname::text as name from pg_statistic_ext where stxrelid = 'documents'::regclass`,
  )
  const existing = new Set(rows.map(({ name }) => name))
  const missing = [...wantedStatistics(sets)].filter(([name]) => !existing.has(name))
  if (missing.length > 0) {
    await inTransaction(connection, async () => {
      for (const [, sql] of missing) await changeSchema(connection, sql)
    })
  }
  // Autovacuum looks at the table again only after many changes.
  if (missing.length > 0 && isLarge) await client.query('analyze documents')
}
