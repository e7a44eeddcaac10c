/** Lists that depend on documents of another kind: their totals are counted each time, and few values are looked up first. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { bothEngines, openTestStore, type TestEngine } from '../../../test/support/engines.ts'
import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { instant } from '../../kernel/instant.ts'
import { type AnyKind, type Filter, kind, type Query } from '../index.ts'
import { columnOf } from '../query/columns.ts'
import { compileQuery } from '../query/index.ts'
import { lookUpRelated } from './related.ts'

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
const said = { ids: 'own', waits: false, path: false, version: 1 } as const
const shared = { ...said, events, decider, refusals: {}, fields, isGone: ({ size }: Thing) => size < 0 }
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
    store.write({ actor: { user: 'test' }, at: instant(++now) }, (work) => work.decide(kind, id, thing, 'org'))
  const find = async (query: Query) => reading.find(compileQuery(books, query, reading.dialect))
  return { reading, put, find }
}

for (const engine of bothEngines) {
  suite(`lists that depend on documents of another kind on ${engine.name}`, () => {
    test('have what begins to match by a change of another kind', async (t) => {
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
      const lookUp = (where: Filter, most: number | undefined) => {
        const { mostLookedUp: _, ...dialect } = reading.dialect
        const on = {
          values: (kind: AnyKind, where: Filter, field: string, limit: number) =>
            reading.values(compileQuery(kind, { where, limit: 0 }, dialect), columnOf(kind, field).sql, limit),
          dialect: most === undefined ? dialect : { ...dialect, mostLookedUp: most },
        }
        return lookUpRelated({ all: [{ not: where }] }, on)
      }
      const found = { all: [{ not: { field: 'of', in: ['a', 'b', 'c'] } }] }
      assert.deepEqual(await lookUp(onLargeShelves, 3), found)
      assert.deepEqual(await lookUp(onLargeShelves, 2), { all: [{ not: onLargeShelves }] })
      assert.deepEqual(await lookUp(onLargeShelves, undefined), { all: [{ not: onLargeShelves }] })
      const few = { field: 'of', among: { ...onLargeShelves.among, few: true } } as const
      assert.deepEqual(await lookUp(few, undefined), found)
      const named = { ...onLargeShelves.among, where: { field: 'id', contains: 'a' } }
      const withTextInside = { field: 'of', among: named } as const
      assert.deepEqual(await lookUp(withTextInside, undefined), { all: [{ not: { field: 'of', in: ['a'] } }] })
      const all = { field: 'of', among: { kind: shelves, field: 'id', where: { all: [] } } } as const
      assert.deepEqual(await lookUp(all, 3), { all: [{ not: all }] })
      const many = { any: Array(9).fill(onLargeShelves) }
      assert.deepEqual(await lookUp(many, 3), { all: [{ not: many }] })
    })
  })
}
