import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openProviderScene, type ProviderScene } from '../../../test/support/provider-scene.ts'
import { FAILURE, SUCCESS } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { visitorFrom } from './index.ts'
import { giveStartBack, takeStart } from './unfinished.ts'

const { startIdentityProviderIntent } = UserService.method

for (const engine of bothEngines) {
  suite(`sign-ins that nobody finishes on ${engine.name}`, () => {
    let scene: ProviderScene
    let idpId: string
    before(async () => {
      scene = await openProviderScene(engine)
      idpId = await scene.add({ isAutoCreation: true })
    })
    after(() => scene.dispose())

    const start = (bearer: string) => {
      const content = { case: 'urls', value: { successUrl: SUCCESS, failureUrl: FAILURE } } as const
      return scene.world.call(startIdentityProviderIntent, { idpId, content }, { bearer })
    }
    const lastEvent = async () => (await scene.world.store.events({ descending: true, limit: 1 }))[0]?.sequence

    test('are sixty of a user without a role; further ones are not stored, and others are not affected', async () => {
      for (let count = 0; count < 60; count++) await start('nobody')
      const before = await lastEvent()
      await isRefused(start('nobody'), 'intent.too_many')
      assert.equal(await lastEvent(), before)
      await start('settings')
      for (let count = 0; count < 61; count++) await start('boss')
      scene.world.time.offset += 10 * 60_000
      await start('nobody')
    })
  })

  suite(`the share of a visitor on ${engine.name}`, () => {
    let scene: ProviderScene
    before(async () => {
      scene = await openProviderScene(engine)
    })
    after(() => scene.dispose())

    test('is for what they leave unfinished: what succeeds is given back, once', async () => {
      const { app } = scene.world
      const office = visitorFrom('192.0.2.1')
      for (let count = 0; count < 600; count++) takeStart(app, office, `intent-${count}`)
      const more = async () => takeStart(app, office, 'more')
      const isFull = () => isRefused(more(), 'intent.too_many')
      await isFull()
      takeStart(app, visitorFrom('192.0.2.2'), 'elsewhere')
      giveStartBack(app, 'intent-7')
      giveStartBack(app, 'intent-7')
      giveStartBack(app, 'unknown')
      takeStart(app, office, 'next')
      await isFull()
    })
  })
}
