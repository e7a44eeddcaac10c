/**
 * A PostgreSQL that says of itself what Citus says: the functions and the table by which it is known. Everything is on one
 * server, so the statements run; what the tests look at is which of them are sent, and what is refused.
 */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { openDatabase, pack, relabel, remove } from '../../../test/support/box-nodes.ts'
import { countedBoxes } from '../../../test/support/box-versions.ts'
import { findPostgres } from '../../../test/support/postgres.ts'
import { boxes } from '../../../test/support/sample-kind.ts'
import { shapesOf, statementsDuring } from '../../../test/support/statements.ts'

async function openCluster(t: TestContext, { group = 0, synchronousCommit = 'on', answers = true } = {}) {
  const database = await openDatabase(t)
  await database.query(`create function citus_version() returns text language sql as $$ select 'Citus' $$`)
  await database.query(`create table pg_dist_local_group as select ${group} as groupid`)
  await database.query(`create function run_command_on_workers(command text)
    returns table (nodename text, nodeport integer, success boolean, result text) language sql as $$
    select 'w1', 5432, true, 'on' union all select 'w2', 5433, ${answers}, '${synchronousCommit}' $$`)
  return database
}

suite('PostgreSQL that distributes its tables', { skip: !findPostgres() }, () => {
  test('gets no statement that it cannot run, also while versions change', async (t) => {
    const database = await openCluster(t)
    const statements = await statementsDuring(async () => {
      const old = await database.open(boxes)
      await pack(old, boxes, 'first', 'a')
      const next = await database.open(countedBoxes)
      await relabel(old, boxes, 'first', 'b')
      assert.equal((await next.get(countedBoxes, 'first'))?.state.label, 'b')
      await pack(next, countedBoxes, 'second', 'c')
      await remove(next, countedBoxes, 'first', 'record')
    })
    assert.ok(statements.some((sql) => sql.startsWith('select mark_behind_1(commit_batch_1(')))
    const wrong = new Set(
      statements.flatMap((sql) => shapesOf(sql, { isDistributed: true }).map(({ name }) => `${name}: ${sql}`)),
    )
    assert.deepEqual([...wrong], [])
  })

  test('has functions without a mode of plans, and with all other settings', async (t) => {
    const settingsOf = async (open: (t: TestContext) => ReturnType<typeof openDatabase>): Promise<unknown> => {
      const database = await open(t)
      await database.open(boxes)
      const [row] = await database.query(
        `select proconfig::text as settings from pg_proc where proname = 'commit_batch_1'`,
      )
      return row?.settings
    }
    const plain = String(await settingsOf(openDatabase))
    assert.match(plain, /plan_cache_mode=force_generic_plan/)
    assert.equal(await settingsOf(openCluster), plain.replace('plan_cache_mode=force_generic_plan,', ''))
  })

  test('searches texts by the index on the server that has them', async (t) => {
    const search = async (open: (t: TestContext) => ReturnType<typeof openDatabase>) => {
      const store = await (await open(t)).open(boxes)
      await pack(store, boxes, 'first', 'a large box')
      const sent = await statementsDuring(async () => {
        const found = await store.find(boxes, { where: { field: 'label', contains: 'large' }, limit: 10 })
        assert.equal(found.total, 1)
      })
      return sent.filter((sql) => sql.startsWith('set local'))
    }
    const noScan = 'set local enable_seqscan = off'
    assert.deepEqual(await search(openDatabase), [noScan])
    assert.deepEqual(await search(openCluster), [`set local citus.propagate_set_commands = 'local'`, noScan])
  })

  for (const value of ['off', 'local', 'remote_write']) {
    test(`is refused when synchronous_commit is ${value} on a worker`, async (t) => {
      const database = await openCluster(t, { synchronousCommit: value })
      await assert.rejects(database.open(boxes), {
        name: 'DatabaseRefused',
        message: new RegExp(`synchronous_commit is ${value} on the worker w2:5433`),
      })
    })
  }

  test('is refused when a worker does not answer', async (t) => {
    const database = await openCluster(t, { answers: false, synchronousCommit: 'connection refused' })
    await assert.rejects(database.open(boxes), { message: /worker w2:5433 .* did not answer: connection refused/ })
  })

  test('changes its schema on the coordinator only: a node of a worker says so, and works once all is there', async (t) => {
    const database = await openCluster(t, { group: 2 })
    const refusal = { name: 'DatabaseRefused', message: /is a worker of a Citus cluster.*coordinator/ }
    await assert.rejects(database.open(boxes), refusal)
    assert.deepEqual(await database.query(`select 1 from pg_class where relname = 'versions'`), [])
    await database.query('update pg_dist_local_group set groupid = 0')
    await (await database.open(boxes)).close()
    await database.query('update pg_dist_local_group set groupid = 2')
    const store = await database.open(boxes)
    await pack(store, boxes, 'first', 'a')
    await assert.rejects(database.open(countedBoxes), refusal)
  })
})
