import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { eventQueries, findEventsByModel, packAndWeigh } from '../../../test/support/event-queries.ts'
import { boxes, crates } from '../../../test/support/sample-kind.ts'
import type { LogRange } from '../engine.ts'
import { type AnyKind, type EventQuery, openSqlite, openStore, type StoredEvent } from '../index.ts'
import { eventIndexes } from '../query/schema.ts'
import { statementsOn } from './connection.ts'
import { findEvents, rangeOfTime } from './find-events.ts'
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

  const kinds = [boxes, crates]
  const later = new Set<string>(eventIndexes.map(({ name }) => name))

  for (const [few, isMissing] of [
    [3, () => false],
    [20, () => false],
    [3, (index: string) => later.has(index)],
  ] as const) {
    test(`every way finds what the model finds, with ${few} as few, ${isMissing('events_by_time') ? 'without' : 'with'} later indexes`, () => {
      const database = new DatabaseSync(file, { readOnly: true })
      const { all } = statementsOn(database)
      const readRange = (query: EventQuery): LogRange | undefined => {
        const time = isMissing('events_by_time') ? undefined : rangeOfTime(query)
        const [[first, last] = []] = time === undefined ? [] : all(time.sql, ...time.values)
        return time && { since: Number(first) - 1, until: Number(last) }
      }
      const check = (query: EventQuery) => {
        for (const ofTime of [undefined, readRange(query)]) {
          const found = findEvents(all, query, { isMissing, kinds, ofTime }, few)
          const rows = 'rows' in found ? found.rows : all(found.slow.sql, ...found.slow.values)
          assert.deepEqual((rows as EventValues[]).map(storedEvent), findEventsByModel(events, query))
        }
      }
      fc.assert(fc.property(eventQueries, check), { numRuns: 600 })
      database.close()
    })
  }

  test('nothing is missing at the end of a range, however long it is', () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const { all } = statementsOn(database)
    for (const descending of [false, true]) {
      for (const { sequence: from } of events) {
        const query = { from, descending, limit: 100 }
        const found = findEvents(all, query, { isMissing: () => false, kinds }, 20)
        assert.deepEqual(
          'rows' in found && (found.rows as EventValues[]).map(storedEvent),
          findEventsByModel(events, query),
        )
      }
    }
    database.close()
  })

  test('events of types that this version does not know are found by their kind', () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const { all } = statementsOn(database)
    // As if the program knew only the kind of crates, and only one type of its events.
    const older = [{ ...crates, events: { 'box.packed.v1': crates.events['box.packed.v1'] } }] as unknown as AnyKind[]
    for (const name of ['box', 'crate']) {
      const query = { kinds: [name], limit: 100 }
      const found = findEvents(all, query, { isMissing: () => false, kinds: older }, 3)
      const rows = 'rows' in found ? found.rows : all(found.slow.sql, ...found.slow.values)
      const expected = findEventsByModel(events, query).filter(
        ({ type, kind }) => kind === 'crate' || type !== 'box.packed.v1',
      )
      assert.deepEqual((rows as EventValues[]).map(storedEvent), expected)
    }
    database.close()
  })

  test('a search that may read much of the log is left to the scan thread', () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const { all } = statementsOn(database)
    const isCheap = (query: Omit<EventQuery, 'limit'>) =>
      'rows' in findEvents(all, { ...query, limit: 7 }, { isMissing: () => false, kinds }, 3)
    const time = events[0]?.at as StoredEvent['at']
    assert.ok(isCheap({}))
    assert.ok(isCheap({ from: 7 }))
    assert.ok(isCheap({ actor: { user: 'ann' } }))
    assert.ok(isCheap({ owner: 'org-1', descending: true }))
    assert.ok(isCheap({ types: ['box.packed.v1', 'box.weighed.v1'] }))
    assert.ok(isCheap({ kinds: ['crate'] }))
    assert.ok(isCheap({ kinds: ['crate'], types: ['box.never.v1'] }))
    assert.ok(!isCheap({ types: Array.from({ length: 200 }, () => 'box.weighed.v1') }))
    assert.ok(!isCheap({ kinds: ['crate'], types: ['box.packed.v1', 'box.weighed.v1'] }))
    assert.ok(!isCheap({ actor: { user: 'ann' }, owner: 'org-1' }))
    assert.ok(!isCheap({ since: time }))
    // Most of the first events match.
    const dense = { ...{ actor: { user: 'bob' }, owner: 'org-1', since: time }, from: 2, limit: 4 }
    assert.ok('rows' in findEvents(all, dense, { isMissing: () => false, kinds }, 10))
    database.close()
  })
})
