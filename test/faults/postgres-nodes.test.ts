/** Several processes on one PostgreSQL: a name has one winner, and what one was told, the others know. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { races, staleReads } from '../../faults/postgres/nodes.ts'
import { startNode } from '../../faults/postgres/other-node.ts'
import { sessionRace } from '../../faults/postgres/session-race.ts'
import { newId } from '../../src/kernel/id.ts'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../support/accounts.ts'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase } from '../support/postgres.ts'
import { testScenario } from '../support/test-scenario.ts'

/** A stack that is disposed after the test. */
function stackOf(t: TestContext): AsyncDisposableStack {
  const stack = new AsyncDisposableStack()
  afterwards(t, () => stack.disposeAsync())
  return stack
}

async function openDatabase(t: TestContext): Promise<string> {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  return database.url
}

suite('PostgreSQL: several nodes', { skip: !findPostgres() }, () => {
  test('what one node acknowledged, another reads at once, 10 000 times', async (t) => {
    const url = await openDatabase(t)
    const other = await startNode(stackOf(t), url)
    const store = await openStore(await openPostgres({ url }), [accounts])
    afterwards(t, () => store.close())
    let left = 10_000
    let stale = 0
    const writeAndRead = async (): Promise<void> => {
      while (left-- > 0) {
        const name = newId()
        const id = await openAccount(store, name)
        if ((await other.read(id)) !== name) stale += 1
      }
    }
    await Promise.all(Array.from({ length: 64 }, writeAndRead))
    assert.equal(stale, 0)
  })

  test('nodes that start at the same moment on an empty database all become ready', async (t) => {
    const url = await openDatabase(t)
    const engines = await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url, poolSize: 1 })))
    const stores = await Promise.all(engines.map((engine) => openStore(engine, [accounts])))
    for (const store of stores) afterwards(t, () => store.close())
    await Promise.all(stores.map((store, index) => openAccount(store, `of node ${index}`)))
    for (const store of stores) assert.equal((await store.find(accounts, { limit: 0 })).total, 4)
  })
})

await testScenario(staleReads)
await testScenario(races)
await testScenario(sessionRace)
