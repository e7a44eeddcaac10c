/** The answer to a commit is lost on its way: the store finds out what happened, and nothing is written twice. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openStore, type Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, checkSequences, ledgers, openAccount, removeAccounts } from '../support/accounts.ts'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type LossyProxy, startProxy } from '../support/tcp-proxy.ts'

async function openThroughProxy(t: TestContext): Promise<{ store: Store; proxy: LossyProxy; url: string }> {
  const database = await freshDatabase()
  assert.ok(database)
  const url = new URL(database.url)
  const proxy = await startProxy(Number(url.port))
  url.port = String(proxy.port)
  const store = await openStore(await openPostgres({ url: url.href }), [accounts, ledgers])
  afterwards(t, async () => {
    await store.close()
    await proxy.close()
    await database.drop()
  })
  return { store, proxy, url: database.url }
}

async function namesInLog(store: Store): Promise<unknown[]> {
  return (await store.events({ limit: 100 })).map(({ data }) => (data as { name: string }).name)
}

/**
 * Waits until commits wait for a standby. The server has read its configuration long before: it is the checkpointer that
 * tells the other processes, when it comes to it, and until then they do not wait, and what they wrote is rightly
 * acknowledged.
 */
async function commitsWait(t: TestContext, server: PostgresServer): Promise<void> {
  const probe = new pg.Client({ connectionString: server.url() })
  await probe.connect()
  afterwards(t, () => probe.end())
  const waits = `select pid from pg_stat_activity where application_name = 'probe' and wait_event = 'SyncRep'`
  await probe.query(`set application_name = 'probe'; set client_min_messages = 'error'`)
  for (;;) {
    let isOver = false
    const written = probe.query(`select pg_logical_emit_message(true, 'probe', '')`).finally(() => {
      isOver = true
    })
    while (!isOver && (await server.query(waits)).length === 0) await sleep(5)
    const isWaiting = !isOver
    while (!isOver) {
      await server.query(`select pg_cancel_backend(pid) from (${waits}) as waiting`)
      await sleep(5)
    }
    await written
    if (isWaiting) return
  }
}

suite('PostgreSQL: a lost reply', { skip: !findPostgres() }, () => {
  test('a commit whose reply was lost is recognised as written', async (t) => {
    const { store, proxy } = await openThroughProxy(t)
    await openAccount(store, 'first')
    const cut = proxy.cutOnce('commit_batch', 'reply')
    const [id] = await Promise.all([openAccount(store, 'second'), cut])
    assert.equal((await store.get(accounts, id))?.state.name, 'second')
    assert.deepEqual(await namesInLog(store), ['first', 'second'])
  })

  test('a commit that never arrived is sent again', async (t) => {
    const { store, proxy } = await openThroughProxy(t)
    await openAccount(store, 'first')
    const cut = proxy.cutOnce('commit_batch', 'request')
    await Promise.all([openAccount(store, 'second'), cut])
    assert.deepEqual(await namesInLog(store), ['first', 'second'])
  })

  for (const code of ['08006', '08000', '40003', 'XX000']) {
    test(`a commit that was done although the answer is the error ${code} is recognised as written`, async (t) => {
      const { store, proxy } = await openThroughProxy(t)
      await openAccount(store, 'first')
      const failed = proxy.failOnce('commit_batch', { code, isDone: true })
      const [id] = await Promise.all([openAccount(store, 'second'), failed])
      assert.equal((await store.get(accounts, id))?.state.name, 'second')
      assert.deepEqual(await namesInLog(store), ['first', 'second'])
    })
  }

  test('a commit that was not done is sent again after a lost connection, and refused after any other error', async (t) => {
    const { store, proxy } = await openThroughProxy(t)
    await openAccount(store, 'first')
    const lost = proxy.failOnce('commit_batch', { code: '08006', isDone: false })
    await Promise.all([openAccount(store, 'second'), lost])
    const failed = proxy.failOnce('commit_batch', { code: 'XX000', isDone: false })
    await Promise.all([assert.rejects(openAccount(store, 'third'), /refused a statement \(XX000\)/), failed])
    await openAccount(store, 'fourth')
    assert.deepEqual(await namesInLog(store), ['first', 'second', 'fourth'])
  })

  for (const lost of ['reply', 'request'] as const) {
    test(`accounts leave the log once, although the ${lost} was lost`, async (t) => {
      const { store, proxy } = await openThroughProxy(t)
      const [first = '', second = ''] = [await openAccount(store, 'first'), await openAccount(store, 'second')]
      const cut = proxy.cutOnce('commit_batch', lost)
      await Promise.all([removeAccounts(store, [first]), cut])
      assert.equal(await store.get(accounts, first), undefined)
      assert.ok(await store.get(accounts, second))
      assert.equal(await store.findClaimHolder('account.name', 'first'), undefined)
      assert.equal((await store.get(ledgers, 'accounts'))?.state.accounts, 1)
      const log = await checkSequences(store)
      assert.deepEqual(
        log.map(({ sequence, kind }) => [sequence, kind]),
        [
          [2, 'account'],
          [3, 'ledger'],
        ],
      )
    })
  }

  test('each commit of a lost batch gets its own answer', async (t) => {
    const { store, proxy } = await openThroughProxy(t)
    await openAccount(store, 'taken')
    const cut = proxy.cutOnce('commit_batch', 'reply')
    const answers = await Promise.allSettled(['a', 'taken', 'b'].map((name) => openAccount(store, name)))
    await cut
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await namesInLog(store), ['taken', 'a', 'b'])
  })

  test('a commit that still hangs in the server when it is given up is not written afterwards', async (t) => {
    const { store, proxy, url } = await openThroughProxy(t)
    await openAccount(store, 'first')
    const [blocker, watcher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    await Promise.all([blocker.connect(), watcher.connect()])
    afterwards(t, () => Promise.all([blocker.end(), watcher.end()]))
    await blocker.query('begin; select from instances for update')
    const cut = proxy.cutOnce('commit_batch', 'waiting')
    const written = openAccount(store, 'second')
    await cut
    // The given-up statement and its successor both wait for the row now.
    for (;;) {
      const { rows } = await watcher.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows.length === 2) break
      await sleep(10)
    }
    await blocker.query('rollback')
    await written
    assert.deepEqual(await namesInLog(store), ['first', 'second'])
  })

  test('a commit is not acknowledged when the wait for the synchronous standby was cancelled', async (t) => {
    const server = await startPostgres()
    afterwards(t, () => server.remove())
    const engine = await openPostgres({ url: server.url(), patienceMs: 300, statementTimeoutMs: 2_000 })
    const store = await openStore(engine, [accounts])
    afterwards(t, () => store.close())
    await openAccount(store, 'first')
    await server.configure(`synchronous_standby_names = 'nobody'`)
    await commitsWait(t, server)
    const answer = assert.rejects(openAccount(store, 'second'), { code: 'store.unavailable' })
    let isAnswered = false
    void answer.finally(() => {
      isAnswered = true
    })
    while (!isAnswered) {
      await server.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await sleep(20)
    }
    await answer
    await server.configure(`synchronous_standby_names = ''`)
    await openAccount(store, 'third')
    assert.deepEqual(await namesInLog(store), ['first', 'second', 'third'], 'it is there, but nobody was promised it')
  })
})
