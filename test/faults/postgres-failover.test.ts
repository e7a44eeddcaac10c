/** A primary dies and its standby takes over. Every answer comes from a primary; with a synchronous standby nothing is lost. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { failover, startPair, urlOfPair } from '../../faults/postgres/failover.ts'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, openAccount } from '../support/accounts.ts'
import { findPostgres } from '../support/postgres.ts'
import { testScenario } from '../support/test-scenario.ts'

suite('PostgreSQL: failover', { skip: !findPostgres() }, () => {
  test('a standby alone is refused, beside its primary it is passed over', async () => {
    await using cleanUp = new AsyncDisposableStack()
    const pair = await startPair(cleanUp)
    await assert.rejects(openPostgres({ url: pair.standby.url(), patienceMs: 100 }), { code: 'store.unavailable' })
    const store = await openStore(await openPostgres({ url: urlOfPair(pair) }), [accounts])
    cleanUp.defer(() => store.close())
    await openAccount(store, 'one')
    const connections = await pair.standby.query(`select from pg_stat_activity where application_name = 'signet'`)
    assert.equal(connections.length, 0)
  })
})

await testScenario(failover)
