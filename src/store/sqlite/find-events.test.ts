import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { eventQueries, findEventsByModel, packAndWeigh } from '../../../test/support/event-queries.ts'
import { boxes, crates } from '../../../test/support/sample-kind.ts'
import { type EventQuery, openSqlite, openStore, type StoredEvent } from '../index.ts'
import { eventIndexes } from '../query/schema.ts'
import { statementsOn } from './connection.ts'
import { findEvents } from './find-events.ts'
import { type EventValues, storedEvent } from './log.ts'

suite('finding events in SQLite', () => {
  let folder: string
  let file: string
  let events: readonly StoredEvent[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-events-'))
    file = join(folder, 'signet.db')
    const store = await openStore(await openSqlite({ file }), [boxes, crates])
    await packAndWeigh(store)
    events = await store.events({ limit: 1000 })
    await store.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const known: Readonly<Record<string, readonly string[]>> = {
    box: Object.keys(boxes.events),
    crate: Object.keys(crates.events),
  }
  const typesOf = (kinds: readonly string[]) =>
    kinds.every((kind) => kind in known) ? kinds.flatMap((kind) => known[kind] ?? []) : undefined
  const later = new Set<string>(eventIndexes.map(({ name }) => name))

  for (const [few, isMissing] of [
    [3, () => false],
    [20, () => false],
    [3, (index: string) => later.has(index)],
  ] as const) {
    test(`every way finds what the model finds, with ${few} as few, ${isMissing('events_by_time') ? 'without' : 'with'} later indexes`, () => {
      const database = new DatabaseSync(file, { readOnly: true })
      const { all } = statementsOn(database)
      const check = (query: EventQuery) => {
        const found = findEvents(all, query, { isMissing, typesOf }, few)
        const rows = 'rows' in found ? found.rows : all(found.slow.sql, ...found.slow.values)
        assert.deepEqual((rows as EventValues[]).map(storedEvent), findEventsByModel(events, query))
      }
      fc.assert(fc.property(eventQueries, check), { numRuns: 600 })
      database.close()
    })
  }

  test('a search that may read much of the log is left to the scan thread', () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const { all } = statementsOn(database)
    const isCheap = (query: Omit<EventQuery, 'limit'>) =>
      'rows' in findEvents(all, { ...query, limit: 7 }, { isMissing: () => false, typesOf }, 3)
    const time = events[0]?.at as StoredEvent['at']
    assert.ok(isCheap({}))
    assert.ok(isCheap({ from: 7 }))
    assert.ok(isCheap({ actor: 'ann' }))
    assert.ok(isCheap({ owner: 'org-1', descending: true }))
    assert.ok(isCheap({ types: ['box.packed.v1', 'box.weighed.v1'] }))
    assert.ok(isCheap({ kinds: ['crate'] }))
    assert.ok(isCheap({ kinds: ['crate'], types: ['box.never.v1'] }))
    assert.ok(!isCheap({ kinds: ['barrel'] }))
    assert.ok(!isCheap({ kinds: ['crate'], types: ['box.packed.v1', 'box.weighed.v1'] }))
    assert.ok(!isCheap({ actor: 'ann', owner: 'org-1' }))
    assert.ok(!isCheap({ since: time }))
    // Most of the first events match.
    const dense = { ...{ actor: 'bob', owner: 'org-1', since: time }, from: 2, limit: 4 }
    assert.ok('rows' in findEvents(all, dense, { isMissing: () => false, typesOf }, 10))
    database.close()
  })
})
