/** Ended streams are removed after their retention time, in small commits, also while other nodes and writers work. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bothEngines, openTestStore, type TestStore } from '../../test/support/engines.ts'
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

for (const engine of bothEngines) {
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
      assert.deepEqual([record?.actor, record?.owner, record?.at], ['server', 'instance', 5 + DAY])
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

    /** Runs the job on these nodes, a few milliseconds after each other; `now` is moved by the test. */
    const start = (node: Store, retentions: readonly Retention[], reported: unknown[] = []) =>
      startRetention(
        { store: node, instanceId },
        {
          retentions,
          clock: () => instant(now),
          onFailure: ({ error }) => reported.push((error as Error).message),
          firstMs: 0,
          everyMs: DAY,
          pollMilliseconds: 5,
        },
      )
    let now = 1 + DAY
    const eventually = async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await sleep(5)
    }

    test('is one job that repeats, and that one node at a time runs', async () => {
      const nodes = [store, await opened.another()]
      let [running, most, runs] = [0, 0, 0]
      const watched: Retention = {
        ...boxRetention,
        async findEnded() {
          runs++
          most = Math.max(most, ++running)
          // Pause: work that takes a while, so that a second node would overlap.
          await sleep(30)
          running--
          return []
        },
      }
      const runners = await Promise.all(nodes.map((node) => start(node, [watched])))
      assert.equal((await store.jobs.count('retention')).waiting, 1)
      // Only then may the clock continue: a job that is not finished a day later would be given to the other node.
      const isScheduledAgain = async () =>
        (await store.jobs.list({ kind: 'retention', limit: 1 }))[0]?.dueAt === now + DAY
      for (let expected = 1; expected <= 3; expected++, now += DAY) {
        await eventually(isScheduledAgain)
        assert.deepEqual([runs, most], [expected, 1])
      }
      await Promise.all(runners.map((runner) => runner.stop()))
      assert.deepEqual(await store.jobs.count('retention'), { waiting: 1, parked: 0 })
    })

    test('tries again soon when a kind could not be removed, reports it, and continues with other kinds', async () => {
      const [id = ''] = await packAll(1)
      const reported: string[] = []
      let failures = 0
      const failing: Retention = {
        ...boxRetention,
        kind: crates,
        async findEnded() {
          if (++failures > 25) return []
          throw new Error('out of order')
        },
      }
      now += DAY
      const runner = await start(store, [failing, boxRetention], reported)
      await eventually(() => failures === 1)
      await eventually(async () => (await store.get(boxes, id)) === undefined)
      // More often than other jobs are tried.
      await eventually(() => {
        now += 3_600_000
        return failures > 25
      })
      await runner.stop()
      assert.deepEqual([...new Set(reported)], ['ended streams could not be removed from the log: crate'])
      assert.equal((await store.jobs.count('retention')).parked, 0)
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
      now += DAY
      const running = await start(store, [retention], reported)
      await begun.promise
      const stopped = running.stop()
      go.resolve()
      await stopped
      assert.equal((await store.find(boxes, { where: { field: 'id', in: ids }, limit: 0 })).total, 2)
      assert.deepEqual(reported, [])
      await removeAt(now)
    })
  })
}
