/** The cache of both engines, with two nodes on the same data: reads are never older than what was acknowledged before. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { findPostgres, freshDatabase } from '../../../test/support/postgres.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { computation, kind, openStore, type Store } from '../index.ts'
import { openPostgres } from '../postgres/index.ts'
import { ReadCache } from './read-cache.ts'

function pack(store: Store, id: string, label: string) {
  return store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label }, 'org-1'))
}
function relabel(store: Store, id: string, label: string) {
  return store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'label', label }))
}
function forget(store: Store, id: string, record: string) {
  return store.write(by('ann'), async (work) => {
    await work.removeStream(boxes, id)
    await work.decide(crates, record, { type: 'pack', label: record }, 'org-1')
  })
}
async function labels(store: Store) {
  return (await store.find(boxes, { orderBy: 'id', limit: 10 })).documents.map(({ state }) => state.label)
}

/** What the tests below do while a value is computed. */
let onCompute: (() => unknown) | undefined

const labelOf = computation({
  name: 'label of',
  async compute(finder, id: string) {
    await onCompute?.()
    return (await finder.get(boxes, id))?.state.label ?? 'none'
  },
})
/** The label of a box, computed from its document. */
function computedLabel(store: Store, id: string, act?: () => unknown) {
  onCompute = act
  return store.computed(labelOf, id)
}
const labelsWith = computation({
  name: 'labels with',
  async compute(finder, prefix: string) {
    onCompute?.()
    const { documents } = await finder.find(boxes, {
      where: { field: 'label', startsWith: prefix },
      orderBy: 'id',
      limit: 10,
    })
    return documents.map(({ state }) => state.label).toSorted()
  },
})
/** The labels with a prefix, computed from a search. */
function computedLabels(store: Store, prefix: string, act?: () => unknown) {
  onCompute = act
  return store.computed(labelsWith, prefix)
}
const late = computation({
  name: 'late',
  async compute(finder) {
    const label = (await finder.get(boxes, 'box'))?.state.label
    await onCompute?.()
    return label
  },
})
const related = computation({
  name: 'related',
  compute(finder) {
    const among = { kind: crates, field: 'label', where: { field: 'label', equals: 'a' } } as const
    return finder.find(boxes, { where: { not: { field: 'label', among } }, limit: 1 })
  },
})

async function holderOf(store: Store, label: string) {
  return store.findClaimHolder('label', label)
}

