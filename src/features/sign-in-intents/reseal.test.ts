import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { openSignInScene } from '../../../test/support/sign-in-scene.ts'
import { keyIdOf } from '../../crypto/seal.ts'
import { instant } from '../../kernel/instant.ts'
import { removeEnded } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import { intentResealers, intents, leavingIntents } from './index.ts'

for (const engine of engines) {
  test(`sign-ins that are open are sealed again when the key is replaced, on ${engine.name}`, async (t) => {
    const { house, add, go, dispose } = await openSignInScene(engine)
    t.after(dispose)
    const idpId = await add()
    const done = await go(idpId)
    const begun = await house.start(idpId)
    const lost = await house.start(idpId)
    const sealed = async (id: string) => {
      const state = (await house.store.get(intents, id))?.state
      if (state?.status === 'started') return state.secret.handshake
      return state?.status === 'succeeded' ? state.secret.identity : assert.fail('not open')
    }
    // A vault whose active key has another name.
    const replaced = (text: string) => text.replace(keyIdOf(text) ?? '', '00112233445566ff')
    const vault: Vault = {
      ...house.vault,
      seal: async (work, place, plain) => replaced(await house.vault.seal(work, place, plain)),
    }
    const [resealer] = intentResealers(house.store, house.clock)
    assert.ok(resealer)
    assert.equal(await resealer.reseal(vault, '00112233445566ff', 2), 2)
    assert.equal(await resealer.reseal(vault, '00112233445566ff', 100), 1)
    assert.equal(await resealer.reseal(vault, '00112233445566ff', 100), 0)
    for (const id of [done.intentId, begun.intentId, lost.intentId]) {
      assert.equal(keyIdOf(await sealed(id)), '00112233445566ff')
    }
    // What nobody can go on with is left alone.
    house.time.offset = 2 * 3_600_000
    assert.equal(await resealer.reseal(house.vault, 'another', 100), 0)
  })

  test(`sign-ins that leave the log while the key is replaced are let go, on ${engine.name}`, async (t) => {
    const { house, add, go, dispose } = await openSignInScene(engine)
    t.after(dispose)
    const idpId = await add()
    await go(idpId)
    await house.start(idpId)
    const needs = { store: house.store, instanceId: 'instance' }
    const vault: Vault = {
      ...house.vault,
      async open(place, sealed) {
        await removeEnded(needs, leavingIntents, instant(house.clock() + 48 * 3_600_000))
        return house.vault.open(place, sealed)
      },
    }
    const [resealer] = intentResealers(house.store, house.clock)
    assert.equal(await resealer?.reseal(vault, 'another', 100), 2)
    assert.equal(await resealer?.reseal(vault, 'another', 100), 0)
    assert.deepEqual(await house.store.events({ kinds: ['intent'], limit: 1 }), [])
  })
}
