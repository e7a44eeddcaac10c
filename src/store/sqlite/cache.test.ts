import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { kind, openSqlite, openStore, type Store } from '../index.ts'

async function withTwoStores(use: (one: Store, other: Store, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-cache-'))
  const file = join(folder, 'signet.db')
  const [one, other] = [
    await openStore(await openSqlite({ file }), [boxes, crates]),
    await openStore(await openSqlite({ file }), [boxes, crates]),
  ]
  try {
    await use(one, other, file)
  } finally {
    await one.close()
    await other.close()
    await rm(folder, { recursive: true })
  }
}

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

suite('the cache of the SQLite reader', () => {
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
    withTwoStores(async (one, _other, file) => {
      await pack(one, 'box', 'a')
      assert.equal((await one.get(boxes, 'box'))?.state.label, 'a')
      const { decider } = boxes
      const shouting = kind({
        ...boxes,
        version: boxes.version + 1,
        decider: {
          ...decider,
          evolve: (state, event) => {
            const next = decider.evolve(state, event)
            return 'label' in next && next.label !== undefined ? { ...next, label: next.label.toUpperCase() } : next
          },
        },
      })
      const newer = await openStore(await openSqlite({ file }), [shouting, crates])
      assert.equal((await one.get(boxes, 'box'))?.state.label, 'A')
      await newer.close()
    }))

  test('never differs from what was last acknowledged, on any writer and reader', () =>
    withTwoStores(async (...stores) => {
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
            for (const [known, last] of expected) {
              assert.equal((await read.get(boxes, known))?.state.label, last)
              const found = await read.find(boxes, { where: { field: 'label', equals: last }, limit: 5 })
              assert.deepEqual(
                found.documents.map((document) => document.id),
                [known],
              )
            }
          }
        }),
        { numRuns: 15 },
      )
    }))
})
