/** Indexes of a large SQLite file are built after the store is open. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { boxes, by } from '../../../test/support/sample-kind.ts'
import { kind, openSqlite, openStore, type Store } from '../index.ts'

const MANY = 10_100

suite('SQLite: indexes of many documents', () => {
  let folder = ''
  let file = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-indexes-'))
    file = join(folder, 'signet.db')
    await (await openStore(await openSqlite({ file }), [boxes])).close()
    const database = new DatabaseSync(file)
    database.exec(`insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
      select 1, 'box', 'box ' || i, 'org-1', json_object('status', 'packed', 'label', 'l' || i, 'note', 'n' || (i % 100)), 0, 1, i,
        i, i from n`)
    database.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const namesOf = (): readonly string[] => {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare(`select name from sqlite_schema where name like 'documents.%' order by name`).all()
    database.close()
    return rows.map(({ name }) => String(name).split('.').slice(1, 3).join('.'))
  }
  const { label: _, ...others } = boxes.fields
  const noted = kind({ ...boxes, fields: { ...others, note: { path: ['note'], type: 'text' } } })
  const countNotes = async (store: Store) => {
    const where = { field: 'note', equals: 'n7' } as const
    return (await store.find(noted, { where, orderBy: 'note', limit: 5 })).total
  }

  test('opening builds and drops none; queries and writes work before, meanwhile and afterwards', async () => {
    const store = await openStore(await openSqlite({ file }), [noted])
    assert.deepEqual(namesOf(), ['box.label', 'box.searchLabel', 'box.weight'])
    assert.equal(await countNotes(store), 101)
    const [changed, , found] = await Promise.all([
      store.buildIndexes(),
      store.write(by('ann'), (work) => work.decide(noted, 'new', { type: 'pack', label: 'new', note: 'n7' }, 'org-1')),
      countNotes(store),
    ])
    assert.equal(changed, 2)
    assert.ok([101, 102].includes(found))
    assert.equal(await countNotes(store), 102)
    assert.deepEqual(namesOf(), ['box.note', 'box.searchLabel', 'box.weight'])
    assert.equal(await store.buildIndexes(), 0)
    await store.close()
  })

  test('a store that is closed meanwhile leaves the rest to the next one', async () => {
    const closed = await openStore(await openSqlite({ file }), [boxes])
    const building = closed.buildIndexes()
    await closed.close()
    await building
    const store = await openStore(await openSqlite({ file }), [boxes])
    await store.buildIndexes()
    assert.deepEqual(namesOf(), ['box.label', 'box.searchLabel', 'box.weight'])
    await store.close()
  })
})
