/** Queries on the log: filters, both directions, pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { eventQueries, findEventsByModel, packAndWeigh } from '../../test/support/event-queries.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import type { EventQuery, StoredEvent } from './index.ts'

for (const engine of engines) {
  suite(`events on ${engine.name}`, () => {
    let opened: TestStore
    let events: readonly StoredEvent[]
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      await packAndWeigh(opened.store)
      events = await opened.store.events({ limit: 1000 })
    })
    after(() => opened.dispose())

    test('the whole log is there, in order', () => {
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        Array.from({ length: 44 }, (_, index) => index + 1),
      )
    })

    test('a query finds what the model finds, in the same order', async () => {
      const check = async (asked: EventQuery) =>
        assert.deepEqual(await opened.store.events(asked), findEventsByModel(events, asked))
      await fc.assert(fc.asyncProperty(eventQueries, check), { numRuns: 200 })
    })

    test('the first and the last of many events of one time are found', async () => {
      const { store } = opened
      const at = 2_000
      await store.write(by('ann', at), (work) => work.decide(boxes, 'many', { type: 'pack', label: 'many' }, 'org-1'))
      const weights = Array.from({ length: 900 }, (_, weight) => weight)
      for (let round = 0; round < 6; round++) {
        await store.write(by('ann', at), (work) => work.decide(boxes, 'many', { type: 'weigh', weights }))
      }
      const first = events.length + 1
      const last = first + 5_400
      const sequences = async (query: Partial<EventQuery>) =>
        (await store.events({ since: instant(at), limit: 3, ...query })).map(({ sequence }) => sequence)
      assert.deepEqual(await sequences({}), [first, first + 1, first + 2])
      assert.deepEqual(await sequences({ descending: true }), [last, last - 1, last - 2])
      assert.deepEqual(await sequences({ kinds: ['box'], from: first + 7 }), [first + 8, first + 9, first + 10])
    })
  })
}
