import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { boxes } from '../../../test/support/sample-kind.ts'
import { openStore } from '../store.ts'
import { openSqlite } from './index.ts'
import { forgetStatistics, statisticsUpdater, statisticsVersion } from './statistics.ts'

/** A database; `write` tells the updater of commits, and returns how often statistics have been gathered. */
async function openDatabase(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'signet-statistics-'))
  const file = join(folder, 'signet.db')
  await (await openStore(await openSqlite({ file }), [boxes])).close()
  const database = new DatabaseSync(file)
  t.after(async () => {
    database.close()
    await rm(folder, { recursive: true, force: true })
  })
  database.exec(`insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
    values (1, 'box', 'one', 'org', '{}', 0, 1, 1, 1, 1)`)
  let update = statisticsUpdater(database)
  return {
    database,
    restart: () => {
      update = statisticsUpdater(database)
    },
    write: (commits: number) => {
      database.exec(`update instances set sequence = sequence + ${commits}`)
      update(commits)
      return database.prepare(`select ${statisticsVersion} as version`).get()?.version
    },
  }
}

test('statistics are gathered when the data has doubled, also if the server was restarted in between', async (t) => {
  const { write, restart } = await openDatabase(t)
  assert.equal(write(999), 0)
  assert.equal(write(1), 1)
  assert.equal(write(999), 1)
  assert.equal(write(1), 2)
  restart()
  assert.equal(write(1_000), 2)
  restart()
  assert.equal(write(1_000), 3)
})

test('statistics that an earlier version has gathered count as those of now, and new indexes need new ones', async (t) => {
  const { database, write } = await openDatabase(t)
  database.exec('analyze')
  assert.equal(write(5_000), 0)
  assert.equal(write(4_000), 0)
  assert.equal(write(1_000), 1)
  database.exec(forgetStatistics)
  assert.equal(write(1_000), 2)
  assert.equal(write(1_000), 2)
})
