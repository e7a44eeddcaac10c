/** Lists that depend on documents of another kind: they are remembered as long as nothing that they depend on changes. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestEngine } from '../../test/support/engines.ts'
import { accept, type Decider } from '../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../kernel/event.ts'
import { instant } from '../kernel/instant.ts'
import { type AnyKind, type Filter, kind, type Query } from './index.ts'
import { columnOf } from './query/columns.ts'
import { compileQuery } from './query/index.ts'
import { lookUpRelated, relationsOf } from './related.ts'
import { Totals } from './totals.ts'

interface Thing {
  readonly of?: string
  readonly size: number
}

const events = declareEvents({ 'thing.written.v1': data<Thing>() })
const decider: Decider<Thing, Thing, EventOf<typeof events>, never> = {
  initial: { size: 0 },
  evolve: (_, { data }) => data,
  decide: (thing) => accept({ type: 'thing.written.v1', data: thing }),
}
const fields = { of: { path: ['of'], type: 'text' }, size: { path: ['size'], type: 'number' } } as const
const shared = { version: 1, events, decider, refusals: {}, fields, isGone: ({ size }: Thing) => size < 0 }
const shelves = kind({ name: 'shelf', ...shared })
const books = kind({ name: 'book', ...shared })

const onLargeShelves = {
  field: 'of',
  among: { kind: shelves, field: 'id', where: { field: 'size', atLeast: 3 } },
} as const

async function openLibrary(t: TestContext, engine: TestEngine) {
  const { store, dispose, ...opened } = await openTestStore([shelves, books], engine)
  t.after(dispose)
  const reading = await opened.engine()
  await reading.prepare([shelves, books])
  let now = 0
  const put = (kind: typeof books | typeof shelves, id: string, thing: Thing) =>
    store.write({ actor: 'test', at: instant(++now) }, (work) => work.decide(kind, id, thing, 'org'))
  const counted = { times: 0 }
  const totals = new Totals(
    {
      ...reading,
      dialect: reading.dialect,
      async find(query) {
        const found = await reading.find(query)
        if (query.knownTotal === undefined) counted.times++
        return query.knownTotal === undefined ? found : { ...found, total: undefined }
      },
    },
    0,
  )
  const compile = (query: Query) => compileQuery(books, query, reading.dialect)
  const find = (query: Query) => totals.find(books, compile(query), relationsOf(query.where ?? { all: [] }, reading))
  return { reading, put, counted, compile, find }
}

for (const engine of bothEngines) {
  suite(`totals that depend on documents of another kind on ${engine.name}`, () => {
    test('are those that counting gives, whatever changed since', async (t) => {
      const { reading, put, compile, find } = await openLibrary(t, engine)
      const size = fc.integer({ min: -1, max: 5 })
      const shelf = fc.constantFrom('s1', 's2', 's3', 's4')
      const change = fc.oneof(
        fc.record({ kind: fc.constant(shelves), id: shelf, thing: fc.record({ size }) }),
        fc.record({
          kind: fc.constant(books),
          id: fc.constantFrom('b1', 'b2', 'b3', 'b4', 'b5', 'b6'),
          thing: fc.record({ of: shelf, size: fc.integer({ min: 0, max: 5 }) }),
        }),
      )
      const wheres: Filter[] = [
        onLargeShelves,
        { not: onLargeShelves },
        { all: [{ field: 'size', atMost: 2 }, { any: [onLargeShelves, { field: 'size', equals: 1 }] }] },
        { field: 'of', among: { kind: shelves, field: 'id', where: { all: [] } } },
        { field: 'size', among: { kind: shelves, field: 'size', where: { field: 'size', above: 1 } } },
        { field: 'of', among: { kind: books, field: 'of', where: onLargeShelves } },
        { field: 'of', oneOf: ['s1', 's3'] },
        { not: { field: 'of', oneOf: [] } },
      ]
      const orders: Omit<Query, 'limit'>[] = [{ offset: 1 }, { offset: 0 }]
      await put(books, 'b0', { of: 's1', size: 1 })
      await put(shelves, 's1', { size: 4 })
      const check = async (changes: readonly { kind: typeof books | typeof shelves; id: string; thing: Thing }[]) => {
        for (const { kind, id, thing } of changes) {
          // What is gone stays so.
          await put(kind, id, thing).catch(() => undefined)
        }
        for (const [where, order] of wheres.flatMap((one) => orders.map((order) => [one, order] as const))) {
          const query = { where, ...order, limit: 3 }
          const expected = await reading.find(compile(query))
          const remembered = await find(query)
          assert.equal(remembered.total, expected.total, JSON.stringify(where))
          assert.deepEqual(
            remembered.rows.map(({ id }) => id),
            expected.rows.map(({ id }) => id),
          )
        }
      }
      await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), check), { numRuns: 60 })
    })

    test('are counted again only when a change may matter', async (t) => {
      const { put, counted, find } = await openLibrary(t, engine)
      await put(shelves, 'large', { size: 5 })
      await put(shelves, 'small', { size: 1 })
      await put(books, 'one', { of: 'large', size: 1 })
      const countsFor = async (total: number, ...changes: Parameters<typeof put>[]) => {
        for (const change of changes) await put(...change)
        const before = counted.times
        assert.equal((await find({ where: onLargeShelves, limit: 5 })).total, total)
        return counted.times - before
      }
      assert.equal(await countsFor(1), 1)
      assert.equal(await countsFor(1), 0)
      assert.equal(await countsFor(2, [books, 'two', { of: 'large', size: 1 }]), 0)
      assert.equal(await countsFor(1, [books, 'two', { of: 'small', size: 1 }]), 0)
      // Still large, still small, and large without books.
      assert.equal(await countsFor(1, [shelves, 'large', { size: 4 }], [shelves, 'small', { size: 2 }]), 0)
      assert.equal(await countsFor(1, [shelves, 'empty', { size: 9 }]), 0)
      assert.equal(await countsFor(2, [shelves, 'small', { size: 7 }]), 1)
      assert.equal(await countsFor(2), 0)
      // A shelf that was large only for a moment.
      const [small, large] = [{ size: 2 }, { size: 3 }]
      assert.equal(await countsFor(2, [shelves, 'small', small], [shelves, 'small', large]), 1)
      // A book that was on it only for a moment.
      const [there, back] = [
        { of: 'new', size: 1 },
        { of: 'large', size: 1 },
      ]
      assert.equal(await countsFor(2, [shelves, 'new', large], [books, 'one', there], [books, 'one', back]), 1)
    })

    test('a remembered list has what begins to match by a change of another kind', async (t) => {
      const { put, find } = await openLibrary(t, engine)
      const nested = { field: 'of', among: { kind: books, field: 'of', where: onLargeShelves } } as const
      await put(shelves, 'one', { size: 1 })
      await put(books, 'old', { of: 'one', size: 1 })
      for (const where of [onLargeShelves, nested]) {
        for (const [size, total] of [
          [1, 0],
          [4, 1],
          [1, 0],
        ] as const) {
          await put(shelves, 'one', { size })
          assert.equal((await find({ where, limit: 5 })).total, total, JSON.stringify(where))
        }
      }
    })

    test('related values are looked up first when they are not too many', async (t) => {
      const { reading, put } = await openLibrary(t, engine)
      for (const id of ['c', 'a', 'b']) await put(shelves, id, { size: 3 })
      const lookUp = (where: Filter, most: number | undefined, tooMany = new Map<string, number>()) => {
        const { mostLookedUp: _, ...dialect } = reading.dialect
        const on = {
          values: (kind: AnyKind, where: Filter, field: string, limit: number) =>
            reading.values(compileQuery(kind, { where, limit: 0 }, dialect), columnOf(kind, field).sql, limit),
          dialect: most === undefined ? dialect : { ...dialect, mostLookedUp: most },
          tooMany,
        }
        return lookUpRelated({ all: [{ not: where }] }, on)
      }
      const found = { all: [{ not: { field: 'of', oneOf: ['a', 'b', 'c'] } }] }
      assert.deepEqual(await lookUp(onLargeShelves, 3), found)
      assert.deepEqual(await lookUp(onLargeShelves, 2), { all: [{ not: onLargeShelves }] })
      assert.deepEqual(await lookUp(onLargeShelves, undefined), { all: [{ not: onLargeShelves }] })
      const few = { field: 'of', among: { ...onLargeShelves.among, few: true } } as const
      assert.deepEqual(await lookUp(few, undefined), found)
      const named = { ...onLargeShelves.among, where: { field: 'id', contains: 'a' } }
      const withTextInside = { field: 'of', among: named } as const
      assert.deepEqual(await lookUp(withTextInside, undefined), { all: [{ not: { field: 'of', oneOf: ['a'] } }] })
      const all = { field: 'of', among: { kind: shelves, field: 'id', where: { all: [] } } } as const
      assert.deepEqual(await lookUp(all, 3), { all: [{ not: all }] })
      const many = { any: Array(9).fill(onLargeShelves) }
      assert.deepEqual(await lookUp(many, 3), { all: [{ not: many }] })
      assert.equal(relationsOf(many, reading), 'complex')
      // Where there were too many, they are not looked up again for a while.
      const tooMany = new Map<string, number>()
      assert.deepEqual(await lookUp(onLargeShelves, 2, tooMany), { all: [{ not: onLargeShelves }] })
      assert.deepEqual(await lookUp(onLargeShelves, 3, tooMany), { all: [{ not: onLargeShelves }] })
      const long = { field: 'id', in: ['c', 'a', 'b', ...Array.from({ length: 400 }, () => 'x'.repeat(20))] } as const
      await lookUp({ field: 'of', among: { ...onLargeShelves.among, where: long } }, 2, tooMany)
      assert.equal(tooMany.size, 1)
      for (const key of tooMany.keys()) tooMany.set(key, 0)
      assert.deepEqual(await lookUp(onLargeShelves, 3, tooMany), found)
    })
  })
}
