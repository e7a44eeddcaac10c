/** Objects that come from another product keep their dates, also when their documents are folded again. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bothEngines, openTestStore } from '../../test/support/engines.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import { type Arrival, OBJECT_IMPORTED, type Store } from './index.ts'

const CREATED = instant(1_000)
const CHANGED = instant(2_000)
const NOW = 90_000

const arrival: Arrival = { source: 'elsewhere', datesOf: () => ({ createdAt: CREATED, changedAt: CHANGED }) }

function pack(store: Store, id: string) {
  return store.write({ ...by('ann', NOW), arrival }, async (work) => {
    work.enqueue({ kind: 'mail', data: {} })
    return work.decide(boxes, id, { type: 'pack', label: id }, 'org-1')
  })
}

async function datesOf(store: Store, id: string) {
  const found = await store.get(boxes, id)
  const listed = (await store.find(boxes, { where: { field: 'id', equals: id }, limit: 1 })).documents[0]
  assert.deepEqual([listed?.createdAt, listed?.changedAt], [found?.createdAt, found?.changedAt])
  return { createdAt: found?.createdAt, changedAt: found?.changedAt, revision: found?.revision }
}

for (const engine of bothEngines) {
  suite(`what came from elsewhere, on ${engine.name}`, () => {
    test('has the dates that it had there, and an event that says so', async () => {
      const { store, another, dispose } = await openTestStore([boxes, crates], engine)
      try {
        const { value } = await pack(store, 'one')
        const expected = { createdAt: CREATED, changedAt: CHANGED, revision: 2 }
        assert.deepEqual(await datesOf(store, 'one'), expected)
        assert.deepEqual(await datesOf(await another(), 'one'), expected)
        assert.equal(value.createdAt, CREATED)
        assert.equal(value.sequence, (await store.get(boxes, 'one'))?.sequence)
        const [, last] = await store.events({ limit: 10 })
        assert.equal(last?.type, OBJECT_IMPORTED)
        assert.equal(last?.at, NOW)
        assert.deepEqual(last?.data, { source: 'elsewhere', createdAt: CREATED, changedAt: CHANGED })
      } finally {
        await dispose()
      }
    })

    test('keeps them when it is folded again, and changes like any other', async () => {
      const { store, dispose } = await openTestStore([boxes, crates], engine)
      try {
        await pack(store, 'one')
        await pack(store, 'two')
        const weighed = await store.write(by('bob', NOW + 1), (work) =>
          work.decide(boxes, 'two', { type: 'weigh', weights: [1] }),
        )
        assert.deepEqual([weighed.value.createdAt, weighed.value.changedAt], [CREATED, NOW + 1])
        const before = [await datesOf(store, 'one'), await datesOf(store, 'two')]
        await store.rebuild()
        assert.deepEqual([await datesOf(store, 'one'), await datesOf(store, 'two')], before)
        assert.deepEqual(before[1], { createdAt: CREATED, changedAt: NOW + 1, revision: 3 })
      } finally {
        await dispose()
      }
    })

    test('does not make older what was here before, and causes no jobs', async () => {
      const { store, dispose } = await openTestStore([boxes, crates], engine)
      try {
        await store.write(by('ann', NOW), (work) => work.decide(boxes, 'one', { type: 'pack', label: 'one' }, 'org-1'))
        await store.write({ ...by('ann', NOW + 5), arrival }, async (work) => {
          work.enqueue({ kind: 'mail', data: {} })
          return work.decide(boxes, 'one', { type: 'weigh', weights: [1] })
        })
        assert.deepEqual(await datesOf(store, 'one'), { createdAt: NOW, changedAt: NOW, revision: 3 })
        await store.rebuild()
        assert.deepEqual(await datesOf(store, 'one'), { createdAt: NOW, changedAt: NOW, revision: 3 })
        assert.deepEqual(await store.jobs.count(), { waiting: 0, parked: 0 })
      } finally {
        await dispose()
      }
    })
  })
}
