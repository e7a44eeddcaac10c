/** Connections are cut and servers restart under load: calls wait, are repeated where that is safe, and nothing is lost. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { halfOpen } from '../../faults/postgres/half-open.ts'
import { postgresRestart } from '../../faults/postgres/restart.ts'
import { newId } from '../../src/kernel/id.ts'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, countLost, keepWriting, newHistory, openAccount } from '../support/accounts.ts'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase, startPostgres } from '../support/postgres.ts'
import { testScenario } from '../support/test-scenario.ts'

suite('PostgreSQL: lost connections', { skip: !findPostgres() }, () => {
  test('when all connections are terminated, again and again, no write is lost and no read fails', async (t) => {
    const database = await freshDatabase()
    assert.ok(database)
    afterwards(t, database.drop)
    const store = await openStore(await openPostgres({ url: database.url }), [accounts])
    afterwards(t, () => store.close())
    const killer = new pg.Client({ connectionString: database.url })
    await killer.connect()
    afterwards(t, () => killer.end())

    const known = await openAccount(store, 'known')
    const history = newHistory()
    history.acknowledged.add('known')
    let isOver = false
    afterwards(t, () => {
      isOver = true
    })
    const done = { reads: 0 }
    const keepReading = async () => {
      while (!isOver) {
        assert.equal((await store.get(accounts, known))?.state.name, 'known')
        assert.equal(await store.findClaimHolder('account.name', 'known'), known)
        done.reads += 1
      }
    }
    const work = [
      ...Array.from({ length: 8 }, () => keepWriting(store, history, () => isOver)),
      ...Array.from({ length: 4 }, keepReading),
    ]
    for (let round = 0; round < 8; round++) {
      const [reads, writes] = [done.reads, history.acknowledged.size]
      while (done.reads < reads + 20 || history.acknowledged.size < writes + 20) await sleep(5)
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
    }
    isOver = true
    await Promise.all(work)
    assert.equal(history.unknown.size, 0, 'every write found out in time what became of it')
    assert.ok(history.acknowledged.size > 50)
    assert.equal(await countLost(store, history), 0)
  })

  test('when there is no server, calls are refused as unavailable and work again when it is back', async (t) => {
    const server = await startPostgres()
    afterwards(t, () => server.remove())
    const store = await openStore(await openPostgres({ url: server.url(), patienceMs: 200 }), [accounts])
    afterwards(t, () => store.close())
    await openAccount(store, 'before')
    await server.stop()
    const refusal = { name: 'Refused', code: 'store.unavailable', kind: 'unavailable' }
    await assert.rejects(openAccount(store, 'during'), refusal)
    await assert.rejects(store.get(accounts, newId()), refusal)
    await assert.rejects(store.find(accounts, { limit: 1 }), refusal)
    await assert.rejects(store.findClaimHolder('account.name', 'before'), refusal)
    await assert.rejects(store.events({ limit: 1 }), refusal)
    await assert.rejects(store.ping(), refusal)
    await server.start()
    await openAccount(store, 'after')
    await store.ping()
    assert.notEqual(await store.findClaimHolder('account.name', 'before'), undefined)
  })

  test('when statements hang and the pool is exhausted, the others are refused in time and nobody waits without end', async (t) => {
    const database = await freshDatabase()
    assert.ok(database)
    afterwards(t, database.drop)
    const engine = await openPostgres({ url: database.url, poolSize: 2, patienceMs: 200, statementTimeoutMs: 400 })
    const store = await openStore(engine, [accounts])
    afterwards(t, () => store.close())
    const id = await openAccount(store, 'one')
    const blocker = new pg.Client({ connectionString: database.url })
    await blocker.connect()
    afterwards(t, () => blocker.end())
    await blocker.query('begin; lock table documents, claims in access exclusive mode')
    const calls = Array.from({ length: 300 }, (_, index) =>
      index % 2 === 0 ? store.find(accounts, { limit: 1 }) : store.findClaimHolder('account.name', 'one'),
    )
    const answers = await Promise.allSettled([...calls, store.get(accounts, id), openAccount(store, 'two')])
    for (const answer of answers) {
      assert.equal(answer.status, 'rejected')
      assert.equal(answer.status === 'rejected' && answer.reason.code, 'store.unavailable')
    }
    await blocker.query('rollback')
    assert.equal((await store.find(accounts, { limit: 1 })).total, 1)
    await openAccount(store, 'two')
  })
})

await testScenario(postgresRestart)
await testScenario(halfOpen)
