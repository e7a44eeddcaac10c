/** Tests of the harness itself: what it starts answers, and what it drops is gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { findPostgres, freshDatabase } from './postgres.ts'

test('each test gets an empty database of its own', { skip: !findPostgres() }, async () => {
  const [one, other] = [await freshDatabase(), await freshDatabase()]
  assert.ok(one && other)
  assert.notEqual(one.url, other.url)
  const client = new pg.Client({ connectionString: one.url })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as tables from information_schema.tables where table_schema = 'public'`,
  )
  assert.deepEqual(rows, [{ tables: 0 }])
  await client.end()
  await one.drop()
  await other.drop()
  await assert.rejects(new pg.Client({ connectionString: one.url }).connect(), { code: '3D000' })
})
