/** A primary dies and its standby takes over. Every answer comes from a primary; with a synchronous standby nothing is lost. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, countLost, keepWriting, newHistory, openAccount } from '../support/accounts.ts'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

async function startPair(t: TestContext): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await startPostgres()
  afterwards(t, () => primary.remove())
  const standby = await primary.standby('second')
  afterwards(t, () => standby.remove())
  return { primary, standby }
}

/** Both hosts in one URL, the standby first: it has to be passed over. */
function urlOfPair({ primary, standby }: { primary: PostgresServer; standby: PostgresServer }): string {
  return `${primary.url().replace('@', `@127.0.0.1:${standby.port},`)}?target_session_attrs=read-write`
}

/** Writes, lets `fail` happen to the primary, promotes the standby, writes on, and counts what is missing. */
async function failOver(
  t: TestContext,
  pair: { primary: PostgresServer; standby: PostgresServer },
  fail: () => Promise<void>,
): Promise<{ lost: number; acknowledged: number }> {
  const store = await openStore(await openPostgres({ url: urlOfPair(pair) }), [accounts])
  afterwards(t, () => store.close())
  const history = newHistory()
  let isOver = false
  afterwards(t, () => {
    isOver = true
  })
  const writers = Array.from({ length: 16 }, () => keepWriting(store, history, () => isOver))
  await sleep(300)
  await fail()
  await pair.standby.promote()
  const before = history.acknowledged.size
  const patience = Date.now() + 60_000
  while (history.acknowledged.size < before + 50) {
    assert.ok(Date.now() < patience, 'writes did not resume after the promotion')
    await sleep(5)
  }
  isOver = true
  await Promise.all(writers)
  return { lost: await countLost(store, history), acknowledged: history.acknowledged.size }
}

suite('PostgreSQL: failover', { skip: !findPostgres() }, () => {
  test('a standby alone is refused, beside its primary it is passed over', async (t) => {
    const pair = await startPair(t)
    await assert.rejects(openPostgres({ url: pair.standby.url(), patienceMs: 100 }), { code: 'store.unavailable' })
    const store = await openStore(await openPostgres({ url: urlOfPair(pair) }), [accounts])
    afterwards(t, () => store.close())
    await openAccount(store, 'one')
    const connections = await pair.standby.query(`select from pg_stat_activity where application_name = 'signet'`)
    assert.equal(connections.length, 0)
  })

  for (const round of [1, 2]) {
    test(`with a synchronous standby no acknowledged write is lost when the primary is killed, round ${round}`, async (t) => {
      const pair = await startPair(t)
      await pair.primary.configure(`synchronous_standby_names = 'second'`)
      const { lost, acknowledged } = await failOver(t, pair, () => pair.primary.kill())
      assert.ok(acknowledged > 50)
      assert.equal(lost, 0)
    })
  }

  test('control: with an asynchronous standby that lags, acknowledged writes are seen to be lost', async (t) => {
    const pair = await startPair(t)
    const { lost } = await failOver(t, pair, async () => {
      // It stops following. Killing its receiver instead would restart the whole standby, and a restart forgets a promotion.
      await pair.standby.configure(`primary_conninfo = ''`)
      while (pair.standby.processes('walreceiver').length > 0) await sleep(5)
      await sleep(300)
      await pair.primary.kill()
    })
    assert.ok(lost > 0)
  })
})
