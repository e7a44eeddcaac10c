/** Devices that ask too early are slowed down, on one process and on two, with few writes; on both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World, type WorldNode } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { denyDevice, deviceIdOf, pollDevice, startDevice } from './index.ts'

const SECOND = 1000

for (const engine of bothEngines) {
  suite(`polling devices on ${engine.name}`, () => {
    let world: World
    let other: WorldNode
    let devices = 0
    before(async () => {
      world = await openWorld({ engine })
      other = await world.another()
    })
    after(() => world.dispose())

    const newDevice = async () => {
      const code = `device-${++devices}`
      await startDevice(world.app, world.origin(), code, {
        clientId: 'client',
        scope: 'openid',
        payload: {},
        userCode: `CODE${String.fromCharCode(64 + devices)}`,
        startedAt: world.clock.now,
        expiresAt: instant(world.clock.now + 300 * SECOND),
      })
      return deviceIdOf(code)
    }
    /** Whether the device must slow down when it asks after this many seconds. */
    const poll = (id: string, seconds: number, node: WorldNode = world) => {
      world.clock.now = instant(world.clock.now + seconds * SECOND)
      return pollDevice(node.app, world.origin(), id)
    }
    const writes = async (act: () => Promise<void>) => {
      const [from] = (await world.store.events({ descending: true, limit: 1 })).map(({ sequence }) => sequence)
      await act()
      return (await world.store.events({ from: from ?? 0, limit: 1000 })).length
    }

    test('a device that asks in time is never slowed down, and costs one write', async () => {
      const id = await newDevice()
      const count = await writes(async () => {
        for (const seconds of [0, 5, 4.6, 6, 60, 5]) assert.equal(await poll(id, seconds), false)
      })
      assert.equal(count, 1)
    })

    test('each early question adds five seconds to the interval', async () => {
      const id = await newDevice()
      assert.equal(await poll(id, 0), false)
      assert.equal(await poll(id, 4), true)
      assert.equal(await poll(id, 9), true)
      assert.equal(await poll(id, 14), true)
      assert.equal(await poll(id, 20), false)
      assert.equal(await poll(id, 20), false)
      assert.equal(await poll(id, 15), true)
    })

    test('another process sees when the device asked last, and how long it must wait', async () => {
      const id = await newDevice()
      assert.equal(await poll(id, 0), false)
      assert.equal(await poll(id, 1, other), true)
      assert.equal(await poll(id, 9), true)
      assert.equal(await poll(id, 14, other), true)
      assert.equal(await poll(id, 20), false)
      assert.equal(await poll(id, 20, other), false)
    })

    test('of questions at the same moment on two processes, one is in time', async () => {
      const id = await newDevice()
      const nodes = [world, other, world, other]
      const answers = await Promise.all(nodes.map((node) => poll(id, 0, node)))
      assert.deepEqual(answers.sort(), [false, true, true, true])
    })

    test('a device that never waits stops causing writes', async () => {
      const id = await newDevice()
      const count = await writes(async () => {
        for (let asked = 0; asked < 100; asked++) assert.equal(await poll(id, 0.1), asked > 0)
      })
      assert.equal(count, 60)
    })

    test('a device that was answered is not counted', async () => {
      const id = await newDevice()
      assert.equal(await poll(id, 0), false)
      await world.store.write(world.origin(), (work) => denyDevice(work, id))
      assert.equal(await poll(id, 0), false)
      assert.equal(await poll('unknown', 0), false)
    })
  })
}
