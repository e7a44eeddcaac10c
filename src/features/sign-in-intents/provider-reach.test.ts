/** Whoever controls a provider signs nobody in who holds more than they do. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ExternalScene, openExternalScene } from '../../../test/support/external-scene.ts'
import { AutoLinkingOption } from '../../../test/support/provider-world.ts'
import { upstreamMetadata } from '../../../test/support/response-forger.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { appointMember } from '../administrators/index.ts'
import { findProvider } from '../identity-providers/index.ts'

const { addIDPLink } = UserService.method
const management = ManagementService.method
const METADATA = upstreamMetadata('https://upstream.example')
let made = 0

const OWNER = { bearer: 'owner' }
const MANAGER = { bearer: 'settings' }

for (const engine of engines) {
  suite(`a provider that a settings manager controls on ${engine.name}`, () => {
    let scene: ExternalScene
    let number = 0
    before(async () => {
      scene = await openExternalScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    const settings = (autoLinking: AutoLinkingOption) => ({
      name: `of the manager ${++number}`,
      issuer: scene.provider.issuer,
      clientId: 'signet-client',
      clientSecret: 'a secret: 1+1=2',
      scopes: ['openid', 'profile', 'email'],
      providerOptions: { isLinkingAllowed: true, autoLinking },
    })
    /** A person with an account at the provider, and a user here with a role. */
    const meet = async (role?: string) => {
      const name = scene.comeAs()
      const userId = await scene.addPerson(name, `${name}@corp.example`)
      const scope = { level: 'organization', id: 'north' } as const
      if (role !== undefined) {
        const { store, origin } = scene.world
        await store.write(origin(), (work) => appointMember(work, { scope, userId, roles: [role] }))
      }
      return userId
    }
    const reachOf = async (id: string) => (await findProvider(scene.app, id))?.state.reach

    for (const [by, autoLinking] of [
      ['address', AutoLinkingOption.EMAIL],
      ['name', AutoLinkingOption.USERNAME],
    ] as const) {
      test(`one that they add with linking by ${by} signs in users without roles, and an owner once an owner has saved it`, async () => {
        const { world, go } = scene
        const given = settings(autoLinking)
        const { id } = await world.call(management.addGenericOIDCProvider, given, MANAGER)
        for (const role of ['ORG_OWNER', 'ORG_USER_MANAGER', 'ORG_OWNER_VIEWER']) {
          const above = await meet(role)
          assert.equal((await go(id)).user, null, role)
          const idpLink = { idpId: id, userId: `of ${role} ${by}`, userName: 'x' }
          await isRefused(
            world.call(addIDPLink, { userId: above, idpLink }, OWNER),
            'identity_link.user_above_provider',
          )
        }
        const equal = await meet('ORG_SETTINGS_MANAGER')
        assert.equal((await go(id)).user, equal)
        const plain = await meet()
        assert.equal((await go(id)).user, plain)
        const owner = await meet('ORG_OWNER')
        await world.call(management.updateGenericOIDCProvider, { id, ...given }, MANAGER)
        assert.equal((await go(id)).user, null)
        await world.call(management.updateGenericOIDCProvider, { id, ...given, clientSecret: '' }, OWNER)
        assert.equal((await go(id)).user, owner)
      })
    }

    test("a change of an owner's provider takes it from the owners, links included", async () => {
      const { world, go, prove } = scene
      const given = settings(AutoLinkingOption.EMAIL)
      const { id } = await world.call(management.addGenericOIDCProvider, given, OWNER)
      assert.equal(await reachOf(id), undefined)
      const owner = await meet('ORG_OWNER')
      const earlier = await go(id)
      assert.equal(earlier.user, owner)
      // Saving what is there changes nothing.
      await world.call(management.updateGenericOIDCProvider, { id, ...given, clientSecret: '' }, MANAGER)
      assert.equal((await go(id)).user, owner)
      await world.call(management.updateGenericOIDCProvider, { id, ...given }, MANAGER)
      assert.equal((await go(id)).user, null)
      await isRefused(prove(earlier.intentId, earlier.token, owner), 'identity_link.user_above_provider')
    })
  })

  suite(`the reach of a provider on ${engine.name}`, () => {
    let scene: ExternalScene
    before(async () => {
      scene = await openExternalScene(engine)
    })
    after(() => scene.dispose())

    test('comes from whoever added or changed it, for every type', async () => {
      const { world, app } = scene
      const reachOf = async (id: string) => (await findProvider(app, id))?.state.reach
      const client = { clientId: 'us', clientSecret: 'hush' }
      const oauth = {
        ...client,
        authorizationEndpoint: 'https://login.example/authorize',
        tokenEndpoint: 'https://login.example/token',
        userEndpoint: 'https://login.example/me',
        idAttribute: 'id',
      }
      const jwt = {
        issuer: 'https://login.example',
        jwtEndpoint: 'https://apps.example/sign-in',
        keysEndpoint: 'https://login.example/keys',
        headerName: 'X-Signed-In',
      }
      const ldap = {
        servers: ['ldaps://ldap.example'],
        baseDn: 'dc=example',
        bindDn: 'cn=reader',
        bindPassword: 'hush',
        userBase: 'dn',
        userObjectClasses: ['person'],
        userFilters: ['uid'],
        attributes: { idAttribute: 'uid' },
      }
      for (const [type, given] of [
        ['GenericOAuth', oauth],
        ['JWT', jwt],
        ['LDAP', ldap],
      ] as const) {
        const one = { name: `One ${++made}`, ...given }
        // They have the fields of their types.
        const save = (verb: 'add' | 'update', message: object, by: CallOptions) =>
          world.call(management[`${verb}${type}Provider`] as typeof management.addJWTProvider, message, by)
        const { id } = await save('add', one, MANAGER)
        assert.deepEqual(await reachOf(id), ['ORG_SETTINGS_MANAGER'], type)
        await save('update', { id, ...one }, OWNER)
        assert.deepEqual(await reachOf(id), ['ORG_OWNER'], type)
        await save('update', { id, ...one, name: `Another ${made}` }, MANAGER)
        assert.deepEqual(await reachOf(id), ['ORG_SETTINGS_MANAGER'], type)
      }
    })

    test('goes down with a new key for a SAML provider, and when it is switched off and on', async () => {
      const { world, app } = scene
      const reachOf = async (id: string) => (await findProvider(app, id))?.state.reach
      const metadata = { case: 'metadataXml', value: Buffer.from(METADATA) } as const
      const { id } = await world.call(management.addSAMLProvider, { name: 'SAML', metadata }, OWNER)
      assert.equal(await reachOf(id), undefined)
      await world.call(management.regenerateSAMLProviderCertificate, { id }, MANAGER)
      assert.deepEqual(await reachOf(id), ['ORG_SETTINGS_MANAGER'])
      await world.call(management.updateSAMLProvider, { id, name: 'SAML', metadata }, OWNER)
      assert.deepEqual(await reachOf(id), ['ORG_OWNER'])
      await world.call(management.deactivateOrgIDP, { idpId: id }, MANAGER)
      await world.call(management.reactivateOrgIDP, { idpId: id }, MANAGER)
      assert.deepEqual(await reachOf(id), ['ORG_SETTINGS_MANAGER'])
    })
  })
}
