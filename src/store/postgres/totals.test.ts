/** Totals that are remembered and brought up to date are those that counting gives, and pages do not depend on them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { boxContents, packBoxes, queries } from '../../../test/support/filter-queries.ts'
import { type FreshDatabase, findPostgres, freshDatabase } from '../../../test/support/postgres.ts'
import { type BoxCommand, boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { asOneRequest } from '../cache/read-scope.ts'
import { openStore, type Query, type Store } from '../index.ts'
import { postgresDialect } from '../query/dialect.ts'
import { compileQuery } from '../query/index.ts'
import { CachedReads } from './cached-reads.ts'
import { listTargets } from './connection.ts'
import { openPostgres } from './index.ts'
import { Pool } from './pool.ts'
import type { KnownQuery } from './read.ts'
import { type Counting, countingIn, Totals } from './totals.ts'
import type { CatchUp } from './versions/catch-up.ts'
import { DocumentKinds } from './versions/document-kinds.ts'

/** Reads as the engine does, but remembers no total by itself. */
function countingOn(url: string): Counting & { readonly reads: CachedReads; close(): Promise<void> } {
  const connecting = { targets: listTargets(url), connectTimeoutMs: 3_000, statementTimeoutMs: 10_000 }
  const [pool, rounds] = [4, 1].map(
    (size) => new Pool({ ...connecting, size, patienceMs: 5_000, maxWaiting: 100 }),
  ) as [Pool, Pool]
  const kinds = new DocumentKinds()
  kinds.resolve([boxes, crates], new Map())
  // There is one version: nothing is ever behind, and no node outdated.
  const catchUp = {} as CatchUp
  const reads = new CachedReads({ rounds, queries: pool, kinds, catchUp, confirm: () => undefined })
  return {
    ...countingIn(pool, (query) => reads.find(query)),
    reads,
    close: async () => {
      await Promise.all([pool.close(), rounds.close()])
    },
  }
}

/** Counts only when it has to, as for long lists, and tells how often. */
function countingSeldom(counting: Counting): Counting & { counts: number } {
  const seldom = {
    ...counting,
    counts: 0,
    find: async (query: KnownQuery) => {
      const found = await counting.find(query)
      if (query.knownTotal !== undefined) return { ...found, total: undefined }
      seldom.counts++
      return found
    },
  }
  return seldom
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

suite('PostgreSQL: remembered totals', { skip: !findPostgres() }, () => {
  let database: FreshDatabase
  let store: Store
  let reading: ReturnType<typeof countingOn>
  let number = 0
  before(async () => {
    database = (await freshDatabase()) as FreshDatabase
    store = await openStore(await openPostgres({ url: database.url }), [boxes, crates])
    reading = countingOn(database.url)
    await packBoxes(store, fc.sample(boxContents, { seed: 11, numRuns: 120 }))
  })
  after(async () => {
    await reading.close()
    await store.close()
    await database.drop()
  })

  const compile = (query: Query) => compileQuery(boxes, query, postgresDialect)
  const pack = (label = `total ${++number}`) =>
    store.write(by('ann'), (work) => work.decide(boxes, label, { type: 'pack', label, weight: 3 }, 'org-1'))
  const change = async ([index, command]: readonly [number, BoxCommand]): Promise<void> => {
    const isNew = command.type === 'pack'
    const id = isNew ? `new-${++number}` : `id-${index % 7}-${index}`
    const unique = 'label' in command ? { ...command, label: `${command.label}#${++number}` } : command
    // A box that is already removed refuses.
    await store.write(by('ann', 1_003), (work) => work.decide(boxes, id, unique, 'a')).catch(() => undefined)
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
      await reading.reads.get('box', 'total 1')
      begun.resolve()
      await packed
      for (const _ of [1, 2, 3]) await totals.find(boxes, query)
    })
    const { total } = await store.find(boxes, { where: { field: 'weight', atLeast: 1 }, limit: 0 })
    assert.equal((await totals.find(boxes, query)).total, total)
  })

  test('they are counted again after streams were removed from the log', async () => {
    const totals = new Totals(countingSeldom(reading), 0)
    const query = compile({ limit: 5 })
    await pack('removed')
    const { total } = await totals.find(boxes, query)
    await store.write(by('ann'), async (work) => {
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
      await store.write(by('ann'), (work) => work.decide(boxes, 'heavy', { type: 'weigh', weights }))
    }
    assert.equal((await totals.find(boxes, query)).total, total + 1)
    assert.equal(counting.counts, 2)
  })

  test('they are counted again after a rebuild, which may change documents without an event', async () => {
    const counting = countingSeldom(reading)
    const totals = new Totals(counting, 0)
    const query = compile({ limit: 5 })
    const { total } = await totals.find(boxes, query)
    await store.rebuild([boxes])
    assert.equal((await totals.find(boxes, query)).total, total)
    assert.equal(counting.counts, 2)
  })
})
