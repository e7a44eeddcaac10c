/** Providers with signed tokens: by the methods of today and by the older ones, on the organization and on the instance. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type JsonObject, toJson } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AutoLinkingOption } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { IDPSchema as IDPSchemaV1, IDPType, ProviderSchema } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { IDPSchema } from '../../../contract/gen/signet/idp/v2/idp_pb.ts'
import { IdentityProviderService } from '../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { IdentityProviderType } from '../../../contract/gen/signet/settings/v2/identity_provider_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { findProvider } from './index.ts'

const own = ManagementService.method
const instance = AdminService.method
const [north, south, boss] = ['north', 'south', 'boss'].map((bearer) => ({ bearer }))

const OLD = {
  issuer: 'https://login.example',
  jwtEndpoint: 'https://apps.example/sign-in?from=signet',
  keysEndpoint: 'https://login.example/keys',
  headerName: 'X-Signed-In',
}
const GIVEN = { ...OLD, audience: 'signet' }
const ofOrganization = { ...own, add: own.addOrgJWTIDP, get: own.getOrgIDPByID, change: own.updateOrgIDPJWTConfig }
const ofInstance = {
  ...instance,
  add: instance.addJWTIDP,
  get: instance.getIDPByID,
  change: instance.updateIDPJWTConfig,
}
/** Both services have the same fields. */
const SIDES = [
  [ofOrganization, north],
  [ofInstance as unknown as typeof ofOrganization, boss],
] as const

