/** A new version joins and replaces the old one on the same PostgreSQL while clients write and read. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { findPostgres, freshDatabase } from '../support/postgres.ts'
import { runUpgrade } from './rolling-upgrade.ts'

async function upgrade(t: TestContext, marks: boolean) {
  const database = await freshDatabase()
  assert.ok(database)
  afterwards(t, database.drop)
  return runUpgrade({ url: database.url, documents: 700, clients: 4, marks, requestsBeside: 200 })
}

suite('a rolling upgrade', { skip: !findPostgres() }, () => {
  test('refuses no request and reads nothing wrong, and in the end the old documents are gone', async (t) => {
    const { requests, refused, wrong, requestsWhileBuilding, problems } = await upgrade(t, true)
    assert.deepEqual({ refused, wrong, problems }, { refused: [], wrong: [], problems: [] })
    assert.ok(requests > 400 && requestsWhileBuilding > 0)
  })

  test('without marks for the other version, clients notice', async (t) => {
    const { refused, wrong } = await upgrade(t, false)
    assert.ok(refused.length + wrong.length > 0)
  })
})
