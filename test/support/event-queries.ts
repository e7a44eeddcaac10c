/** A small log and random queries on it, for tests that compare what an engine finds with what a loop finds. */

import fc from 'fast-check'
import { actorText, namedActor } from '../../src/kernel/actor.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { EventQuery, Store, StoredEvent } from '../../src/store/index.ts'
import { boxes, by, crates } from './sample-kind.ts'

/** What a query finds in these events, by a plain loop. */
export function findEventsByModel(events: readonly StoredEvent[], query: EventQuery): readonly StoredEvent[] {
  const found = events.filter(
    ({ kind, id, type, actor, owner, at, sequence }) =>
      (query.kinds === undefined || query.kinds.includes(kind)) &&
      (query.id === undefined || query.id === id) &&
      (query.types === undefined || query.types.includes(type)) &&
      (query.actor === undefined || actorText(query.actor) === actorText(actor)) &&
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
/** Queries with every combination of conditions. */
export const eventQueries: fc.Arbitrary<EventQuery> = fc.record(
  {
    kinds: among('box', 'crate', 'barrel'),
    id: fc.constantFrom('one', 'two', 'none'),
    types: among('box.packed.v1', 'box.weighed.v1', 'box.never.v1'),
    actor: fc.constantFrom('ann', 'bob', 'anonymous').map(namedActor),
    owner: fc.constantFrom('org-1', 'org-2'),
    since: moment,
    until: moment,
    from: fc.integer({ min: 0, max: 60 }),
    descending: fc.boolean(),
    limit: fc.integer({ min: 0, max: 70 }),
  },
  { requiredKeys: ['limit'] },
)

/** Writes 44 events of two kinds, not all of them in the order of time. */
export async function packAndWeigh(store: Store): Promise<void> {
  for (const [index, id] of ['one', 'two', 'three', 'four'].entries()) {
    const kind = index % 2 ? crates : boxes
    const owner = index < 2 ? 'org-1' : 'org-2'
    await store.write(by('ann', 1000 + index), (work) => work.decide(kind, id, { type: 'pack', label: id }, owner))
    for (let weight = 0; weight < 5; weight++) {
      await store.write(by(weight % 2 ? 'ann' : 'bob', 1004 - weight), (work) =>
        work.decide(kind, id, { type: 'weigh', weights: [weight, weight] }),
      )
    }
  }
}
