/** A server that is too old for its database says so, is not ready and ends with its own exit code. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase } from '../support/postgres.ts'
import { runServer } from './run-server.ts'

const patient = { timeout: 120_000 }

async function openDatabase(t: TestContext) {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  afterwards(t, () => client.end())
  const settings = { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }
  return { settings, query: async (sql: string) => (await client.query(sql)).rows }
}

suite('a server that is too old for its database', { skip: !findPostgres() }, () => {
  for (const workers of ['1', '2']) {
    test(`stops when its documents were removed (SIGNET_WORKERS=${workers})`, patient, async (t) => {
      const { settings, query } = await openDatabase(t)
      const server = await runServer('main', ['start'], { ...settings, SIGNET_WORKERS: workers })
      const url = await server.url
      const token = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
      const ask = () => fetch(`${url}/auth/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
      const before = await ask()
      await before.text()
      assert.equal(before.status, 200)
      // As a newer node would, ten minutes after the last sign of this one.
      await query(`begin; update versions set version = -1 where name like 'fold.%';
        insert into versions (instance, name, version) values (1, 'rebuilds', 1); commit`)
      const after = await ask()
      await after.text()
      assert.equal(after.status, 503)
      assert.equal(await server.ended, 3)
      assert.match(server.stderr(), /newer nodes have removed its version of the documents/)
    })
  }

  test('does not start, and the check of the upgrade says why', patient, async (t) => {
    const { settings, query } = await openDatabase(t)
    const running = await runServer('main', ['start'], settings)
    await running.url
    const check = await runServer('main', ['upgrade', '--check'], settings)
    assert.equal(await check.ended, 0, check.stderr())
    assert.match(check.stdout(), /^Fold: nothing to do\.\nNode \S+: Signet \S+, seen \d+ s ago, the same versions\.$/m)
    assert.match(check.stdout(), /^Running nodes continue during the upgrade\.$/m)
    running.child.kill('SIGTERM')
    assert.equal(await running.ended, 0)
    await query(`update versions set version = 1000 where name in ('schema', 'schema.oldest')`)
    const late = await runServer('main', ['upgrade', '--check', '--json'], settings)
    assert.equal(await late.ended, 1)
    const { nodes, problems } = JSON.parse(late.stdout()) as { nodes: unknown[]; problems: string[] }
    assert.deepEqual(nodes, [])
    assert.match(problems[0] ?? '', /needs a program that knows schema 1000/)
    const refused = await runServer('main', ['start'], settings)
    assert.equal(await refused.ended, 3)
    assert.match(refused.stderr(), /^signet: The database has schema version 1000, .* Use a newer version\.\n$/)
  })
})
