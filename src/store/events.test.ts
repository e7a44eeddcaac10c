/** Queries on the log: filters, both directions, pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { eventQueries, findEventsByModel, packAndWeigh } from '../../test/support/event-queries.ts'
import { boxes, crates } from '../../test/support/sample-kind.ts'
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
  })
}
