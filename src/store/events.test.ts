/** Queries on the log: filters, both directions, pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { instant } from '../kernel/instant.ts'
import type { EventQuery, StoredEvent } from './index.ts'

function findByModel(events: readonly StoredEvent[], query: EventQuery): readonly StoredEvent[] {
  const found = events.filter(
    ({ kind, id, type, actor, owner, at, sequence }) =>
      (query.kinds === undefined || query.kinds.includes(kind)) &&
      (query.id === undefined || query.id === id) &&
      (query.types === undefined || query.types.includes(type)) &&
      (query.actor === undefined || query.actor === actor) &&
      (query.owner === undefined || query.owner === owner) &&
      (query.since === undefined || at >= query.since) &&
      (query.until === undefined || at < query.until) &&
      (query.from === undefined || (query.descending === true ? sequence < query.from : sequence > query.from)),
  )
  return (query.descending === true ? found.toReversed() : found).slice(0, query.limit)
}

function among(...values: string[]) {
  return fc.subarray(values)
}
const moment = fc.integer({ min: 1000, max: 1004 }).map(instant)
const query: fc.Arbitrary<EventQuery> = fc.record(
  {
    kinds: among('box', 'crate', 'barrel'),
    id: fc.constantFrom('one', 'two', 'none'),
    types: among('box.packed.v1', 'box.weighed.v1', 'box.never.v1'),
    actor: fc.constantFrom('ann', 'bob', 'nobody'),
    owner: fc.constantFrom('org-1', 'org-2'),
    since: moment,
    until: moment,
    from: fc.integer({ min: 0, max: 60 }),
    descending: fc.boolean(),
    limit: fc.integer({ min: 0, max: 70 }),
  },
  { requiredKeys: ['limit'] },
)

for (const engine of engines) {
  suite(`events on ${engine.name}`, () => {
    let opened: TestStore
    let events: readonly StoredEvent[]
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      for (const [index, id] of ['one', 'two', 'three', 'four'].entries()) {
        const kind = index % 2 ? crates : boxes
        const owner = index < 2 ? 'org-1' : 'org-2'
        await opened.store.write(by('ann', 1000 + index), (work) =>
          work.decide(kind, id, { type: 'pack', label: id }, owner),
        )
        for (let weight = 0; weight < 5; weight++) {
          await opened.store.write(by(weight % 2 ? 'ann' : 'bob', 1004 - weight), (work) =>
            work.decide(kind, id, { type: 'weigh', weights: [weight, weight] }),
          )
        }
      }
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
        assert.deepEqual(await opened.store.events(asked), findByModel(events, asked))
      await fc.assert(fc.asyncProperty(query, check), { numRuns: 200 })
    })
  })
}
