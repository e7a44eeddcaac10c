/** The feature flags of the instance, and which pages users sign in with. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ImprovedPerformance, Source } from '../../../contract/gen/signet/feature/v2/feature_pb.ts'
import { FeatureService } from '../../../contract/gen/signet/feature/v2/feature_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { loginUi } from './index.ts'

const api = FeatureService.method

for (const engine of engines) {
  suite(`feature flags on ${engine.name}`, () => {
    test('those that are given are set, the others stay, and all can be reset', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const get = (inheritance = false) => world.call(api.getInstanceFeatures, { inheritance }, world.owner)
      const before = await get()
      assert.partialDeepStrictEqual(before.permissionCheckV2, { enabled: false, source: Source.UNSPECIFIED })
      assert.partialDeepStrictEqual(before.oidcTokenExchange, { enabled: true, source: Source.SYSTEM })
      assert.partialDeepStrictEqual((await get(true)).loginV2, { required: false, source: Source.SYSTEM })

      await world.call(api.setInstanceFeatures, { permissionCheckV2: true }, world.owner)
      const improvedPerformance = [ImprovedPerformance.USER_GRANT, ImprovedPerformance.PROJECT]
      await world.call(api.setInstanceFeatures, { userSchema: false, improvedPerformance }, world.owner)
      const after = await get()
      assert.partialDeepStrictEqual(after.permissionCheckV2, { enabled: true, source: Source.INSTANCE })
      assert.partialDeepStrictEqual(after.userSchema, { enabled: false, source: Source.INSTANCE })
      assert.deepEqual(new Set(after.improvedPerformance?.executionPaths), new Set(improvedPerformance))
      const again = await world.call(api.setInstanceFeatures, { permissionCheckV2: true }, world.owner)
      assert.equal(again.details?.sequence, after.details?.sequence)

      await world.call(api.resetInstanceFeatures, {}, world.owner)
      const { details: _, ...reset } = await get()
      const { details: __, ...first } = before
      assert.deepEqual(reset, first)
      await isRefused(world.call(api.setInstanceFeatures, {}, world.owner), 'settings.no_feature_given')
    })

    test('the login app is used on every node as soon as it is required', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const other = await world.another()
      assert.deepEqual(await loginUi(other.app), { required: false, baseUri: undefined })
      const set = (required: boolean, baseUri?: string) =>
        world.call(api.setInstanceFeatures, { loginV2: { required, ...(baseUri && { baseUri }) } }, world.owner)
      await set(true, 'https://login.example.com/ui')
      assert.deepEqual(await loginUi(other.app), { required: true, baseUri: 'https://login.example.com/ui' })
      await set(true, '/ui/v2/login')
      assert.deepEqual(await loginUi(other.app), { required: true, baseUri: '/ui/v2/login' })
      await set(false)
      assert.deepEqual(await loginUi(other.app), { required: false, baseUri: undefined })
      for (const bad of ['javascript:alert(1)', '//evil.example', 'login', 'https://a:b@login.example', '/\\evil']) {
        await isRefused(set(true, bad), 'settings.base_uri_invalid', 'loginV2.baseUri')
      }
    })
  })
}
