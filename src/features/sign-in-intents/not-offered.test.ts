/** Providers that the login policy of an organization leaves out: no user signs in or is added with them there. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPOwnerType } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { BOSS, openProviderScene, type ProviderScene } from '../../../test/support/provider-scene.ts'
import { AutoLinkingOption } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'

const { addIDPToLoginPolicy, removeIDPFromLoginPolicy } = ManagementService.method
const ownerType = IDPOwnerType.IDP_OWNER_TYPE_ORG

for (const engine of engines) {
  suite(`a provider that an organization does not offer on ${engine.name}`, () => {
    let scene: ProviderScene
    before(async () => {
      scene = await openProviderScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('proves no session, and does again once it is offered; the link stays', async () => {
      const { world, comeAs, go, add, prove } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const { intentId, token, user } = await go(idpId)
      const userId = user ?? ''
      await world.call(removeIDPFromLoginPolicy, { idpId }, BOSS)
      await isRefused(prove(intentId, token, userId), 'intent.provider_not_offered')
      const { result } = await world.call(UserService.method.listIDPLinks, { userId }, BOSS)
      assert.deepEqual(
        result.map((link) => link.idpId),
        [idpId],
      )
      // Whose people will come is not known before they have come back: it can be begun, and tells who it was.
      const again = await go(idpId)
      assert.equal(again.user, userId)
      await world.retrieve(again.intentId, again.token)
      await isRefused(prove(again.intentId, again.token, userId), 'intent.provider_not_offered')
      await world.call(addIDPToLoginPolicy, { idpId, ownerType }, BOSS)
      await prove(intentId, token, userId)
    })

    test('proves none of one organization, and those of another', async () => {
      const { world, provider, comeAs, go, addPerson, prove } = scene
      const name = comeAs()
      const { id: idpId } = await world.call(
        AdminService.method.addGenericOIDCProvider,
        { name: 'Shared', issuer: provider.issuer, clientId: 'signet-client', clientSecret: 'a secret: 1+1=2' },
        BOSS,
      )
      const userId = await addPerson(`${name}-here`, `${name}@corp.example`)
      const idpLink = { idpId, userId: String(provider.account.sub), userName: name }
      await world.call(UserService.method.addIDPLink, { userId, idpLink }, BOSS)
      const { intentId, token } = await go(idpId)
      await world.call(removeIDPFromLoginPolicy, { idpId }, { ...BOSS, organizationId: 'south' })
      await isRefused(prove(intentId, token, userId, 'south'), 'intent.provider_not_offered')
      await prove(intentId, token, userId, 'north')
    })

    test('adds no user and links no user', async () => {
      const { world, comeAs, go, add, addPerson } = scene
      comeAs()
      const making = await add({ isAutoCreation: true })
      await world.call(removeIDPFromLoginPolicy, { idpId: making }, BOSS)
      assert.equal((await go(making)).user, null)

      const name = comeAs()
      const linking = await add({ autoLinking: AutoLinkingOption.EMAIL })
      const userId = await addPerson(`${name}-here`, `${name}@corp.example`)
      await world.call(removeIDPFromLoginPolicy, { idpId: linking }, BOSS)
      assert.equal((await go(linking)).user, null)
      await world.call(addIDPToLoginPolicy, { idpId: linking, ownerType }, BOSS)
      assert.equal((await go(linking)).user, userId)
    })
  })
}
