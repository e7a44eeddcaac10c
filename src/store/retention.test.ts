/** Ended streams are removed after their retention time, in small commits, also while other nodes and writers work. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../test/support/gaps.ts'
import { type Box, boxes, by, crates } from '../../test/support/sample-kind.ts'
import { newId } from '../kernel/id.ts'
import { instant } from '../kernel/instant.ts'
import { type Retention, removalKind, removeEnded, type Store, startRetention } from './index.ts'

const DAY = 86_400_000
const records = removalKind('box-retirement', 'box.retired.v1')

/** The weight of a box is the time of its end. */
const boxRetention: Retention<Box> = {
  kind: boxes,
  records,
  retentionMs: DAY,
  batchSize: 2,
  async findEnded(store, endedBy, limit) {
    const where = { field: 'weight', atMost: endedBy } as const
    const { documents } = await store.find(boxes, { where, orderBy: 'weight', limit })
    return documents.map(({ id }) => id)
  },
  hasEnded: ({ state: { weight = Number.POSITIVE_INFINITY } }, endedBy) => weight <= endedBy,
}

for (const engine of engines) {
  suite(`retention on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    before(async () => {
      opened = await openTestStore([boxes, crates, records], engine)
      store = opened.store
    })
    after(() => opened.dispose())

    const instanceId = 'instance'
    const removeAt = (at: number, retention: Retention = boxRetention) =>
      removeEnded({ store, instanceId }, retention, instant(at))
    const packAll = (...ends: readonly number[]) =>
      Promise.all(
        ends.map(async (weight) => {
          const id = newId()
          await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label: id, weight }, 'org-1'))
          return id
        }),
      )
    const recorded = async () => recordsIn(await readLog(store), 'box.retired.v1')

    test('removes streams after their time, a few with each commit, and the log records which', async () => {
      await packAll(1, 2, 3, 4, 5)
      const [young = ''] = await packAll(6)
      assert.equal(await removeAt(DAY), 0)
      assert.equal(await removeAt(5 + DAY), 5)
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
      assert.equal(await removeAt(6 + DAY), 1)
    })

    test('keeps a stream that has not ended any more when its turn comes', async () => {
      const [changed = '', other = ''] = await packAll(1, 1)
      const before = (await recorded()).length
      const retention: Retention<Box> = {
        ...boxRetention,
        async findEnded(...asked) {
          const ids = await boxRetention.findEnded(...asked)
          if (ids.includes(changed)) {
            await store.write(by('ann'), (work) =>
              work.decide(boxes, changed, { type: 'weigh', weights: [2 * DAY + 1] }),
            )
          }
          return ids
        },
      }
      assert.equal(await removeAt(3 * DAY, retention), 1)
      assert.ok(await store.get(boxes, changed))
      assert.equal(await store.get(boxes, other), undefined)
      assert.equal((await recorded()).length, before + 1)
      assert.equal(await removeAt(3 * DAY + 1), 1)
    })

    test('removes a stream once, however many nodes try at the same time', async () => {
      const another = await opened.another()
      const ids = await packAll(...Array.from({ length: 25 }, (_, index) => index))
      const counts = await Promise.all(
        [store, another, store, another].map((node) =>
          removeEnded({ store: node, instanceId }, boxRetention, instant(25 + DAY)),
        ),
      )
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        25,
      )
      assert.deepEqual(gapsIn(await readLog(store)), toldBy(await recorded()))
      assert.equal((await another.find(boxes, { where: { field: 'id', in: ids }, limit: 0 })).total, 0)
    })

    test('tries again later when the store is unavailable, reports it, and goes on with other kinds', async () => {
      const closed = await opened.another()
      await closed.close()
      let reachable = closed
      const [id = ''] = await packAll(1)
      const reported: string[] = []
      const served: Store[] = []
      const done = Promise.withResolvers<void>()
      const others: Retention = {
        ...boxRetention,
        kind: crates,
        async findEnded(node) {
          served.push(node)
          if (served.length === 3) reachable = store
          if ((await store.get(boxes, id)) === undefined) done.resolve()
          return []
        },
      }
      const running = startRetention(
        {
          get store() {
            return reachable
          },
          instanceId,
        },
        {
          retentions: [boxRetention, others],
          clock: () => instant(1 + DAY),
          onTrouble: (_, kind) => reported.push(kind),
          firstMs: 1,
          everyMs: 1,
        },
      )
      await done.promise
      await running.stop()
      assert.deepEqual(reported, ['box', 'box', 'box'])
      assert.deepEqual(served.slice(0, 3), [closed, closed, closed])
    })

    test('stops between two commits when the server stops, and reports no trouble', async () => {
      const ids = await packAll(1, 1, 1, 1)
      const reported: unknown[] = []
      const begun = Promise.withResolvers<void>()
      const go = Promise.withResolvers<void>()
      const retention: Retention<Box> = {
        ...boxRetention,
        async findEnded(...asked) {
          begun.resolve()
          await go.promise
          return boxRetention.findEnded(...asked)
        },
      }
      const running = startRetention(
        { store, instanceId },
        {
          retentions: [retention],
          clock: () => instant(1 + DAY),
          onTrouble: (error) => reported.push(error),
          firstMs: 1,
        },
      )
      await begun.promise
      const stopped = running.stop()
      go.resolve()
      await stopped
      assert.equal((await store.find(boxes, { where: { field: 'id', in: ids }, limit: 0 })).total, 2)
      assert.deepEqual(reported, [])
      await removeAt(1 + DAY)
    })
  })
}
