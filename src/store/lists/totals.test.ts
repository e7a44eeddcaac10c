/** Totals that are remembered and brought up to date are those that counting gives, and pages do not depend on them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { boxContents, packBoxes, queries } from '../../../test/support/filter-queries.ts'
import { type BoxCommand, boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { asOneRequest } from '../cache/read-scope.ts'
import type { Engine } from '../engine.ts'
import type { Query } from '../index.ts'
import { compileQuery } from '../query/index.ts'
import { type CountingEngine, Totals } from './totals.ts'

/** An engine that counts only when it has to, as for long lists, and tells how often. */
function countingSeldom(engine: Engine): CountingEngine & { counts: number } {
  const counting = {
    counts: 0,
    find: async (query: Parameters<Engine['find']>[0]) => {
      const found = await engine.find(query)
      if (query.knownTotal !== undefined) return { ...found, total: undefined }
      counting.counts++
      return found
    },
    changedStreams: engine.changedStreams,
    countAmong: engine.countAmong,
    values: engine.values,
    dialect: engine.dialect,
  }
  return counting
}

/** Changes that make a box match or no longer match; of one box several, and of a kind with the same events. */
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

for (const engine of bothEngines) {
  suite(`remembered totals on ${engine.name}`, () => {
    let opened: TestStore
    let reading: Engine
    let number = 0
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      reading = await opened.engine()
      await reading.prepare([boxes, crates])
      await packBoxes(opened.store, fc.sample(boxContents, { seed: 11, numRuns: 120 }))
    })
    after(() => opened.dispose())

    const compile = (query: Query) => compileQuery(boxes, query, reading.dialect)
    const pack = (label = `total ${++number}`) =>
      opened.store.write(by('ann'), (work) => work.decide(boxes, label, { type: 'pack', label, weight: 3 }, 'org-1'))
    const change = async ([index, command]: readonly [number, BoxCommand]): Promise<void> => {
      const isNew = command.type === 'pack'
      const id = isNew ? `new-${++number}` : `id-${index % 7}-${index}`
      const unique = 'label' in command ? { ...command, label: `${command.label}#${++number}` } : command
      // A box that is already removed refuses.
      await opened.store.write(by('ann', 1_003), (work) => work.decide(boxes, id, unique, 'a')).catch(() => undefined)
    }

    test('they are those that counting gives, whatever changed since', async () => {
      const counting = countingSeldom(reading)
      const totals = new Totals(counting, 0)
      const check = async (asked: readonly Query[], changed: readonly (readonly [number, BoxCommand])[]) => {
        for (const query of asked) await totals.find(boxes, compile(query))
        for (const one of changed) await change(one)
        for (const query of asked) {
          const [remembered, expected] = [await totals.find(boxes, compile(query)), await reading.find(compile(query))]
          assert.equal(remembered.total, expected.total, JSON.stringify(query))
          const ids = [remembered, expected].map(({ rows }) => rows.map(({ id }) => id))
          assert.deepEqual(ids[0], ids[1], JSON.stringify(query))
        }
      }
      const byTime = fc.record({ orderBy: fc.constantFrom('createdAt', 'changedAt'), offset: fc.constant(0) })
      const any = fc.tuple(queries, fc.option(byTime)).map(([query, order]) => ({ ...query, ...order }) as Query)
      const asked = fc.array(any, { minLength: 4, maxLength: 4 })
      await fc.assert(fc.asyncProperty(asked, changes, check), { numRuns: 60 })
    })

    test('a list that is asked for again is not counted again', async () => {
      const counting = countingSeldom(reading)
      const totals = new Totals(counting, 0)
      const query = compile({ where: { field: 'weight', equals: 3 }, limit: 5 })
      const { total } = await totals.find(boxes, query)
      for (let added = 1; added <= 5; added++) {
        await pack()
        assert.equal((await totals.find(boxes, query)).total, total + added)
      }
      assert.equal(counting.counts, 1)
    })

    test('they are those of the moment when they were counted, not of when the request began', async () => {
      const totals = new Totals(reading, 0)
      const query = compile({ where: { field: 'weight', atLeast: 1 }, limit: 1 })
      await pack()
      const begun = Promise.withResolvers<void>()
      const packed = begun.promise.then(() => pack())
      await asOneRequest(async () => {
        await reading.get('box', 'total 1')
        begun.resolve()
        await packed
        for (const _ of [1, 2, 3]) await totals.find(boxes, query)
      })
      const { total } = await (await opened.engine()).find({ ...query, limit: 0 })
      assert.equal((await totals.find(boxes, query)).total, total)
    })

    test('they are counted again after streams were removed from the log', async () => {
      const totals = new Totals(countingSeldom(reading), 0)
      const query = compile({ limit: 5 })
      await pack('removed')
      const { total } = await totals.find(boxes, query)
      await opened.store.write(by('ann'), async (work) => {
        await work.removeStream(boxes, 'removed')
        await work.decide(crates, `record-${++number}`, { type: 'pack', label: 'record' }, 'org-1')
      })
      assert.equal((await totals.find(boxes, query)).total, total - 1)
    })

    test('they are counted again after more changes than are worth reading', async () => {
      const counting = countingSeldom(reading)
      const totals = new Totals(counting, 0)
      const query = compile({ limit: 5 })
      const { total } = await totals.find(boxes, query)
      await pack('heavy')
      for (let round = 0; round < 3; round++) {
        const weights = Array.from({ length: 900 }, (_, index) => index)
        await opened.store.write(by('ann'), (work) => work.decide(boxes, 'heavy', { type: 'weigh', weights }))
      }
      assert.equal((await totals.find(boxes, query)).total, total + 1)
      assert.equal(counting.counts, 2)
    })

    test('they are counted again after a rebuild, which may change documents without an event', async () => {
      const counting = countingSeldom(reading)
      const totals = new Totals(counting, 0)
      const query = compile({ limit: 5 })
      const { total } = await totals.find(boxes, query)
      await opened.store.rebuild([boxes])
      // The other engine of this process has a snapshot until its turn of the event loop ends.
      await nextTurn()
      assert.equal((await totals.find(boxes, query)).total, total)
      assert.equal(counting.counts, 2)
    })
  })
}
