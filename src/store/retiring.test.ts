/** Streams that are over leave in their time, in small commits, whatever else happens meanwhile. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../test/support/gaps.ts'
import { type Box, boxes, by, crates } from '../../test/support/sample-kind.ts'
import { newId } from '../kernel/id.ts'
import { instant } from '../kernel/instant.ts'
import { type Leaving, retire, retirementKind, type Store, startRetiring } from './index.ts'

const DAY = 86_400_000
const records = retirementKind('box-retirement', 'box.retired.v1')

/** A box is over when its weight says so. */
const leavingBoxes: Leaving<Box> = {
  kind: boxes,
  records,
  retentionMs: DAY,
  atOnce: 2,
  async findOver(store, over, limit) {
    const where = { field: 'weight', atMost: over } as const
    const { documents } = await store.find(boxes, { where, orderBy: 'weight', limit })
    return documents.map(({ id }) => id)
  },
  isOver: ({ state: { weight = Number.POSITIVE_INFINITY } }, over) => weight <= over,
}

for (const engine of engines) {
  suite(`what is over on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    before(async () => {
      opened = await openTestStore([boxes, crates, records], engine)
      store = opened.store
    })
    after(() => opened.dispose())

    const instanceId = 'instance'
    const sweep = (at: number, leaving: Leaving = leavingBoxes) => retire({ store, instanceId }, leaving, instant(at))
    const packAll = (...ends: readonly number[]) =>
      Promise.all(
        ends.map(async (weight) => {
          const id = newId()
          await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label: id, weight }, 'org-1'))
          return id
        }),
      )
    const recorded = async () => recordsIn(await readLog(store), 'box.retired.v1')

    test('leaves after its time, a few streams with each commit, and the log says which', async () => {
      await packAll(1, 2, 3, 4, 5)
      const [young = ''] = await packAll(6)
      assert.equal(await sweep(DAY), 0)
      assert.equal(await sweep(5 + DAY), 5)
      assert.ok(await store.get(boxes, young))
      assert.deepEqual(
        (await recorded()).map(({ streams }) => streams),
        [2, 2, 1],
      )
      const log = await readLog(store)
      assert.deepEqual(gapsIn(log), toldBy(await recorded()))
      assert.deepEqual((await store.get(records, 'instance'))?.state, { streams: 5, events: 5 })
      const [record] = log.filter(({ type }) => type === 'box.retired.v1')
      assert.deepEqual([record?.actor, record?.owner, record?.at], ['system', 'instance', 5 + DAY])
      assert.equal(await sweep(6 + DAY), 1)
    })

    test('stays if it is not over any more when its turn comes', async () => {
      const [changed = '', other = ''] = await packAll(1, 1)
      const before = (await recorded()).length
      const leaving: Leaving<Box> = {
        ...leavingBoxes,
        async findOver(...asked) {
          const ids = await leavingBoxes.findOver(...asked)
          if (ids.includes(changed)) {
            await store.write(by('ann'), (work) =>
              work.decide(boxes, changed, { type: 'weigh', weights: [2 * DAY + 1] }),
            )
          }
          return ids
        },
      }
      assert.equal(await sweep(3 * DAY, leaving), 1)
      assert.ok(await store.get(boxes, changed))
      assert.equal(await store.get(boxes, other), undefined)
      assert.equal((await recorded()).length, before + 1)
      assert.equal(await sweep(3 * DAY + 1), 1)
    })

    test('leaves once, however many nodes let it go at the same time', async () => {
      const another = await opened.another()
      const ids = await packAll(...Array.from({ length: 25 }, (_, index) => index))
      const counts = await Promise.all(
        [store, another, store, another].map((node) =>
          retire({ store: node, instanceId }, leavingBoxes, instant(25 + DAY)),
        ),
      )
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        25,
      )
      assert.deepEqual(gapsIn(await readLog(store)), toldBy(await recorded()))
      assert.equal((await another.find(boxes, { where: { field: 'id', in: ids }, limit: 0 })).total, 0)
    })

    test('leaves later, if the store is away; that is told, and other kinds are not kept by it', async () => {
      const closed = await opened.another()
      await closed.close()
      let reachable = closed
      const [id = ''] = await packAll(1)
      const told: string[] = []
      const served: Store[] = []
      const done = Promise.withResolvers<void>()
      const others: Leaving = {
        ...leavingBoxes,
        kind: crates,
        async findOver(node) {
          served.push(node)
          if (served.length === 3) reachable = store
          if ((await store.get(boxes, id)) === undefined) done.resolve()
          return []
        },
      }
      const retiring = startRetiring(
        {
          get store() {
            return reachable
          },
          instanceId,
        },
        {
          leaving: [leavingBoxes, others],
          clock: () => instant(1 + DAY),
          onTrouble: (_, kind) => told.push(kind),
          firstMs: 1,
          everyMs: 1,
        },
      )
      await done.promise
      await retiring.stop()
      assert.deepEqual(told, ['box', 'box', 'box'])
      assert.deepEqual(served.slice(0, 3), [closed, closed, closed])
    })

    test('stops leaving between two commits when the server stops, and nobody is told of trouble', async () => {
      const ids = await packAll(1, 1, 1, 1)
      const told: unknown[] = []
      const begun = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      const leaving: Leaving<Box> = {
        ...leavingBoxes,
        async findOver(...asked) {
          begun.resolve()
          await go.promise
          return leavingBoxes.findOver(...asked)
        },
      }
      const retiring = startRetiring(
        { store, instanceId },
        { leaving: [leaving], clock: () => instant(1 + DAY), onTrouble: (error) => told.push(error), firstMs: 1 },
      )
      await begun.promise
      const stopped = retiring.stop()
      go.resolve()
      await stopped
      assert.equal((await store.find(boxes, { where: { field: 'id', in: ids }, limit: 0 })).total, 2)
      assert.deepEqual(told, [])
      await sweep(1 + DAY)
    })
  })
}
