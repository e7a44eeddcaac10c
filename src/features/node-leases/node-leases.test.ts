/** Node numbers on both engines: no two holders have a time in common, whatever clocks, crashes and races do. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines, openTestStore, type TestEngine } from '../../../test/support/engines.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { nodeLeases, openNodeIds } from './index.ts'

const NOON = 1_800_000_000_000
const MINUTE = 60_000
const LEASE = 60 * MINUTE

async function openNodes(t: TestContext, engine: TestEngine) {
  const database = await openTestStore([nodeLeases], engine)
  afterwards(t, database.dispose)
  const stores = [database.store]
  const openNode = async (time: { now: number } = { now: NOON }, index = 0) => {
    while (stores.length <= index) stores.push(await database.another())
    const store = stores[index] ?? database.store
    return openNodeIds({ store, clock: () => instant(time.now), leaseMs: LEASE })
  }
  const leases = async () => (await database.store.find(nodeLeases, { limit: 1000 })).documents
  return { ...database, openNode, leases }
}

/** Whether an id can be given out now; the lease of a process that could not renew has ended. */
function expired(newId: () => string): void {
  assert.throws(newId, (error) => error instanceof Refused && error.code === 'node_lease.expired')
}

for (const engine of bothEngines) {
  suite(`node numbers (${engine.name})`, () => {
    test('are the lowest that are free, and given back on closing', async (t) => {
      const { openNode, leases } = await openNodes(t, engine)
      const [one, two] = [await openNode(), await openNode()]
      assert.deepEqual([one.node(), two.node()], [0, 1])
      assert.match(one.newId(), /^132774400000000\d{3}$/)
      assert.match(two.newId(), /^132774400000001\d{3}$/)
      await one.close()
      await one.close()
      expired(one.newId)
      const next = await openNode()
      assert.equal(next.node(), 0)
      // At the same moment, but after everything that the one before gave out.
      assert.match(next.newId(), /^132774400001000\d{3}$/)
      assert.equal((await leases()).length, 2)
    })

    test('twelve processes that start at once hold twelve numbers', async (t) => {
      const { openNode } = await openNodes(t, engine)
      await openNode({ now: NOON }, 3)
      const nodes = await Promise.all(Array.from({ length: 12 }, (_, index) => openNode({ now: NOON }, index % 4)))
      const ids = nodes.flatMap(({ newId }) => Array.from({ length: 5000 }, newId))
      assert.equal(new Set(nodes.map(({ node }) => node())).size, 12)
      assert.equal(new Set(ids).size, 60_000)
    })

    test('of a crashed process are free after its lease, and start after it', async (t) => {
      const { openNode } = await openNodes(t, engine)
      const time = { now: NOON }
      const crashed = await openNode(time)
      time.now = NOON + LEASE - 1
      const last = crashed.newId()
      assert.equal((await openNode(time)).node(), 1)
      time.now = NOON + LEASE
      const next = await openNode(time)
      assert.equal(next.node(), 0)
      assert.ok(next.newId() > last)
      // It only seemed to be dead. It gives out nothing more, and finds another number.
      expired(crashed.newId)
      await crashed.renew()
      assert.equal(crashed.node(), 2)
      assert.ok(crashed.newId() > last)
    })

    test('a process whose clock is behind keeps its times to itself when another takes its number over', async (t) => {
      const { openNode } = await openNodes(t, engine)
      const behind = { now: NOON }
      const slow = await openNode(behind)
      const fast = await openNode({ now: NOON + 3 * LEASE })
      assert.deepEqual([slow.node(), fast.node()], [0, 0])
      const theirs = new Set(Array.from({ length: 3000 }, fast.newId))
      for (behind.now = NOON; behind.now < NOON + LEASE; behind.now += MINUTE) assert.ok(!theirs.has(slow.newId()))
      expired(slow.newId)
    })

    test('a clock that is set back repeats nothing, in the same process and in the next', async (t) => {
      const { openNode } = await openNodes(t, engine)
      const time = { now: NOON }
      const node = await openNode(time)
      const before = Array.from({ length: 1500 }, node.newId)
      time.now = NOON - 10 * LEASE
      await node.renew()
      const ids = [...before, ...Array.from({ length: 1500 }, node.newId)]
      await node.close()
      const next = await openNode(time)
      assert.equal(next.node(), 0)
      ids.push(...Array.from({ length: 1500 }, next.newId))
      assert.deepEqual(ids, [...new Set(ids)].sort())
    })

    test('renewing lets a process continue; without it the ids end with the lease', async (t) => {
      const { openNode, leases } = await openNodes(t, engine)
      const time = { now: NOON }
      const node = await openNode(time)
      for (const minutes of [30, 60, 90, 120]) {
        time.now = NOON + minutes * MINUTE
        await node.renew()
        assert.ok(node.newId())
      }
      assert.equal((await leases())[0]?.state.until, NOON + 120 * MINUTE + LEASE)
      time.now = NOON + 120 * MINUTE + LEASE
      expired(node.newId)
      // The refusal has started a renewal.
      await node.renew()
      assert.ok(node.newId())
      assert.equal(node.node(), 0)
    })

    test('the timer renews at half time, and again soon after a failure', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { store } = await openNodes(t, engine)
      const troubles: unknown[] = []
      let isAway = false
      const time = { now: NOON }
      const renewed: number[] = []
      const flaky: typeof store = {
        ...store,
        write: async (origin, build) => {
          if (isAway) throw new Error('the store is away')
          const written = await store.write(origin, build)
          renewed.push(origin.at)
          return written
        },
      }
      const onTrouble = (error: unknown) => troubles.push(error)
      const node = await openNodeIds({ store: flaky, clock: () => instant(time.now), leaseMs: LEASE, onTrouble })
      const pass = async (milliseconds: number, isSettled: () => boolean = () => true) => {
        time.now += milliseconds
        t.mock.timers.tick(milliseconds)
        for (let turns = 0; turns < 100 || !isSettled(); turns++) await new Promise((resolve) => setImmediate(resolve))
      }
      isAway = true
      await pass(LEASE / 2, () => troubles.length === 1)
      isAway = false
      await pass(MINUTE, () => renewed.length === 2)
      await pass(LEASE / 2, () => renewed.length === 3)
      assert.deepEqual(renewed, [NOON, NOON + LEASE / 2 + MINUTE, NOON + LEASE + MINUTE])
      await node.close()
      await pass(10 * LEASE)
      await node.renew()
      // The last one is the release.
      assert.equal(renewed.length, 4)
    })

    test('when all numbers are held, a process does not start', async (t) => {
      const { store, openNode } = await openNodes(t, engine)
      const take = { type: 'take', holder: 'x', at: instant(NOON), lengthMs: LEASE } as const
      await store.write({ actor: 'server', at: instant(NOON) }, async (work) => {
        for (let node = 0; node < 1000; node++) await work.decide(nodeLeases, String(node), take, 'system')
      })
      await assert.rejects(openNode(), (error) => error instanceof Refused && error.code === 'node_lease.none_free')
      assert.equal((await openNode({ now: NOON + LEASE })).node(), 0)
    })
  })
}