for (const engine of engines) {
  suite(`an identity provider with signed tokens, on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())
    const stateOf = async (id: string) => (await findProvider(world.app, id))?.state ?? assert.fail()

    test('is added, shown in v1 and v2, replaced, offered and removed', async () => {
      for (const [methods, as] of SIDES) {
        const providerOptions = { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL }
        const { id } = await world.call(methods.addJWTProvider, { name: 'Gate', ...GIVEN, providerOptions }, as)
        const { idp } = await world.call(methods.getProviderByID, { id }, as)
        const shown = toJson(ProviderSchema, idp ?? assert.fail()) as JsonObject
        const { options, ...config } = shown.config as JsonObject
        assert.deepEqual([shown.type, config], ['PROVIDER_TYPE_JWT', { jwt: GIVEN }])
        assert.deepEqual(options, { isLinkingAllowed: true, autoLinking: 'AUTO_LINKING_OPTION_EMAIL' })
        const { idp: v2 } = await world.call(IdentityProviderService.method.getIDPByID, { id }, as)
        const inV2 = toJson(IDPSchema, v2 ?? assert.fail()) as { config: JsonObject } & JsonObject
        assert.deepEqual([inV2.type, inV2.config.jwt], ['IDP_TYPE_JWT', GIVEN])
        const offered = await world.call(SettingsService.method.getActiveIdentityProviders, {}, north)
        assert.equal(offered.identityProviders.find((one) => one.id === id)?.type, IdentityProviderType.JWT)
        const links = await world.call(methods.listLoginPolicyIDPs, {}, as)
        assert.equal(links.result.find(({ idpId }) => idpId === id)?.idpType, IDPType.IDP_TYPE_JWT)
        await world.call(methods.updateJWTProvider, { id, name: 'Gate 2', ...GIVEN, audience: '' }, as)
        const { name, connection } = await stateOf(id)
        assert.deepEqual({ name, connection }, { name: 'Gate 2', connection: { protocol: 'jwt', ...OLD } })
        await isRefused(
          world.call(own.updateJWTProvider, { id, name: 'x', ...GIVEN }, south),
          'identity_provider.not_found',
        )
        await world.call(methods.deleteProvider, { id }, as)
        await isRefused(world.call(methods.getProviderByID, { id }, as), 'identity_provider.not_found')
      }
    })

    test('is the same one by the older methods, which leave the audience alone', async () => {
      for (const [methods, as] of SIDES) {
        const { idpId } = await world.call(methods.add, { name: 'Old gate', ...OLD, autoRegister: true }, as)
        const { idp } = await world.call(methods.get, { idpId }, as)
        const { jwtConfig, autoRegister } = toJson(IDPSchemaV1, idp ?? assert.fail()) as JsonObject
        assert.deepEqual({ jwtConfig, autoRegister }, { jwtConfig: OLD, autoRegister: true })
        const { isAutoCreation, isLinkingAllowed, isCreationAllowed } = (await stateOf(idpId)).options
        assert.deepEqual([isAutoCreation, isLinkingAllowed, isCreationAllowed], [true, true, true])
        await world.call(methods.updateJWTProvider, { id: idpId, name: 'Old gate', ...GIVEN }, as)
        await isRefused(world.call(methods.change, { idpId, ...OLD }, as), 'identity_provider.unchanged')
        await world.call(methods.change, { idpId, ...OLD, headerName: 'x-other' }, as)
        assert.partialDeepStrictEqual((await stateOf(idpId)).connection, { ...GIVEN, headerName: 'x-other' })
        await world.call(methods.deleteProvider, { id: idpId }, as)
      }
    })

    test('cannot be changed by the methods of another type, nor another by its own', async () => {
      const { id } = await world.call(own.addJWTProvider, { name: 'Gate', ...GIVEN }, north)
      const client = { issuer: OLD.issuer, clientId: 'us' }
      const { idpId } = await world.call(own.addOrgOIDCIDP, { name: 'Corp', ...client, clientSecret: 'hush' }, north)
      for (const call of [
        world.call(own.updateOrgIDPOIDCConfig, { idpId: id, ...client }, north),
        world.call(own.updateGenericOIDCProvider, { id, name: 'x', ...client }, north),
        world.call(own.updateOrgIDPJWTConfig, { idpId, ...OLD }, north),
        world.call(own.updateJWTProvider, { id: idpId, name: 'x', ...GIVEN }, north),
      ]) {
        await isRefused(call, 'identity_provider.other_type')
      }
      for (const one of [id, idpId]) await world.call(own.deleteProvider, { id: one }, north)
    })

    test('is refused with the fields that cannot be', async () => {
      const rows: readonly (readonly [object, ...string[]])[] = [
        [{ issuer: 'https://login.example?x' }, 'issuer'],
        [{ issuer: 'a\u202eb' }, 'issuer'],
        [{ jwtEndpoint: 'http://apps.example' }, 'jwtEndpoint'],
        [{ jwtEndpoint: 'javascript:alert(1)' }, 'jwtEndpoint'],
        [{ jwtEndpoint: 'https://apps.example/#here' }, 'jwtEndpoint'],
        [{ keysEndpoint: 'http://10.0.0.1/keys' }, 'keysEndpoint'],
        [{ keysEndpoint: 'https://user:password@login.example' }, 'keysEndpoint'],
        [{ headerName: 'x y', keysEndpoint: 'file:///etc/passwd' }, 'keysEndpoint', 'headerName'],
        [{ headerName: 'x:y' }, 'headerName'],
        [{ headerName: 'x\r\ny' }, 'headerName'],
      ]
      for (const [wrong, ...fields] of rows) {
        const code = 'identity_provider.field_invalid'
        await isRefused(world.call(own.addJWTProvider, { name: 'Gate', ...GIVEN, ...wrong }, north), code, ...fields)
        await isRefused(world.call(own.addOrgJWTIDP, { name: 'Gate', ...OLD, ...wrong }, north), code, ...fields)
      }
      const { id } = await world.call(own.addJWTProvider, { name: 'Gate', ...GIVEN, issuer: 'corp login' }, north)
      await world.call(own.deleteProvider, { id }, north)
    })

    test('has other accounts when its issuer or its keys are others, and the same ones otherwise', async () => {
      const { id } = await world.call(own.addJWTProvider, { name: 'Gate', ...GIVEN }, north)
      const versionAfter = async (change: object) => {
        await world.call(own.updateJWTProvider, { id, name: 'Gate', ...GIVEN, ...change }, north)
        return (await stateOf(id)).accountsVersion
      }
      assert.equal(
        await versionAfter({ headerName: 'x-new', audience: '', jwtEndpoint: 'https://b.example' }),
        undefined,
      )
      assert.equal(await versionAfter({ issuer: 'https://evil.example' }), 1)
      assert.equal(await versionAfter({ keysEndpoint: 'https://evil.example/keys' }), 2)
      await world.call(own.deleteProvider, { id }, north)
    })
  })
}
