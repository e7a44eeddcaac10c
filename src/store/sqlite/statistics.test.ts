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

/** A database; `write` has statistics gathered if so many commits make it due, and returns how often they have been. */
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
  let statistics = statisticsUpdater(database)
  const version = () => database.prepare(`select ${statisticsVersion} as version`).get()?.version
  const isDue = (commits: number) => {
    database.exec(`update instances set sequence = sequence + ${commits}`)
    return statistics.isDue(commits)
  }
  return {
    database,
    file,
    version,
    isDue,
    gather: (milliseconds: number) => statistics.gather(milliseconds),
    restart: () => {
      statistics = statisticsUpdater(database)
    },
    write: (commits: number) => {
      if (isDue(commits)) assert.equal(statistics.gather(60_000), false)
      return version()
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

test('others write while statistics are gathered, and readers reopen when they are complete', async (t) => {
  const { file, isDue, gather, version } = await openDatabase(t)
  const other = new DatabaseSync(file)
  t.after(() => other.close())
  const analyzed = () => other.prepare('select count(distinct idx) as count from sqlite_stat1').get()?.count
  assert.equal(isDue(1_000), true)
  let steps = 1
  for (; gather(0); steps++) {
    other.exec('update instances set sequence = sequence + 1')
    assert.equal(isDue(1), true)
    assert.equal(version(), 0)
  }
  assert.ok(steps > 5, `${steps}`)
  assert.equal(version(), 1)
  // Those of empty indexes are not stored.
  assert.ok(Number(analyzed()) >= 3, `${analyzed()}`)
  assert.equal(isDue(1), false)
  assert.equal(gather(0), false)
  assert.equal(version(), 1)
})

test('an index that is added while statistics are gathered gets some, too', async (t) => {
  const { database, isDue, gather, version } = await openDatabase(t)
  assert.equal(isDue(5_000), true)
  assert.equal(gather(0), true)
  database.exec(forgetStatistics)
  while (gather(0));
  assert.equal(version(), 1)
  assert.equal(isDue(1_000), true)
  while (gather(0));
  assert.equal(version(), 2)
  assert.equal(isDue(1_000), false)
})
