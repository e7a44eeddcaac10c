import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { migrations as ofPostgres } from './postgres/migrations.ts'
import { migrations as ofSqlite } from './sqlite/migrations.ts'

suite('the tables of the database', () => {
  test('are all named in docs/architecture.md, and no others', async () => {
    const steps = [...ofSqlite.map(String), ...ofPostgres.map(({ sql }) => sql)]
    const created = steps.flatMap((sql) => [...sql.matchAll(/create table (\w+) \(\s*(?:id|instance) integer/g)])
    const tables = new Set(['versions', ...created.map(([, name]) => name)])
    const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
    const named =
      text
        .split('| Table | Contains |')[1]
        ?.split('\n\n')[0]
        ?.matchAll(/^\| `(\w+)`/gm) ?? []
    assert.deepEqual([...named].map(([, name]) => name).sort(), [...tables].sort())
  })
})
