import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterwards } from '../../../test/support/afterwards.ts'
import { findPostgres, freshDatabase } from '../../../test/support/postgres.ts'
import { type Connection, connect } from './connection.ts'
import { LOCKS, prepareLocks, withFreeLock, withLock } from './locks.ts'

async function openNodes(t: TestContext) {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  const open = async () => {
    const connection = await connect({ targets: [database.url], connectTimeoutMs: 5_000, statementTimeoutMs: 0 })
    afterwards(t, () => connection.end())
    await prepareLocks(connection)
    return connection
  }
  const [one, other] = await Promise.all([open(), open()])
  return { one, other, url: database.url }
}

/** Work that the test ends. */
function openWork() {
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const work = async () => {
    begun.resolve()
    await ending.promise
  }
  return { begun: begun.promise, end: ending.resolve, work }
}

async function isFree(connection: Connection, lock: (typeof LOCKS)[keyof typeof LOCKS]): Promise<boolean> {
  let isRun = false
  await withFreeLock(connection, lock, async () => {
    isRun = true
  })
  return isRun
}

suite('PostgreSQL: locks of nodes', { skip: !findPostgres() }, () => {
  test('are held by one node at a time, and each excludes only its own work', async (t) => {
    const { one, other } = await openNodes(t)
    const { begun, end, work } = openWork()
    const held = withLock(one, LOCKS.schema, work)
    await begun
    assert.equal(await isFree(other, LOCKS.schema), false)
    assert.equal(await isFree(other, LOCKS.build), true)
    let isDone = false
    const next = withLock(other, LOCKS.schema, async () => isDone)
    end()
    await held.then(() => {
      isDone = true
    })
    assert.equal(await next, true)
    assert.equal(await isFree(one, LOCKS.schema), true)
  })

  test('end with work that fails, and with a node that is killed', async (t) => {
    const { one, other } = await openNodes(t)
    await assert.rejects(
      withLock(one, LOCKS.build, () => Promise.reject(new Error('no more space'))),
      /no more space/,
    )
    assert.equal(await isFree(other, LOCKS.build), true)
    const { begun, work } = openWork()
    void withLock(one, LOCKS.build, work)
    await begun
    await other.client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    while (!(await isFree(other, LOCKS.build))) await sleep(5)
  })

  test('that are lost end the connection of their work, which is not taken for done', async (t) => {
    const { one, other } = await openNodes(t)
    const held = withLock(one, LOCKS.schema, async () => {
      await other.client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      )
      while (!one.isBroken) await sleep(5)
    })
    await assert.rejects(held, { code: 'store.unavailable' })
    await assert.rejects(one.client.query('select 1'))
  })

  test('are kept while the work takes longer than the server lets transactions be idle', async (t) => {
    const { one, other, url } = await openNodes(t)
    const database = new URL(url).pathname.slice(1)
    await one.client.query(`alter database ${database} set idle_in_transaction_session_timeout = 100`)
    const idleFor = async () => {
      const { rows } = await one.client.query<{ ms: number }>(
        `select (extract(epoch from clock_timestamp() - state_change) * 1000)::integer as ms from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      )
      return rows[0]?.ms
    }
    await withLock(one, LOCKS.schema, async () => {
      for (let ms = await idleFor(); (ms ?? 0) < 400; ms = await idleFor()) {
        assert.notEqual(ms, undefined, 'the lock was lost')
        await sleep(10)
      }
      assert.equal(await isFree(other, LOCKS.schema), false)
    })
  })

  test('do not hold up an index that is built concurrently', async (t) => {
    const { one, other } = await openNodes(t)
    await withLock(one, LOCKS.schema, async () => {
      await other.client.query('create index concurrently while_locked on versions (name)')
    })
  })

  for (const [name, { key }] of Object.entries(LOCKS)) {
    test(`nodes of earlier releases and this one exclude each other: ${name}`, async (t) => {
      const { one, url } = await openNodes(t)
      const lock = LOCKS[name as keyof typeof LOCKS]
      // What those releases send. The lock is of their session.
      const older = new pg.Client({ connectionString: url })
      await older.connect()
      afterwards(t, () => older.end())
      const tryAsBefore = async () => (await older.query(`select pg_try_advisory_lock(${key}) as held`)).rows
      const { begun, end, work } = openWork()
      const held = withLock(one, lock, work)
      await begun
      assert.deepEqual(await tryAsBefore(), [{ held: false }])
      end()
      await held
      assert.deepEqual(await tryAsBefore(), [{ held: true }])
      assert.equal(await isFree(one, lock), false)
      await older.query(`select pg_advisory_unlock(${key})`)
      assert.equal(await isFree(one, lock), true)
    })
  }

  test('the keys of earlier releases never change', () => {
    assert.deepEqual(
      Object.values(LOCKS).map(({ row, key }) => `${row} ${key}`),
      ['lock.schema 1399416686, 25972', 'lock.build 1399416686, 25973', 'lock.removal 1399416686, 25974'],
    )
  })

  test('two nodes that start on an empty database at once both get their locks', async (t) => {
    for (let round = 0; round < 5; round++) await openNodes(t)
  })
})
