/** A search that is remembered finds what the engine finds, whatever has changed since. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { boxContents, packBoxes, queries } from '../../test/support/filter-queries.ts'
import { type BoxCommand, boxes, by, crates } from '../../test/support/sample-kind.ts'
import type { Engine } from './engine.ts'
import type { Query } from './index.ts'
import { compileQuery } from './query/index.ts'
import { Searches, type SearchingEngine } from './searches.ts'
import { Totals } from './totals.ts'

/** An engine that never answers at once, and tells how many searches read all documents. */
function slow(engine: Engine): SearchingEngine & Engine & { searches: number; before: () => Promise<void> } {
  const searching = {
    ...engine,
    dialect: engine.dialect,
    searches: 0,
    before: async () => {},
    find: async (query: Parameters<Engine['find']>[0]) => {
      await searching.before()
      if (!/\bid( collate "C")? in \(select/.test(query.where)) searching.searches++
      return engine.find(query)
    },
  }
  return searching
}

const changes = fc.array(
  fc.tuple(
    fc.nat({ max: 59 }),
    fc.oneof<fc.Arbitrary<BoxCommand>[]>(
      fc.record({ type: fc.constant('label' as const), label: fc.string({ maxLength: 3 }) }),
      fc.record({ type: fc.constant('weigh' as const), weights: fc.array(fc.integer({ min: -3, max: 12 })) }),
      fc.constant({ type: 'remove' as const }),
      fc.constant({ type: 'pack' as const, label: 'new' }),
    ),
  ),
  { maxLength: 6 },
)

for (const engine of engines) {
  suite(`remembered searches on ${engine.name}`, () => {
    let opened: TestStore
    let reading: Engine
    let number = 0
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      reading = await opened.engine()
      await reading.prepare([boxes, crates])
      await packBoxes(opened.store, fc.sample(boxContents, { seed: 12, numRuns: 120 }))
    })
    after(() => opened.dispose())

    const open = (few?: number) => {
      const searching = slow(reading)
      const searches = new Searches(searching, new Totals(searching), 0, few)
      const compile = (query: Query) => ({ ...compileQuery(boxes, query, reading.dialect), isTextSearch: true })
      const find = (query: Query) => searches.find(boxes, query, compile(query))
      return { searching, find }
    }
    const pack = (label: string, id = `search ${++number}`) =>
      opened.store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label, weight: 3 }, 'org-1'))
    const change = async ([index, command]: readonly [number, BoxCommand]): Promise<void> => {
      const id = command.type === 'pack' ? `new-${++number}` : `id-${index % 7}-${index}`
      const unique = 'label' in command ? { ...command, label: `${command.label}#${++number}` } : command
      // A box that is already removed refuses.
      await opened.store.write(by('ann', 1_003), (work) => work.decide(boxes, id, unique, 'a')).catch(() => undefined)
    }
    const needle = { where: { field: 'label', contains: 'needle' }, limit: 5 } as const

    test('they find what the engine finds, on any page', async () => {
      const { find } = open()
      const check = async (
        asked: readonly Query[],
        changed: readonly (readonly [number, BoxCommand])[],
        offset: number,
      ) => {
        for (const query of asked) await find(query)
        for (const one of changed) await change(one)
        for (const query of [...asked, ...asked.map((one) => ({ ...one, offset, limit: 2 }))]) {
          const expected = await reading.find(compileQuery(boxes, query, reading.dialect))
          const found = await find(query)
          assert.equal(found.total, expected.total, JSON.stringify(query))
          const ids = [found, expected].map(({ rows }) => rows.map(({ id }) => id))
          assert.deepEqual(ids[0], ids[1], JSON.stringify(query))
        }
      }
      const asked = fc.array(queries as fc.Arbitrary<Query>, { minLength: 4, maxLength: 4 })
      await fc.assert(fc.asyncProperty(asked, changes, fc.nat({ max: 4 }), check), { numRuns: 60 })
    })

    test('a search that is asked for again does not read all documents again', async () => {
      const { searching, find } = open()
      for (let found = 0; found < 4; found++) {
        await pack(`needle ${++number}`)
        await pack(`other ${++number}`)
        assert.equal((await find(needle)).total, found + 1)
      }
      assert.equal(searching.searches, 1)
      const first = (await find({ ...needle, limit: 1, descending: true })).rows[0]
      assert.match(String(first && JSON.parse(first.state).label), /needle/)
      assert.equal(searching.searches, 1)
    })

    test('a search whose matches become many finds all of them', async () => {
      const { find } = open(3)
      const straw = { where: { field: 'label', contains: 'straw' }, limit: 2 } as const
      for (const label of ['straw 1', 'straw 2', 'straw 3']) await pack(label)
      assert.equal((await find(straw)).total, 3)
      for (const label of ['a straw', 'b straw']) await pack(label)
      for (let times = 0; times < 2; times++) assert.equal((await find(straw)).total, 5)
    })

    test('what is written while it searches is found', async () => {
      const { searching, find } = open()
      const { total } = await find(needle)
      let writes = 0
      searching.before = async () => {
        if (writes++ === 0) await pack(`needle ${++number}`)
      }
      assert.equal((await find(needle)).total, total + 1)
      assert.equal(searching.searches, 1)
      // With a write before each answer, it gives up and reads all.
      searching.before = async () => void (await pack(`needle ${++number}`))
      assert.ok((await find(needle)).total >= total + 4)
      assert.equal(searching.searches, 2)
    })

    test('all documents are read again after streams were removed, and after a rebuild', async () => {
      const { searching, find } = open()
      const removed = `removed ${++number}`
      await pack(`needle ${removed}`, removed)
      const { total } = await find(needle)
      await opened.store.write(by('ann'), async (work) => {
        await work.removeStream(boxes, removed)
        await work.decide(crates, `record-${++number}`, { type: 'pack', label: 'record' }, 'org-1')
      })
      assert.equal((await find(needle)).total, total - 1)
      assert.equal(searching.searches, 2)
      await opened.store.rebuild([boxes])
      // The other engine of this process has a snapshot until its turn of the event loop ends.
      await nextTurn()
      assert.equal((await find(needle)).total, total - 1)
      assert.equal(searching.searches, 3)
    })
  })
}
