/** A change that leaves all fields of a document as they are writes none of its indexes. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { type BoxCommand, boxes, by } from '../../../test/support/sample-kind.ts'
import { Refused } from '../../kernel/refusal.ts'
import { kind, openSqlite, openStore, type Store } from '../index.ts'
import { newVerification, verify } from '../transfer/index.ts'
import { openSqliteSnapshot } from './transfer.ts'

suite('SQLite: documents whose fields stay the same', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-fields-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const open = async (name: string) => {
    const file = join(folder, name)
    return { file, store: await openStore(await openSqlite({ file }), [boxes]) }
  }
  const decide = (store: Store, id: string, command: BoxCommand) =>
    store
      .write(by('ann'), (work) => work.decide(boxes, id, command, 'org-1'))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error
      })
  const query = (file: string, sql: string) => {
    const database = new DatabaseSync(file)
    const rows = database.prepare(sql).all()
    database.close()
    return rows.map((row) => ({ ...row }))
  }
  const stored = `select state->>'wrongKeys' as indexed, newer_state->>'wrongKeys' as newer, gone from documents`

  test('their new state is stored beside the one in the indexes, until a field changes', async () => {
    const { file, store } = await open('beside.db')
    await decide(store, 'one', { type: 'pack', label: 'a', weight: 1 })
    assert.deepEqual(query(file, stored), [{ indexed: null, newer: null, gone: 0 }])
    for (const count of [1, 2]) {
      await decide(store, 'one', { type: 'open', key: 'wrong' })
      assert.deepEqual(query(file, stored), [{ indexed: null, newer: count, gone: 0 }])
    }
    const found = await store.find(boxes, { where: { field: 'weight', equals: 1 }, limit: 1 })
    assert.equal(found.documents[0]?.state.wrongKeys, 2)
    await decide(store, 'one', { type: 'weigh', weights: [2] })
    assert.deepEqual(query(file, stored), [{ indexed: 2, newer: null, gone: 0 }])
    await decide(store, 'one', { type: 'open', key: 'wrong' })
    await decide(store, 'one', { type: 'remove' })
    assert.deepEqual(query(file, stored), [{ indexed: null, newer: null, gone: 1 }])
    await store.close()
  })

  test('after any changes both states have the same fields, and readers see the newer one', async () => {
    const { file, store } = await open('property.db')
    const command: fc.Arbitrary<BoxCommand> = fc.oneof(
      fc.constant({ type: 'pack', label: 'a', note: 'n' } as const),
      fc.constantFrom('a', 'A', 'b').map((label) => ({ type: 'label', label }) as const),
      fc.constantFrom([1], [2], [undefined], [2, 1]).map((weights) => ({ type: 'weigh', weights }) as const),
      fc.constant({ type: 'open', key: 'wrong' } as const),
    )
    let run = 0
    const differing = `select id from documents where newer_state is not null and
      (state->>'label', state->'search'->>'label', state->>'weight', state->>'note') is not
      (newer_state->>'label', newer_state->'search'->>'label', newer_state->>'weight', newer_state->>'note')`
    const check = async (commands: readonly BoxCommand[]) => {
      const id = `box ${++run}`
      const name = (given: BoxCommand) => ('label' in given ? { ...given, label: `${id} ${given.label}` } : given)
      for (const given of commands) await decide(store, id, name(given))
      const read = (await store.get(boxes, id))?.state
      const afresh = await openStore(await openSqlite({ file }), [boxes])
      assert.deepEqual((await afresh.get(boxes, id))?.state, read)
      await afresh.close()
    }
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 12 }), check), { numRuns: 30 })
    assert.deepEqual(query(file, differing), [])
    const count = query(file, 'select count(*) as count from documents where newer_state is not null')[0]?.count
    assert.ok(Number(count) > 0, 'no document has a newer state')
    await store.rebuild()
    assert.deepEqual(query(file, 'select id from documents where newer_state is not null'), [])
    await store.close()
  })

  test('a field that is new finds them by their newer state', async () => {
    const { file, store } = await open('fields.db')
    await decide(store, 'one', { type: 'pack', label: 'a' })
    await decide(store, 'one', { type: 'open', key: 'wrong' })
    await store.close()
    const counted = kind({ ...boxes, fields: { ...boxes.fields, wrongKeys: { path: ['wrongKeys'], type: 'number' } } })
    const reopened = await openStore(await openSqlite({ file }), [counted])
    const found = await reopened.find(counted, { where: { field: 'wrongKeys', equals: 1 }, limit: 1 })
    assert.equal(found.total, 1)
    await reopened.close()
  })

  test('a file of the first version gets the column, and keeps all it has', async () => {
    const { file, store } = await open('first.db')
    await decide(store, 'one', { type: 'pack', label: 'a' })
    await store.close()
    const columns = `select name from pragma_table_info('documents')`
    const names = query(file, columns)
    query(file, 'alter table documents drop column newer_state')
    query(file, 'drop table counters')
    query(file, `update versions set version = 1 where name = 'schema'`)
    const { store: migrated } = await open('first.db')
    assert.deepEqual(query(file, columns), names)
    await decide(migrated, 'one', { type: 'open', key: 'wrong' })
    assert.deepEqual(query(file, stored), [{ indexed: null, newer: 1, gone: 0 }])
    assert.deepEqual(query(file, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
    assert.throws(() => query(file, 'update sqlite_schema set sql = sql'), /may not be modified/)
    await migrated.close()
  })

  test('a check of the database finds one whose two states differ in a field', async () => {
    const { file, store } = await open('differ.db')
    await decide(store, 'one', { type: 'pack', label: 'a', weight: 1 })
    await decide(store, 'one', { type: 'open', key: 'wrong' })
    await store.close()
    const problems = async () => {
      const snapshot = await openSqliteSnapshot(file)
      const found = newVerification()
      await verify(snapshot, [boxes], found)
      await snapshot.close()
      return found.problems
    }
    assert.deepEqual(await problems(), [])
    query(file, `update documents set state = json_set(state, '$.weight', 2)`)
    assert.deepEqual(await problems(), ['The document box one differs from its log: fields in the indexes.'])
  })

  test('a snapshot has the newer state, and that of an older file the only one', async () => {
    const { file, store } = await open('snapshot.db')
    await decide(store, 'one', { type: 'pack', label: 'a' })
    await decide(store, 'one', { type: 'open', key: 'wrong' })
    await store.close()
    const statesIn = async () => {
      const snapshot = await openSqliteSnapshot(file)
      const states: unknown[] = []
      for await (const { state } of snapshot.documents('box')) states.push(JSON.parse(state).wrongKeys)
      await snapshot.close()
      return states
    }
    assert.deepEqual(await statesIn(), [1])
    query(file, 'alter table documents drop column newer_state')
    assert.deepEqual(await statesIn(), [undefined])
  })
})
