/** Several processes on one PostgreSQL: a name has one winner, and what one was told, the others know. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { newId } from '../../src/kernel/id.ts'
import { instant } from '../../src/kernel/instant.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../support/accounts.ts'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase } from '../support/postgres.ts'
import type { NodeReply } from './postgres-node.ts'

interface OtherNode {
  open(name: string): Promise<string>
  read(id: string): Promise<string>
  look(id: string, name: string): Promise<string>
  kill(signal: NodeJS.Signals): boolean
}

async function startNode(t: TestContext, url: string, ...options: readonly string[]): Promise<OtherNode> {
  const child = fork(fileURLToPath(new URL('postgres-node.ts', import.meta.url)), [url, ...options])
  const waiting = new Map<number, (answer: string) => void>()
  let last = 0
  child.on('message', ({ number, answer }: NodeReply) => {
    waiting.get(number)?.(answer)
    waiting.delete(number)
  })
  afterwards(t, async () => {
    child.disconnect()
    await new Promise((resolve) => child.once('exit', resolve))
  })
  await new Promise<string>((resolve) => waiting.set(0, resolve))
  const ask = (request: object): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      child.send({ ...request, number: last })
    })
  return {
    open: (name) => ask({ type: 'open', name }),
    read: (id) => ask({ type: 'read', id }),
    look: (id, name) => ask({ type: 'look', id, name }),
    kill: (signal) => child.kill(signal),
  }
}

/**
 * Changes few accounts again and again, so that the other node has them cached, and lets it look twice at each change: six
 * reads. Returns how many of its answers were old.
 */
async function countStale(store: Store, other: OtherNode, rounds: number): Promise<number> {
  let left = rounds
  let stale = 0
  const changeAndLook = async (): Promise<void> => {
    const id = await openAccount(store, newId())
    while (left-- > 0) {
      const name = newId()
      await store.write({ actor: 'tester', at: instant(1) }, (work) => work.decide(accounts, id, { name }, 'org'))
      for (const _ of [1, 2]) {
        let seen = await other.look(id, name)
        // Two connections may end during one read.
        while (seen === 'store.unavailable') seen = await other.look(id, name)
        if (seen !== 'yes') stale += 1
      }
    }
  }
  await Promise.all(Array.from({ length: 32 }, changeAndLook))
  return stale
}

/** Until it is over: stops the node for a moment, and ends its connections. Returns how many connections it ended. */
async function disturb(url: string, other: OtherNode, isOver: () => boolean): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let ended = 0
  while (!isOver()) {
    other.kill('SIGSTOP')
    await sleep(20)
    other.kill('SIGCONT')
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'other'`)
    ended += rowCount ?? 0
    await sleep(400)
  }
  await client.end()
  return ended
}

async function openDatabase(t: TestContext): Promise<string> {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  return database.url
}

suite('PostgreSQL: several nodes', { skip: !findPostgres() }, () => {
  test('two processes race for the same name 200 times: exactly one wins, the other hears that it is taken', async (t) => {
    const url = await openDatabase(t)
    const nodes = await Promise.all([startNode(t, url), startNode(t, url)])
    let firstWins = 0
    for (let round = 0; round < 200; round++) {
      const answers = await Promise.all(nodes.map((node) => node.open(`name-${round}`)))
      const losers = answers.filter((answer) => answer === 'account.name_taken')
      assert.equal(losers.length, 1, `round ${round}: ${answers}`)
      if (answers[0] !== 'account.name_taken') firstWins += 1
    }
    assert.ok(firstWins > 0 && firstWins < 200, `it was a race: ${firstWins} of 200`)
    const store = await openStore(await openPostgres({ url }), [accounts])
    afterwards(t, () => store.close())
    assert.equal((await store.events({ limit: 1_000 })).length, 200)
    assert.equal((await store.find(accounts, { limit: 0 })).total, 200)
  })

  test('what one node acknowledged, another reads at once, 10 000 times', async (t) => {
    const url = await openDatabase(t)
    const other = await startNode(t, url)
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

  test('what one node changed, another no longer has in its cache: 10 000 reads, with pauses and reconnects', async (t) => {
    const url = await openDatabase(t)
    const other = await startNode(t, `${url}?application_name=other`)
    const store = await openStore(await openPostgres({ url }), [accounts])
    afterwards(t, () => store.close())
    let isOver = false
    const disturbing = disturb(url, other, () => isOver)
    const stale = await countStale(store, other, 1_700)
    isOver = true
    assert.ok((await disturbing) > 0)
    assert.equal(stale, 0)
  })

  test('without asking the database first, the cache would be old', async (t) => {
    const url = await openDatabase(t)
    const other = await startNode(t, url, 'no')
    const store = await openStore(await openPostgres({ url }), [accounts])
    afterwards(t, () => store.close())
    assert.ok((await countStale(store, other, 100)) > 0)
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
