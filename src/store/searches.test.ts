/** A search in texts that are in memory finds what the engine finds, whatever has changed since they were read. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { boxContents, packBoxes, queries } from '../../test/support/filter-queries.ts'
import { type BoxCommand, boxes, by, crates } from '../../test/support/sample-kind.ts'
import { slow } from '../../test/support/slow-engine.ts'
import type { Engine } from './engine.ts'
import type { Query } from './index.ts'
import { columnOf } from './query/columns.ts'
import { compileQuery } from './query/index.ts'
import { conditionsInside } from './query/inside-texts.ts'
import { Searches, type SearchOptions } from './searches.ts'
import { TEXT_LIMITS, type TextLimits, TextsInMemory } from './texts-in-memory.ts'
import { Totals } from './totals.ts'

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

type Options = Partial<TextLimits & Pick<SearchOptions, 'most' | 'slowMs'>>

for (const engine of bothEngines) {
  suite(`searches inside texts on ${engine.name}`, () => {
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

    const open = ({ most = 20_000, slowMs = Number.POSITIVE_INFINITY, ...limits }: Options = {}) => {
      const searching = slow(reading)
      // So few at a time that every test reads several times.
      const texts = new TextsInMemory(searching, { ...TEXT_LIMITS, rows: 7, changed: 3, ...limits })
      const searches = new Searches(searching, new Totals(searching, most), { slowMs, texts, most })
      const compile = (query: Query) => ({ ...compileQuery(boxes, query, reading.dialect), isTextSearch: true })
      const find = (query: Query) => searches.find(boxes, query, compile(query))
      const load = (query: Query) => texts.load(boxes, conditionsInside(query.where) ?? [])
      const has = (query: Query) => texts.has(boxes, conditionsInside(query.where) ?? [])
      return { searching, searches, find, load, has }
    }
    const pack = (label: string, id = `search ${++number}`) =>
      opened.store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label, weight: 3 }, 'org-1'))
    const change = async ([index, command]: readonly [number, BoxCommand]): Promise<void> => {
      const id = command.type === 'pack' ? `new-${++number}` : `id-${index % 7}-${index}`
      const unique = 'label' in command ? { ...command, label: `${command.label}#${++number}` } : command
      // A box that is already removed refuses.
      await opened.store.write(by('ann', 1_003), (work) => work.decide(boxes, id, unique, 'a')).catch(() => undefined)
    }
    const sizeOfLabels = async () => {
      const query = compileQuery(boxes, { orderBy: 'label', limit: 10_000 }, reading.dialect)
      const { ids, texts } = await reading.texts(query, columnOf(boxes, 'label'))
      return [...ids, ...texts].reduce((bytes, text) => bytes + Buffer.byteLength(text ?? '') + 4, 0)
    }
    const needle = { where: { field: 'label', contains: 'needle' }, limit: 5 } as const

    test('they find what the engine finds, on any page', async () => {
      const { find, load, searches } = open()
      const check = async (
        asked: readonly Query[],
        changed: readonly (readonly [number, BoxCommand])[],
        offset: number,
      ) => {
        for (const query of asked) await load(query)
        for (const one of changed) await change(one)
        for (const query of [...asked, ...asked.map((one) => ({ ...one, offset, limit: 2 }))]) {
          const compiled = compileQuery(boxes, query, reading.dialect)
          const expected = await reading.find(compiled)
          const found = await find(query)
          assert.equal(found.total, expected.total, JSON.stringify(query))
          const ids = [found, expected].map(({ rows }) => rows.map(({ id }) => id))
          assert.deepEqual(ids[0], ids[1], JSON.stringify(query))
          const values = await searches.values(boxes, query.where ?? { all: [] }, 'id', 1_000)
          assert.deepEqual(values.toSorted(), (await reading.values(compiled, 'id', 1_000)).toSorted())
        }
      }
      const asked = fc.array(queries as fc.Arbitrary<Query>, { minLength: 4, maxLength: 4 })
      await fc.assert(fc.asyncProperty(asked, changes, fc.nat({ max: 4 }), check), { numRuns: 60 })
    })

    test('after a slow one, no search in the same field reads all documents', async () => {
      const { searching, searches, find, load, has } = open({ slowMs: 0 })
      assert.equal((await find(needle)).total, 0)
      assert.equal(has(needle), true)
      await load(needle)
      for (let found = 1; found < 9; found++) {
        await pack(`needle ${++number}`)
        await pack(`other ${++number}`)
        assert.equal((await find(needle)).total, found)
        assert.equal((await searches.values(boxes, needle.where, 'id', 100)).length, found)
      }
      await pack('a haystack')
      assert.equal((await find({ where: { field: 'label', endsWith: 'stack' }, limit: 5 })).total, 1)
      const first = (await find({ ...needle, limit: 1, descending: true })).rows[0]
      assert.match(String(first && JSON.parse(first.state).label), /needle/)
      assert.equal(searching.searches, 1)
    })

    test('what matches is no longer found when it changes', async () => {
      const { find, load } = open()
      const labels = (await find(needle)).total
      await load(needle)
      const id = `renamed ${++number}`
      await pack(`needle ${id}`, id)
      assert.equal((await find(needle)).total, labels + 1)
      await opened.store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'label', label: id }, 'org-1'))
      assert.equal((await find(needle)).total, labels)
    })

    test('one with more matches than are compared one by one finds all of them', async () => {
      const { find, load } = open({ most: 3 })
      const straw = { where: { field: 'label', contains: 'straw' }, limit: 2 } as const
      for (const label of ['straw 1', 'straw 2', 'straw 3']) await pack(label)
      await load(straw)
      assert.equal((await find(straw)).total, 3)
      for (const label of ['a straw', 'b straw']) await pack(label)
      for (let times = 0; times < 2; times++) assert.equal((await find(straw)).total, 5)
    })

    test('texts are not read because of a search that has more matches, and such a search does not wait for them', async () => {
      const { searching, find, load, has } = open({ most: 3, slowMs: 0 })
      const box = { where: { field: 'label', contains: '#' }, limit: 2 } as const
      for (let label = 0; label < 9; label++) await pack(`# ${++number}`)
      const { total } = await find(box)
      assert.ok(total > 3)
      assert.equal(has(box), false)
      const released = Promise.withResolvers<void>()
      searching.beforeTexts = () => released.promise
      const loading = load(box)
      let isAsked = false
      searching.before = async () => {
        isAsked = true
      }
      const finding = find(box)
      await nextTurn()
      assert.equal(isAsked, true)
      released.resolve()
      assert.equal((await finding).total, total)
      await loading
    })

    test('what is written while it searches is found', async () => {
      const { searching, find, load } = open()
      await load(needle)
      const { total } = await find(needle)
      let writes = 0
      searching.before = async () => {
        if (writes++ === 0) await pack(`needle ${++number}`)
      }
      assert.equal((await find(needle)).total, total + 1)
      assert.equal(searching.searches, 0)
      // With a write before each answer, it gives up and reads all.
      searching.before = async () => void (await pack(`needle ${++number}`))
      assert.ok((await find(needle)).total >= total + 4)
      assert.equal(searching.searches, 1)
    })

    test('what changes while texts are read is found', async () => {
      const { searching, find, load } = open()
      const { total } = await find(needle)
      const [first, last] = [`first ${++number}`, `last ${++number}`]
      await pack(`! ${first}`, first)
      await pack(`~ ${last}`, last)
      let parts = 0
      searching.beforeTexts = async () => {
        // From the part that is read last into that which was read first, and the other way around.
        const label = (id: string, text: string) =>
          opened.store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'label', label: text }, 'org-1'))
        if (parts++ === 2) await Promise.all([label(last, `! needle ${last}`), label(first, `~ needle ${first}`)])
      }
      await load(needle)
      assert.ok(parts > 3)
      assert.equal((await find(needle)).total, total + 2)
      assert.equal(searching.searches, 1)
    })

    test('what changes again while texts of changed documents are read is found', async () => {
      const { searching, find, load } = open()
      const { total } = await find(needle)
      await load(needle)
      const ids = ['a', 'b', 'c', 'd'].map((id) => `again ${id} ${++number}`)
      for (const id of ids) await pack(`hay ${id}`, id)
      const [released, { texts }] = [Promise.withResolvers<void>(), searching]
      let another: Promise<unknown> | undefined
      searching.texts = async (...asked) => {
        const read = await texts(...asked)
        searching.texts = async (...later) => {
          await released.promise
          return texts(...later)
        }
        const [id = ''] = ids
        await opened.store.write(by('ann'), (work) =>
          work.decide(boxes, id, { type: 'label', label: `needle ${id}` }, 'org-1'),
        )
        // Another search learns of this change, but has not read the text when this one adds what it has read.
        another = Promise.resolve(find(needle))
        await sleep(50)
        return read
      }
      await find(needle)
      assert.equal((await find(needle)).total, total + 1)
      released.resolve()
      await another
      assert.equal((await find(needle)).total, total + 1)
    })

    test('searches that arrive while texts are read wait for them', async () => {
      const { searching, find, load } = open()
      const { total } = await find(needle)
      const loading = load(needle)
      const [one, other] = await Promise.all([find(needle), find({ ...needle, limit: 1 })])
      assert.deepEqual([one.total, other.total, searching.searches], [total, total, 1])
      await loading
    })

    test('a failure to read texts leaves searches as they are', async () => {
      const { searching, find, load, has } = open()
      searching.beforeTexts = () => Promise.reject(new Error('the database is away'))
      const { total } = await find(needle)
      await assert.rejects(load(needle), /away/)
      assert.equal(has(needle), false)
      assert.equal((await find(needle)).total, total)
      assert.equal(searching.searches, 2)
    })

    test('texts that need more memory than they may are not kept, and not read each time', async () => {
      const { searching, find, load, has } = open({ bytes: 500 })
      let parts = 0
      searching.beforeTexts = async () => void parts++
      for (let times = 1; times < 4; times++) {
        await find(needle)
        await load(needle)
        assert.equal(has(needle), false)
        assert.equal(searching.searches, times)
      }
      assert.ok(parts > 0 && parts < 9, `${parts}`)
    })

    test('texts of several fields are read one after the other', async () => {
      const { searching, load, has } = open()
      const owner = { where: { field: 'owner', contains: 'needle' }, limit: 5 } as const
      let [reading, most] = [0, 0]
      const { texts } = searching
      searching.texts = async (...asked) => {
        most = Math.max(most, ++reading)
        const read = await texts(...asked)
        reading--
        return read
      }
      await Promise.all([load(needle), load(owner)])
      assert.deepEqual([has(needle), has(owner), most], [true, true, 1])
    })

    test('texts that would grow beyond their memory by changes are dropped', async () => {
      const { find, load, has } = open({ bytes: (await sizeOfLabels()) + 200 })
      await load(needle)
      assert.equal(has(needle), true)
      for (const id of ['a', 'b', 'c', 'd']) await pack(`${id.repeat(50)} ${++number}`)
      const { total } = await reading.find(compileQuery(boxes, needle, reading.dialect))
      assert.equal((await find(needle)).total, total)
      assert.equal(has(needle), false)
    })

    test('an answer about changes that arrives late does not hide a later change', async () => {
      const { searching, find, load } = open()
      await load(needle)
      const ids = ['a', 'b', 'c', 'd'].map((id) => `late ${id} ${++number}`)
      for (const id of ids) await pack(id, id)
      const [late, arrived, released] = [0, 1, 2].map(() => Promise.withResolvers<void>())
      let answers = 0
      searching.changedIds = async (...asked) => {
        const answer = await reading.changedIds(...asked)
        if (++answers === 1) await late?.promise
        return answer
      }
      searching.texts = async (...asked) => {
        const read = await reading.texts(...asked)
        arrived?.resolve()
        await released?.promise
        return read
      }
      const first = find(needle)
      while (answers === 0) await nextTurn()
      const second = find(needle)
      await arrived?.promise
      const label = `needle ${++number}`
      await opened.store.write(by('ann'), (work) => work.decide(boxes, ids[0] ?? '', { type: 'label', label }, 'org-1'))
      const third = find(needle)
      while (answers < 3) await nextTurn()
      await nextTurn()
      late?.resolve()
      await nextTurn()
      released?.resolve()
      await second
      const { total } = await reading.find(compileQuery(boxes, needle, reading.dialect))
      assert.equal((await find(needle)).total, total)
      await Promise.all([first, third])
    })

    test('texts of changed documents are read once for all searches that need them', async () => {
      const { searching, find, load } = open()
      await load(needle)
      for (const id of ['a', 'b', 'c', 'd']) await pack(`${id} ${++number}`)
      let reads = 0
      searching.beforeTexts = async () => {
        reads++
      }
      await Promise.all(Array.from({ length: 20 }, () => find(needle)))
      assert.equal(reads, 1)
      for (const id of ['a', 'b', 'c', 'd']) await pack(`${id} needle ${++number}`)
      const { total } = await reading.find(compileQuery(boxes, needle, reading.dialect))
      searching.beforeTexts = () => Promise.reject(new Error('no connection'))
      assert.equal((await find(needle)).total, total)
    })

    test('a filter that is as complex as may be is also found with its texts in memory', async () => {
      const { find, load } = open()
      const wide = Array.from({ length: 899 }, (_, index) => ({ field: 'label', contains: `needle ${index}` }))
      const query = { where: { any: wide }, limit: 5 }
      const { total } = await find(query)
      await load(query)
      assert.equal((await find(query)).total, total)
    })

    test('texts that are in use are not dropped in favour of others', async () => {
      const other = { where: { field: 'owner', contains: 'needle' }, limit: 5 } as const
      const { load, has } = open({ bytes: (await sizeOfLabels()) + 500 })
      await load(needle)
      await load(other)
      assert.deepEqual([has(needle), has(other)], [true, false])
    })

    test('texts are read again when documents were built again, and when too many have changed', async () => {
      const { searching, find, load, has } = open()
      const removed = `removed ${++number}`
      await pack(`needle ${removed}`, removed)
      const { total } = await find(needle)
      await load(needle)
      await opened.store.write(by('ann'), async (work) => {
        await work.removeStream(boxes, removed)
        await work.decide(crates, `record-${++number}`, { type: 'pack', label: 'record' }, 'org-1')
      })
      assert.equal((await find(needle)).total, total - 1)
      assert.equal(searching.searches, 1)
      await opened.store.rebuild([boxes])
      // The other engine of this process has a snapshot until its turn of the event loop ends.
      await nextTurn()
      assert.equal((await find(needle)).total, total - 1)
      assert.equal(searching.searches, 2)
      await load(needle)
      const id = `busy ${++number}`
      await pack(`busy ${id}`, id)
      while (has(needle)) {
        for (const other of ['a', 'b', 'c', 'd']) await pack(`busy ${other} ${++number}`)
        assert.equal((await find(needle)).total, total - 1)
      }
      assert.equal(searching.searches, 2)
    })
  })
}
