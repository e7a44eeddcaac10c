/** Providers on the hosted pages: which are offered, the way there and back, and who is signed in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { IDPOwnerType, IDPStylingType } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { SecondFactorType } from '../../../contract/gen/signet/policy/v1/login_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { CLIENT, type ExternalScene, openExternalScene, SOUTH } from '../../../test/support/external-scene.ts'
import { BOSS } from '../../../test/support/provider-scene.ts'
import { readAccount } from '../account/index.ts'
import { findPerson, linkedProviders, offeredProviders, readExternalAccount, signInWithProvider } from './index.ts'

for (const engine of engines) {
  suite(`the pages and their providers on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('offer what an organization and the instance have, by look, as long as it is allowed', async () => {
      const own = await scene.add()
      const shared = await scene.addToInstance()
      const idsOf = async (organizationId?: string) =>
        (await offeredProviders(scene.app, organizationId)).map(({ id }) => id)
      const inNorth = await idsOf('north')
      assert.ok(inNorth.indexOf(own) >= 0 && inNorth.indexOf(own) < inNorth.indexOf(shared))
      assert.deepEqual(await idsOf(), await idsOf('north'))
      const { call } = scene.world
      const { idpId: styled } = await call(
        ManagementService.method.addOrgOIDCIDP,
        {
          name: 'Styled',
          stylingType: IDPStylingType.STYLING_TYPE_GOOGLE,
          issuer: scene.provider.issuer,
          clientId: 'c',
          clientSecret: 's',
          autoRegister: true,
        },
        SOUTH,
      )
      const inSouth = await offeredProviders(scene.app, 'south')
      assert.deepEqual(
        inSouth.filter(({ id }) => [own, shared, styled].includes(id)).map(({ look }) => look),
        ['google', 'plain'],
      )
      await call(ManagementService.method.addCustomLoginPolicy, { allowUsernamePassword: true }, SOUTH)
      assert.deepEqual(await idsOf('south'), [])
      assert.deepEqual(await scene.start(styled), { outcome: 'refused' })
      assert.deepEqual(await scene.start(shared, 'south'), { outcome: 'refused' })
      await call(ManagementService.method.resetLoginPolicyToDefault, {}, SOUTH)
      assert.equal((await scene.start(shared, 'south')).outcome, 'started')
      assert.deepEqual(await scene.start('none'), { outcome: 'refused' })
      await call(ManagementService.method.deactivateOrgIDP, { idpId: own }, BOSS)
      assert.ok(!(await idsOf('north')).includes(own))
      assert.deepEqual(await scene.start(own), { outcome: 'refused' })
    })

    test('offer nothing that the login policy leaves out, nor begin, link or register with it', async () => {
      const { call } = scene.world
      const own = await scene.add({ isCreationAllowed: true })
      const shared = await scene.addToInstance()
      const { person } = await scene.join(own, scene.comeAs())
      const before = await scene.come(own)
      const idsOf = async (organizationId: string) =>
        (await offeredProviders(scene.app, organizationId)).map(({ id }) => id)
      const linkedIds = async () => (await linkedProviders(scene.app, person)).map(({ id }) => id)
      const account = async () => (await readAccount(scene.app, person)).links.map(({ isUsable }) => isUsable)
      assert.deepEqual([await linkedIds(), await account()], [[own], [true]])

      for (const idpId of [own, shared]) await call(ManagementService.method.removeIDPFromLoginPolicy, { idpId }, BOSS)
      assert.ok(!(await idsOf('north')).some((id) => [own, shared].includes(id)))
      assert.ok((await idsOf('south')).includes(shared))
      assert.deepEqual(await scene.start(own), { outcome: 'refused' })
      assert.deepEqual(await scene.start(shared, 'north'), { outcome: 'refused' })
      assert.equal((await scene.start(shared, 'south')).outcome, 'started')
      assert.deepEqual([await linkedIds(), await account()], [[], [false]])
      const { mayLink, mayRegister } = await scene.read(before)
      assert.deepEqual([mayLink, mayRegister], [false, false])
      const enter = { proof: before, userId: person.userId, client: CLIENT, before: undefined }
      assert.deepEqual(await signInWithProvider(scene.app, enter), { outcome: 'refused' })

      const add = { idpId: own, ownerType: IDPOwnerType.IDP_OWNER_TYPE_ORG }
      await call(ManagementService.method.addIDPToLoginPolicy, add, BOSS)
      assert.deepEqual([await linkedIds(), await account()], [[own], [true]])
      assert.equal((await signInWithProvider(scene.app, enter)).outcome, 'done')
    })

    test('take an answer from the browser that began, and from no other', async () => {
      const idpId = await scene.add({ isAutoCreation: true })
      for (const browser of [undefined, 'c'.repeat(43)]) {
        scene.comeAs()
        const brought = await scene.comeTo(idpId, browser)
        assert.deepEqual([brought.get('error'), brought.get('token')], ['sign_in_failed', null])
      }
    })

    test('continue to the second step where the organization asks for one, and to no new password', async () => {
      const { call } = scene.world
      const { addCustomLoginPolicy, resetLoginPolicyToDefault } = ManagementService.method
      const idpId = await scene.add()
      const { userId } = await scene.join(idpId, scene.comeAs())
      await call(
        UserService.method.setPassword,
        { userId, newPassword: { password: 'sturdy umbrella', changeRequired: true } },
        BOSS,
      )
      const open = { allowUsernamePassword: true, allowExternalIdp: true, secondFactors: [SecondFactorType.OTP] }
      const stepWith = async (policy: { forceMfa?: boolean; forceMfaLocalOnly?: boolean }) => {
        await call(addCustomLoginPolicy, { ...open, ...policy }, BOSS)
        const { person } = await scene.enter(await scene.come(idpId), userId)
        await call(resetLoginPolicyToDefault, {}, BOSS)
        return person.step
      }
      assert.equal(await stepWith({ forceMfa: true }), 'set_up_second_factor')
      assert.equal(await stepWith({ forceMfa: true, forceMfaLocalOnly: true }), 'none')
    })

    test('tell when a provider does not answer', async () => {
      const idpId = await scene.world.addProvider('http://127.0.0.1:1')
      assert.deepEqual(await scene.start(idpId), { outcome: 'unavailable' })
    })

    test('refuse a locked user, and every user while the provider is off, with the same outcome', async () => {
      const idpId = await scene.add()
      const { userId } = await scene.join(idpId, scene.comeAs())
      const proof = await scene.come(idpId)
      await scene.world.call(UserService.method.lockUser, { userId }, BOSS)
      const enter = (shown: typeof proof) =>
        signInWithProvider(scene.app, { proof: shown, userId, client: CLIENT, before: undefined })
      assert.deepEqual(await enter(proof), { outcome: 'refused' })
      await scene.world.call(UserService.method.unlockUser, { userId }, BOSS)
      assert.deepEqual(await enter(proof), { outcome: 'refused' }, 'it is from before the lockout')
      const next = await scene.come(idpId)
      await scene.world.call(ManagementService.method.deactivateOrgIDP, { idpId }, BOSS)
      assert.deepEqual(await enter(next), { outcome: 'refused' })
      assert.deepEqual(await readExternalAccount(scene.app, next, undefined, undefined), { outcome: 'refused' })
      await scene.world.call(ManagementService.method.reactivateOrgIDP, { idpId }, BOSS)
      assert.equal((await enter(next)).outcome, 'done')
    })

    test('end the session that the browser had for another user', async () => {
      const idpId = await scene.add()
      const first = await scene.join(idpId, scene.comeAs())
      const name = scene.comeAs()
      const second = await scene.join(idpId, name)
      const { person } = await scene.enter(await scene.come(idpId), second.userId, first.token)
      assert.equal(person.userId, second.userId)
      assert.equal(await findPerson(scene.app, first.token), undefined)
    })
  })
}
