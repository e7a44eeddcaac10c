/** Authorization requests, devices and assertions on real databases: each counts once and leaves the log. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines } from '../../../test/support/engines.ts'
import { gapsIn, readLog, recordsIn, toldBy } from '../../../test/support/gaps.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded } from '../../store/index.ts'
import { authorizationRequestRetentions } from './documents.ts'
import {
  deviceIdOf,
  finishRequest,
  pushRequest,
  redeemDevice,
  startDevice,
  startRequest,
  takeAssertion,
  takePushed,
} from './index.ts'

const HOUR = 3_600_000

for (const engine of bothEngines) {
  suite(`authorization requests on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const start = (id: string) =>
      startRequest(world.app, world.origin(), id, {
        clientId: 'client',
        payload: {},
        flowStartedAt: world.clock.now,
        loginClientId: '',
        expiresAt: instant(world.clock.now + HOUR),
      })
    const winners = async (act: () => Promise<unknown>) => {
      const done = await Promise.allSettled(Array.from({ length: 8 }, act))
      return done.filter((one) => one.status === 'fulfilled' && one.value !== false).length
    }
    const device = (userCode: string) => ({
      clientId: 'client',
      scope: 'openid',
      payload: {},
      userCode,
      startedAt: world.clock.now,
      expiresAt: instant(world.clock.now + HOUR),
    })

    test('are finished, used and accepted by one of eight callers at once', async () => {
      const { app } = world
      await start('one')
      assert.equal(await winners(() => finishRequest(app, world.origin(), 'one')), 1)
      await pushRequest(app, world.origin(), 'pushed', {}, instant(world.clock.now + HOUR))
      assert.equal(await winners(() => takePushed(app, world.origin(), 'pushed')), 1)
      const ends = instant(world.clock.now + HOUR)
      assert.equal(await winners(() => takeAssertion(app, world.origin(), 'assertion', ends)), 1)
    })

    test('of devices have a user code that no other waiting device has', async () => {
      const { app } = world
      await startDevice(app, world.origin(), 'device code', device('BCDF-GHJK'))
      await assert.rejects(startDevice(app, world.origin(), 'another', device('bcdfghjk')), {
        code: 'device_authorization.code_taken',
      })
      const redeemed = world.store.write(world.origin(), (work) => redeemDevice(work, deviceIdOf('device code')))
      await assert.rejects(redeemed, {
        code: 'device_authorization.pending',
      })
    })

    test('leave the log an hour after they expired, finished or not, and every gap is recorded', async () => {
      await start('two')
      const removeAt = async (at: number) => {
        const about = { store: world.store, instanceId: world.instanceId }
        let removed = 0
        for (const one of authorizationRequestRetentions) removed += await removeEnded(about, one, instant(at))
        return removed
      }
      const { now } = world.clock
      assert.equal(await removeAt(now + 2 * HOUR - 1), 0)
      // Two requests, a pushed one, a device and an assertion.
      assert.equal(await removeAt(now + 2 * HOUR), 5)
      const log = await readLog(world.store)
      assert.deepEqual(gapsIn(log), toldBy(recordsIn(log, 'authorization_request.retired.v1')))
      assert.equal(await takeAssertion(world.app, world.origin(), 'assertion', instant(now + HOUR)), true)
    })
  })
}
