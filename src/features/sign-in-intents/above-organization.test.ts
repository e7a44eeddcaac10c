import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ExternalScene, openExternalScene } from '../../../test/support/external-scene.ts'
import { BOSS } from '../../../test/support/provider-scene.ts'
import { AutoLinkingOption } from '../../../test/support/provider-world.ts'
import { openScriptedProvider, SAM } from '../../../test/support/scripted-provider.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { appointMember } from '../administrators/index.ts'
import { listIdentityLinks } from '../identity-links/index.ts'
import { linkExternalAccount } from '../sign-in/index.ts'
import { users } from '../users/index.ts'

const { addIDPLink } = UserService.method
const management = ManagementService.method

for (const engine of engines) {
  suite(`a provider of an organization and a user with roles elsewhere on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    const appoint = (userId: string, role: string, organizationId?: string) => {
      const { store, clock, instanceId } = scene.world
      const scope =
        organizationId === undefined
          ? ({ level: 'instance', id: instanceId } as const)
          : ({ level: 'organization', id: organizationId } as const)
      return store.write({ actor: { user: 'test' }, at: clock() }, (work) =>
        appointMember(work, { scope, userId, roles: [role] }),
      )
    }
    const linksOf = async (userId: string) => (await listIdentityLinks(scene.app, userId, { limit: 10 })).total
    const linking = { autoLinking: AutoLinkingOption.EMAIL }

    test('an asserted address links no account to an owner of the instance', async () => {
      const { comeAs, go, add, addPerson, addToInstance, prove } = scene
      const name = comeAs()
      const chief = await addPerson(name, `${name}@corp.example`)
      await appoint(chief, 'IAM_OWNER')
      const { user, intentId, token } = await go(await add(linking))
      assert.equal(user, null)
      assert.equal(await linksOf(chief), 0)
      await isRefused(prove(intentId, token, chief), 'intent.other_user')

      // A provider of the instance may, once the address is proven.
      const proof = { type: 'verify_email', address: `${name}@corp.example`, isMailed: true } as const
      await scene.world.store.write(scene.world.origin(), (work) => work.decide(users, chief, proof))
      assert.equal((await go(await addToInstance(linking))).user, chief)
    })

    test('a role in its own organization, or from another one, is not above it', async () => {
      const { comeAs, go, add, addPerson } = scene
      const idpId = await add(linking)
      const first = comeAs()
      const abroad = await addPerson(first, `${first}@corp.example`)
      await appoint(abroad, 'ORG_OWNER', 'south')
      assert.equal((await go(idpId)).user, abroad)
      const second = comeAs()
      const local = await addPerson(second, `${second}@corp.example`)
      await appoint(local, 'ORG_OWNER', 'north')
      assert.equal((await go(idpId)).user, local)
    })

    test('a link from before signs them in no more, and updates nothing', async () => {
      const { world, provider, comeAs, come, enter, go, add, addPerson, prove, stateOf } = scene
      const name = comeAs()
      const chief = await addPerson(name, `${name}@corp.example`)
      const idpId = await add({ ...linking, isAutoUpdate: true, isAutoCreation: true })
      const earlier = await go(idpId)
      assert.equal(earlier.user, chief)
      await appoint(chief, 'IAM_OWNER')
      await isRefused(prove(earlier.intentId, earlier.token, chief), 'identity_link.user_above_provider')
      provider.account = { ...provider.account, email: 'eve@evil.example', name: 'Eve' }
      assert.equal((await go(idpId)).user, null)
      assert.equal((await stateOf(chief)).email.address, `${name}@corp.example`)
      await assert.rejects(enter(await come(idpId), chief))
      const idpLink = { idpId, userId: 'another', userName: 'another' }
      await isRefused(world.call(addIDPLink, { userId: chief, idpLink }, BOSS), 'identity_link.user_above_provider')
    })

    test('they cannot link an account on the pages either', async () => {
      const { app, comeAs, come, join, add, addToInstance } = scene
      const { userId, person } = await join(await addToInstance({}), comeAs())
      await appoint(userId, 'IAM_OWNER')
      comeAs()
      const outcome = await linkExternalAccount(app, person, await come(await add({})))
      assert.notEqual(outcome.outcome, 'done')
      assert.equal(await linksOf(userId), 1)
    })

    test('another issuer ends the links at once, and a job removes them', async (t) => {
      const { world, provider, comeAs, go, add, prove } = scene
      const name = comeAs()
      const idpId = await add({ isAutoCreation: true })
      const earlier = await go(idpId)
      const victim = earlier.user ?? ''
      const evil = await openScriptedProvider()
      t.after(() => evil.close())
      evil.account = { ...SAM, sub: name, preferred_username: 'eve', email: 'eve@evil.example' }
      const settings = {
        id: idpId,
        name: 'evil',
        issuer: evil.issuer,
        clientId: 'signet-client',
        clientSecret: 'a secret: 1+1=2',
        scopes: ['openid', 'profile', 'email'],
        providerOptions: { isLinkingAllowed: true },
      }
      await world.call(management.updateGenericOIDCProvider, { ...settings, issuer: provider.issuer }, BOSS)
      assert.equal((await go(idpId)).user, victim, 'the same issuer keeps them')
      await world.call(management.updateGenericOIDCProvider, settings, BOSS)
      await isRefused(prove(earlier.intentId, earlier.token, victim), 'intent.other_user')
      const { authUrl } = await world.start(idpId)
      assert.equal((await world.finishAt(evil.answer(authUrl))).searchParams.get('user'), null)
      await world.runJobs()
      assert.equal(await linksOf(victim), 0)
      // What is linked from now on counts, also the account with the same id.
      await world.call(addIDPLink, { userId: victim, idpLink: { idpId, userId: name, userName: 'x' } }, BOSS)
      const again = await world.start(idpId)
      assert.equal((await world.finishAt(evil.answer(again.authUrl))).searchParams.get('user'), victim)
    })
  })
}
