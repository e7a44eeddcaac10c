/** Behind a real PgBouncer in transaction mode: each transaction gets another session of the server. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterwards } from '../../../test/support/afterwards.ts'
import { assertSound, openDatabase, pack, relabel, remove } from '../../../test/support/box-nodes.ts'
import { countedBoxes } from '../../../test/support/box-versions.ts'
import { findPgbouncer, startPgbouncer } from '../../../test/support/pgbouncer.ts'
import { findPostgres } from '../../../test/support/postgres.ts'
import { boxes, crates } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import { type AnyKind, openStore, type Store } from '../index.ts'
import { describeFailure } from './describe-failure.ts'
import { openPostgres, type PostgresOptions } from './index.ts'

const skip = !findPostgres()
  ? 'PostgreSQL is not installed'
  : findPgbouncer() === undefined
    ? 'PgBouncer is not installed (Debian: apt-get install pgbouncer)'
    : false

async function openPooled(t: TestContext, ...settings: readonly string[]) {
  const database = await openDatabase(t)
  const pooler = await startPgbouncer(database.url, ...settings)
  afterwards(t, pooler.close)
  const open = async (of: AnyKind, mode: string, options: Partial<PostgresOptions> = {}): Promise<Store> => {
    const engine = await openPostgres({ url: `${pooler.url}${mode}`, poolSize: 3, patienceMs: 20_000, ...options })
    afterwards(t, () => engine.close())
    return openStore(engine, [of, crates])
  }
  return { database, pooler, open }
}

const MODE = '?pool_mode=transaction'

suite('PostgreSQL behind PgBouncer in transaction mode', { skip }, () => {
  test('two versions on one database start, write, read, search and remove', async (t) => {
    const { database, open } = await openPooled(t)
    const old = await open(boxes, MODE)
    await Promise.all(Array.from({ length: 40 }, (_, n) => pack(old, boxes, `box-${n}`, `label ${n}`)))
    const next = await open(countedBoxes, MODE)
    for (let n = 0; n < 20; n++) {
      await relabel(n % 2 === 0 ? old : next, n % 2 === 0 ? boxes : countedBoxes, `box-${n}`, `again ${n}`)
      const [a, b] = await Promise.all([old.get(boxes, `box-${n}`), next.get(countedBoxes, `box-${n}`)])
      assert.deepEqual([a?.state.label, b?.state.label, b?.state.changes], [`again ${n}`, `again ${n}`, 2])
    }
    const found = await next.find(countedBoxes, { where: { field: 'label', contains: 'gain 1' }, limit: 100 })
    assert.equal(found.total, 11)
    await remove(old, boxes, 'box-3', 'record')
    assert.equal(await next.get(countedBoxes, 'box-3'), undefined)
    await assertSound(database, boxes)
    await assertSound(database, countedBoxes)
  })

  test('sessions that break under load lose nothing, and what failed was not written', async (t) => {
    const { database, open } = await openPooled(t)
    const store = await open(boxes, MODE)
    const written: string[] = []
    const failed: string[] = []
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const id = `${writer}-${n}`
        await pack(store, boxes, id, id).then(
          () => written.push(id),
          (error: unknown) => {
            assert.ok(error instanceof Refused && error.code === 'store.unavailable', String(error))
            failed.push(id)
          },
        )
      }
    })
    for (let round = 0; round < 10; round++) {
      const before = written.length + failed.length
      while (written.length + failed.length < before + 20) await sleep(1)
      await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'signet'`)
    }
    isOver = true
    await Promise.all(writers)
    const rows = await database.query(`select id from documents where kind = 'box'`)
    assert.deepEqual(rows.map(({ id }) => id).sort(), written.sort())
    t.diagnostic(`${written.length} acknowledged and found, ${failed.length} refused and not found`)
  })

  test('without the mode in the URL the start says what to add', async (t) => {
    const { pooler, open } = await openPooled(t)
    const url = pooler.url
    await assert.rejects(open(boxes, '', { patienceMs: 300 }), (error: unknown) => {
      assert.match(describeFailure(url, error), /is a pooler; add pool_mode=transaction to the URL\.$/)
      return true
    })
  })

  test('statements with names would fail: the mode is what makes it work', async (t) => {
    const { open } = await openPooled(t, 'ignore_startup_parameters = statement_timeout')
    const failed = await open(boxes, '')
      .then(async (store) => {
        for (let n = 0; n < 40; n++) await store.find(boxes, { orderBy: 'label', limit: n + 1 })
        return undefined
      })
      .catch((error: unknown) => error)
    const { code } = (failed as Error).cause as { readonly code?: string }
    // There is no such statement in this session, or there is one already.
    assert.ok(code === '26000' || code === '42P05', String(failed))
  })
})
