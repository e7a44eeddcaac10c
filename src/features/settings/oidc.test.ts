/** The lifetimes of tokens: what is set applies at once, on every node. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { durationMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { longestTokenLifetime, oidcLifetimes } from './index.ts'

const api = AdminService.method
const HOUR = 3_600_000
const DAY = 24 * HOUR

function lifetimes(seconds: number) {
  return {
    accessTokenLifetime: { seconds: BigInt(seconds) },
    idTokenLifetime: { seconds: BigInt(seconds * 2) },
    refreshTokenIdleExpiration: { seconds: BigInt(seconds * 3) },
    refreshTokenExpiration: { seconds: BigInt(seconds * 4) },
  }
}

for (const engine of engines) {
  test(`lifetimes of tokens on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    afterwards(t, () => world.dispose())
    const other = await world.another()
    const builtIn = {
      accessTokenMs: 12 * HOUR,
      idTokenMs: 12 * HOUR,
      refreshIdleMs: 30 * DAY,
      refreshAbsoluteMs: 90 * DAY,
    }
    assert.deepEqual(await oidcLifetimes(other.app), builtIn)
    const before = (await world.call(api.getOIDCSettings, {}, world.owner)).settings
    assert.equal(durationMs(before?.accessTokenLifetime ?? assert.fail()), 12 * HOUR)
    assert.equal(before?.details?.resourceOwner, world.instanceId)

    await world.call(api.addOIDCSettings, lifetimes(60), world.owner)
    await isRefused(world.call(api.addOIDCSettings, lifetimes(90), world.owner), 'settings.oidc_exists')
    const set = { accessTokenMs: 60_000, idTokenMs: 120_000, refreshIdleMs: 180_000, refreshAbsoluteMs: 240_000 }
    assert.deepEqual(await oidcLifetimes(other.app), set)
    await world.call(api.updateOIDCSettings, lifetimes(90), world.owner)
    const after = (await other.call(api.getOIDCSettings, {}, world.owner)).settings
    assert.equal(durationMs(after?.idTokenLifetime ?? assert.fail()), 180_000)
  })

  suite(`the longest lifetime since a time on ${engine.name}`, () => {
    test('is the longest that applied at some point since then', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const start = world.clock.now
      const setAfter = async (days: number, seconds: number) => {
        world.clock.now = instant(start + days * DAY)
        await world.call(api.updateOIDCSettings, lifetimes(seconds), world.owner)
      }
      const since = (days: number) => longestTokenLifetime(world.app, instant(start + days * DAY))
      assert.equal(await since(0), 12 * HOUR)
      await setAfter(1, 48 * 3600)
      await setAfter(2, 60)
      assert.equal(await since(0), 96 * HOUR)
      assert.equal(await since(1.5), 96 * HOUR)
      assert.equal(await since(2.5), 120_000)
    })
  })
}