for (const engine of bothEngines) {
  const withTwoStores = async (use: (one: Store, other: Store, opened: TestStore) => Promise<void>): Promise<void> => {
    const opened = await openTestStore([boxes, crates], engine)
    try {
      await use(opened.store, await opened.another(), opened)
    } finally {
      await opened.dispose()
    }
  }

  suite(`the cache of readers on ${engine.name}`, () => {
    test('drops a stream that another process has changed', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
        await relabel(other, 'box', 'b')
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'b')
      }))

    test('drops the entry that there is none when another process has created one', () =>
      withTwoStores(async (one, other) => {
        for (const read of [one, other]) assert.equal(await read.get(boxes, 'box'), undefined)
        await pack(other, 'box', 'a')
        for (const read of [one, other]) assert.equal((await read.get(boxes, 'box'))?.state.label, 'a')
      }))

    test('answers no query once another process has changed something of its kind', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box 1', 'a')
        assert.deepEqual(await labels(one), ['a'])
        await pack(other, 'box 2', 'b')
        assert.deepEqual(await labels(one), ['a', 'b'])
        await relabel(other, 'box 1', 'c')
        assert.deepEqual(await labels(one), ['c', 'b'])
      }))

    test('returns a cached answer with the current sequence', () =>
      withTwoStores(async (one) => {
        await pack(one, 'box 1', 'a')
        const query = { where: { field: 'label', equals: 'a' }, limit: 10 } as const
        const before = await one.find(boxes, query)
        const { sequence } = await one.write(by('ann'), (work) =>
          work.decide(crates, 'crate', { type: 'pack', label: 'b' }, 'org-1'),
        )
        assert.deepEqual({ ...(await one.find(boxes, query)) }, { ...before, sequence })
      }))

    test('is emptied when there are too many changes to follow', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
        await relabel(other, 'box', 'b')
        await Promise.all(Array.from({ length: 300 }, (_, index) => pack(other, `more ${index}`, `label ${index}`)))
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'b')
      }))

    test('drops a kind of which another process has removed a stream, and keeps other kinds', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box 1', 'a')
        await pack(one, 'box 2', 'b')
        assert.equal((await one.get(boxes, 'box 1'))?.state.label, 'a')
        assert.deepEqual(await labels(one), ['a', 'b'])
        await relabel(other, 'box 1', 'c')
        await forget(other, 'box 1', 'record')
        const kept = await one.get(crates, 'record')
        assert.equal(await one.get(boxes, 'box 1'), undefined)
        assert.deepEqual(await labels(one), ['b'])
        await forget(other, 'box 2', 'other record')
        assert.deepEqual(await labels(one), [])
        assert.equal((await one.get(crates, 'record'))?.state, kept?.state)
      }))

    test('is emptied when another process has rebuilt the documents', () =>
      withTwoStores(async (one, _other, opened) => {
        await pack(one, 'box', 'a')
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
        const { decider } = boxes
        const shouting = kind({
          ...boxes,
          decider: {
            ...decider,
            evolve: (state, event) => {
              const next = decider.evolve(state, event)
              return 'label' in next && next.label !== undefined ? { ...next, label: next.label.toUpperCase() } : next
            },
          },
        })
        const newer = await openStore(await opened.engine(), [shouting, crates])
        await newer.rebuild([shouting])
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'A')
        await newer.close()
      }))

    test('never differs from what was last acknowledged, on any writer and reader', () =>
      withTwoStores(async (one, other) => {
        const stores = [one, other]
        let run = 0
        const step = fc.tuple(fc.nat(1), fc.nat(1), fc.nat(3), fc.nat(3))
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
            const prefix = `${++run} `
            const expected = new Map<string, string>()
            for (const [index, [writer, reader, box, chance]] of steps.entries()) {
              const id = `${prefix}${box}`
              const label = `${prefix}${index}`
              const [write, read] = [stores[writer] as Store, stores[reader] as Store]
              if (chance === 0) {
                await forget(write, id, label)
                expected.delete(id)
                assert.equal(await read.get(boxes, id), undefined)
              } else {
                await (expected.has(id) ? relabel(write, id, label) : pack(write, id, label))
                expected.set(id, label)
              }
              await read.asOneRequest(async () => {
                assert.deepEqual(await computedLabels(read, prefix), [...expected.values()].toSorted())
                for (const [known, last] of expected) {
                  assert.equal(await computedLabel(read, known), last)
                  assert.equal((await read.get(boxes, known))?.state.label, last)
                  assert.equal(await holderOf(read, last), known)
                  const found = await read.find(boxes, { where: { field: 'label', equals: last }, limit: 5 })
                  assert.deepEqual(
                    found.documents.map((document) => document.id),
                    [known],
                  )
                }
              })
            }
          }),
          { numRuns: 15 },
        )
      }))

    test('drops the holder of a claim that was given up, and knows the next one', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box 1', 'a')
        assert.equal(await holderOf(one, 'a'), 'box 1')
        await relabel(other, 'box 1', 'b')
        assert.equal(await holderOf(one, 'a'), undefined)
        await pack(other, 'box 2', 'a')
        assert.equal(await holderOf(one, 'a'), 'box 2')
        await forget(other, 'box 2', 'record')
        assert.equal(await holderOf(one, 'a'), undefined)
        assert.equal(await holderOf(one, 'b'), 'box 1')
      }))

    test('keeps a computed value until a document changes that was read for it', () =>
      withTwoStores(async (one, other) => {
        let times = 0
        const compute = () => one.asOneRequest(() => computedLabel(one, 'box', () => times++))
        await pack(one, 'box', 'a')
        await one.get(boxes, 'box')
        for (const _ of [1, 2, 3]) assert.equal(await compute(), 'a')
        const before = times
        await pack(other, 'other box', 'b')
        assert.equal(await compute(), 'a')
        assert.equal(times, before)
        await relabel(other, 'box', 'c')
        assert.equal(await compute(), 'c')
        assert.ok(times > before)
        await forget(other, 'box', 'record')
        assert.equal(await compute(), 'none')
        await pack(other, 'box', 'd')
        assert.equal(await compute(), 'd')
      }))

    test('keeps a computed value until any document of a kind changes that was searched for it', () =>
      withTwoStores(async (one, other) => {
        let times = 0
        const compute = () => one.asOneRequest(() => computedLabels(one, 'a', () => times++))
        await pack(one, 'box 1', 'a 1')
        for (const _ of [1, 2, 3]) assert.deepEqual(await compute(), ['a 1'])
        const before = times
        await other.write(by('ann'), (work) => work.decide(crates, 'crate', { type: 'pack', label: 'a' }, 'org-1'))
        assert.deepEqual(await compute(), ['a 1'])
        assert.equal(times, before)
        await pack(other, 'box 2', 'a 2')
        assert.deepEqual(await compute(), ['a 1', 'a 2'])
        await forget(other, 'box 1', 'record')
        assert.deepEqual(await compute(), ['a 2'])
      }))

    test('keeps no value when something has changed while it was computed', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
        onCompute = async () => {
          await relabel(other, 'box', 'b')
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'b')
        }
        assert.equal(await one.computed(late), 'a')
        onCompute = undefined
        assert.equal(await one.computed(late), 'b')
      }))

    test('a value cannot be computed from related documents', () =>
      withTwoStores(async (one) => {
        await assert.rejects(one.computed(related), /related documents/)
      }))

    test('a request sees its own commits and, after a conflict, those of others', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        await one.asOneRequest(async () => {
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
          await relabel(one, 'box', 'b')
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'b')
          assert.deepEqual(await labels(one), ['b'])
          assert.equal(await holderOf(one, 'b'), 'box')
          await relabel(other, 'box', 'c')
          await relabel(one, 'box', 'd')
          assert.equal((await one.get(boxes, 'box'))?.revision, 4)
        })
      }))

    test('a job sees what was acknowledged before it began, whichever request has woken its runner', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        const isWoken = Promise.withResolvers<void>()
        const mayRead = Promise.withResolvers<void>()
        const seen = Promise.withResolvers<string | undefined>()
        const runner = one.jobs.run({
          async look() {
            isWoken.resolve()
            await mayRead.promise
            seen.resolve((await one.get(boxes, 'box'))?.state.label)
          },
        })
        await one.asOneRequest(async () => {
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
          await one.write(by('ann'), async (work) => work.enqueue({ kind: 'look', data: {} }))
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
        })
        await isWoken.promise
        await relabel(other, 'box', 'b')
        mayRead.resolve()
        assert.equal(await seen.promise, 'b')
        await runner.stop()
      }))

    test('a request that lasts long does not keep what it has read', () =>
      withTwoStores(async (one, other) => {
        await pack(one, 'box', 'a')
        await one.asOneRequest(async () => {
          assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
          await relabel(other, 'box', 'b')
          while ((await one.get(boxes, 'box'))?.state.label !== 'b') await new Promise(setImmediate)
        })
      }))
  })
}

test('the cache keeps no answer to a query with thousands of values, which would take more memory than the answer', () => {
  const cache = new ReadCache()
  const answer = { rows: [], total: 0, history: '', sequence: 1 }
  const ids = Array.from({ length: 1_000 }, (_, number) => `id ${number}`).join()
  for (const query of ['short', ids]) cache.keepAnswer('box', query, answer)
  assert.equal(cache.answer('box', 'short'), answer)
  assert.equal(cache.answer('box', ids), undefined)
})

suite('the cache without validation', { skip: !findPostgres() }, () => {
  test('is stale: the tests above would notice', async () => {
    const database = await freshDatabase()
    assert.ok(database)
    const open = async (validatesCache: boolean) =>
      openStore(await openPostgres({ url: database.url, validatesCache }), [boxes, crates])
    const [blind, other] = [await open(false), await open(true)]
    await pack(other, 'box', 'a')
    assert.equal((await blind.get(boxes, 'box'))?.state.label, 'a')
    await relabel(other, 'box', 'b')
    assert.equal((await blind.get(boxes, 'box'))?.state.label, 'a')
    await Promise.all([blind.close(), other.close()])
    await database.drop()
  })
})
