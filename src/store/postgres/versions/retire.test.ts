/** Versions of documents that no node uses any more, and nodes that are too old. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { afterwards } from '../../../../test/support/afterwards.ts'
import {
  assertSound,
  type Boxes,
  labelOf,
  openBoth,
  openDatabase,
  pack,
  relabel,
} from '../../../../test/support/box-nodes.ts'
import { countedBoxes, notedBoxes, paintedBoxes } from '../../../../test/support/box-versions.ts'
import { findPostgres } from '../../../../test/support/postgres.ts'
import { boxes, by } from '../../../../test/support/sample-kind.ts'
import { kind, NO_OBSERVER } from '../../index.ts'
import { openPostgres } from '../index.ts'

/** A node that soon takes others for gone. What fails in its background fails the test. */
const RETIRING = {
  heartbeatMs: 10,
  retireAfterMs: 20,
  observer: {
    ...NO_OBSERVER,
    heartbeatFailed(error: unknown) {
      throw error
    },
  },
}

suite('PostgreSQL: versions that end', { skip: !findPostgres() }, () => {
  const outdating = () => {
    const reasons: string[] = []
    return { reasons, observer: { ...NO_OBSERVER, outdated: ({ message }: Error) => reasons.push(message) } }
  }

  test('a version that no node uses is removed, and a node that still has it stops', async (t) => {
    const { database, old } = await openBoth(t)
    const paused = outdating()
    const sleeping = await database.open(boxes, { observer: paused.observer })
    assert.equal(await labelOf(sleeping, boxes, 'first'), 'a')
    await old.close()
    const next = await database.open(countedBoxes, RETIRING)
    const left = `select 1 from documents where kind = 'box' union all select 1 from pg_indexes where indexname like 'documents.box.%'`
    while ((await database.query(left)).length > 0) await new Promise(setImmediate)
    assert.equal((await next.get(countedBoxes, 'first'))?.state.label, 'a')
    await assert.rejects(sleeping.get(boxes, 'first'), { code: 'store.unavailable' })
    await assert.rejects(pack(sleeping, boxes, 'new', 'n'), { code: 'store.unavailable' })
    await assert.rejects(sleeping.ping(), { code: 'store.unavailable' })
    assert.equal(paused.reasons.length, 1)
    assert.match(paused.reasons[0] ?? '', /removed its version of the documents/)
    assert.equal(await next.get(countedBoxes, 'new'), undefined)
    await assertSound(database, countedBoxes)
    // As the doctor reads, without a version of its own.
    const reader = await openPostgres({ url: database.url, readsAnyVersion: true })
    afterwards(t, () => reader.close())
    assert.equal((await reader.get('box', 'first'))?.revision, 1)
    await next.close()
    // The old version can come back: its documents are built again.
    const again = await database.open(boxes)
    assert.equal(await labelOf(again, boxes, 'first'), 'a')
    await pack(again, boxes, 'new', 'n')
    await assertSound(database, boxes)
  })

  test('a node whose version was removed cannot begin a stream', async (t) => {
    const { database, old } = await openBoth(t)
    const paused = outdating()
    const sleeping = await database.open(boxes, { observer: paused.observer })
    await old.close()
    await database.open(countedBoxes, RETIRING)
    while ((await database.query(`select from folds where state = 'retired'`)).length === 0)
      await new Promise(setImmediate)
    const beginning = sleeping.write(by('ann'), (work) =>
      work.begin(boxes, 'new', { type: 'pack', label: 'n' }, 'org-1'),
    )
    await assert.rejects(beginning, { code: 'store.unavailable' })
    assert.deepEqual(await database.query(`select from events where id = 'new'`), [])
    assert.equal(paused.reasons.length, 1)
  })

  test('claims that only the removed version made are released', async (t) => {
    const database = await openDatabase(t)
    const old = await database.open(notedBoxes)
    await pack(old, notedBoxes, 'one', 'a', { note: 'n' })
    const downgraded = kind({ ...countedBoxes, version: 5 })
    await old.close()
    const next = await database.open(downgraded, RETIRING)
    while ((await next.findClaimHolder('note', 'n')) !== undefined) await new Promise(setImmediate)
    assert.equal(await next.findClaimHolder('label', 'a'), 'one')
  })

  test('a node stops when a newer version has written an event that it does not know', async (t) => {
    const database = await openDatabase(t)
    const stopped = outdating()
    const old = await database.open(boxes, { observer: stopped.observer })
    await pack(old, boxes, 'first', 'a')
    const next = await database.open(paintedBoxes)
    await relabel(next, paintedBoxes as unknown as Boxes, 'first', 'b')
    assert.equal(await labelOf(old, boxes, 'first'), 'b')
    await next.write(by('bob'), (work) => work.decide(paintedBoxes, 'first', { type: 'paint', colour: 'red' }))
    await assert.rejects(old.get(boxes, 'first'), { code: 'store.unavailable' })
    await assert.rejects(old.find(boxes, { limit: 1 }), { code: 'store.unavailable' })
    assert.deepEqual(stopped.reasons, [
      'A newer version of Signet has written box.painted.v1 to box first, which this version cannot read. Stop this node and start the newer version.',
    ])
    await old.close()
    await database.query(`update folds set version = 9 where version = 4`)
    await assert.rejects(database.open(countedBoxes), { name: 'NodeOutdated', message: /box\.painted\.v1/ })
  })

  test('a node stops when the schema needs a newer program', async (t) => {
    const database = await openDatabase(t)
    const stopped = outdating()
    await database.open(boxes, { observer: stopped.observer, heartbeatMs: 10 })
    await database.query(`update versions set version = 1000 where name in ('schema', 'schema.oldest')`)
    while (stopped.reasons.length === 0) await new Promise(setImmediate)
    assert.match(stopped.reasons[0] ?? '', /schema that this version of Signet does not know/)
  })
})
