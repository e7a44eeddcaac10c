import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { openProviderScene } from '../../../test/support/provider-scene.ts'
import { keyIdOf } from '../../crypto/seal.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded, type Store } from '../../store/index.ts'
import { rotateDataKey } from '../instances/index.ts'
import { intentRetention, intents } from './documents.ts'

/** The secret of the provider is sealed again, too. */
const PROVIDER_SECRETS = 1

for (const engine of engines) {
  test(`sign-ins that are open are sealed again when the key is replaced, on ${engine.name}`, async (t) => {
    const { world, provider, add, go, comeAs, prove, dispose } = await openProviderScene(engine)
    t.after(dispose)
    const idpId = await add({ isAutoCreation: true })
    comeAs()
    const used = await go(idpId)
    await prove(used.intentId, used.token, used.user ?? '')
    const done = await go(idpId)
    const begun = await world.start(idpId)
    const lost = await world.start(idpId)
    const sealed = async (id: string) => {
      const state = (await world.store.get(intents, id))?.state
      if (state?.status === 'started') return state.secret.handshake
      return state?.status === 'succeeded' ? state.secret.identity : assert.fail('not open')
    }
    const { masterKeys } = world
    const rotated = await rotateDataKey({ ...world.app, masterKeys, sealedJobs: [] })
    // One that is over holds nothing sealed.
    assert.deepEqual([rotated.resealed, rotated.removedKeyIds.length], [3 + PROVIDER_SECRETS, 1])
    for (const id of [done.intentId, begun.intentId, lost.intentId]) {
      assert.equal(keyIdOf(await sealed(id)), rotated.activeKeyId)
    }
    assert.equal((await world.retrieve(done.intentId, done.token)).userId, used.user)
    assert.equal((await world.finishAt(provider.answer(begun.authUrl))).searchParams.get('user'), used.user)
  })

  test(`sign-ins that are deleted while the key is replaced are skipped, on ${engine.name}`, async (t) => {
    const { world, add, go, dispose } = await openProviderScene(engine)
    t.after(dispose)
    const idpId = await add()
    await go(idpId)
    await world.start(idpId)
    const { masterKeys } = world
    const store: Store = {
      ...world.store,
      async find(kind, query) {
        const found = await world.store.find(kind, query)
        if (kind.name === intents.name)
          await removeEnded(world.app, intentRetention, instant(world.clock() + 48 * 3_600_000))
        return found
      },
    }
    const rotated = await rotateDataKey({ ...world.app, store, masterKeys, sealedJobs: [] })
    assert.equal(rotated.resealed, PROVIDER_SECRETS)
    assert.deepEqual(await world.store.events({ kinds: ['intent'], limit: 1 }), [])
  })
}
