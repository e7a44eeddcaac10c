/** Queries on the log: filters, both directions, pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { eventQueries, findEventsByModel, packAndWeigh } from '../../test/support/event-queries.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import type { EventQuery, StoredEvent } from './index.ts'

for (const engine of bothEngines) {
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

    test('of many events that are not in the order of time, a query finds what the model finds, also after each write', async () => {
      const { store } = opened
      const weights = Array.from({ length: 400 }, (_, weight) => weight)
      const weigh = (at: number) =>
        store.write(by('bob', at), (work) => work.decide(boxes, 'shifted', { type: 'weigh', weights }))
      await store.write(by('bob', 5_000), (work) =>
        work.decide(boxes, 'shifted', { type: 'pack', label: 'shifted' }, 'org-2'),
      )
      // Clocks that are set back by 700 ms again and again, and once by far more.
      for (let round = 0; round < 40; round++)
        await weigh(round === 30 ? 3_000 : 5_000 + round * 100 - (round % 3) * 350)
      const time = fc.integer({ min: 2_900, max: 9_200 }).map(instant)
      const asked = fc.record(
        {
          since: time,
          until: time,
          descending: fc.boolean(),
          limit: fc.integer({ min: 1, max: 900 }),
          types: fc.constant(['box.weighed.v1']),
          from: fc.integer({ min: 5_000, max: 22_000 }),
        },
        { requiredKeys: ['limit'] },
      )
      for (let round = 0; round < 5; round++) {
        const written = await store.events({ limit: 100_000 })
        for (const query of fc.sample(asked, { seed: round, numRuns: 12 })) {
          assert.deepEqual(await store.events(query), findEventsByModel(written, query))
        }
        await weigh(3_000 + round * 500)
      }
    })
  })
}
