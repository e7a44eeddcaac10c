/** Providers of every type: what is set comes back, on the organization and on the instance, in v1 and v2. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { type DescMethodUnary, type JsonObject, toJson } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  AutoLinkingOption,
  AzureADTenantType,
  ProviderType as TypeV1,
} from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { ProviderSchema } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { IDPSchema } from '../../../contract/gen/signet/idp/v2/idp_pb.ts'
import { IdentityProviderService } from '../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { IdentityProviderType } from '../../../contract/gen/signet/settings/v2/identity_provider_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import { findProvider, openProvider, providersForSignIn } from './index.ts'

const own = ManagementService.method
const [north, south, boss] = ['north', 'south', 'boss'].map((bearer) => ({ bearer }))

function appleKey(namedCurve = 'P-256') {
  return Buffer.from(
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  )
}

const endpoints = {
  authorizationEndpoint: 'https://op.example/authorize',
  tokenEndpoint: 'https://op.example/token',
  userEndpoint: 'https://op.example/user',
}
const tenant = { tenantId: '6b7a1c9e-0000-4000-8000-000000000001' }

interface Example {
  readonly method: keyof typeof own & keyof typeof AdminService.method & string
  /** What only this type has. */
  readonly request: object
  readonly config: string
  readonly shown: JsonObject
  readonly connection: object
  readonly name: string
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  oidc: {
    method: 'addGenericOIDCProvider',
    request: { name: 'Oidc', issuer: 'https://op.example', isIdTokenMapping: true, usePkce: true },
    config: 'oidc',
    shown: { issuer: 'https://op.example', isIdTokenMapping: true, usePkce: true },
    connection: { protocol: 'oidc', issuer: 'https://op.example', mapsIdToken: true },
    name: 'Oidc',
  },
  oauth: {
    method: 'addGenericOAuthProvider',
    request: { name: 'OAuth', ...endpoints, idAttribute: 'user_id', usePkce: true },
    config: 'oauth',
    shown: { ...endpoints, idAttribute: 'user_id', usePkce: true },
    connection: { protocol: 'oauth', ...endpoints, idAttribute: 'user_id' },
    name: 'OAuth',
  },
  azure_ad: {
    method: 'addAzureADProvider',
    request: { name: 'Entra', tenant: { type: { case: 'tenantId', value: tenant.tenantId } }, emailVerified: true },
    config: 'azureAd',
    shown: { tenant, emailVerified: true },
    connection: {
      protocol: 'oidc',
      issuer: `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`,
      entra: { tenant: tenant.tenantId, trustsEmail: true },
    },
    name: 'Entra',
  },
  github: {
    method: 'addGitHubProvider',
    request: {},
    config: 'github',
    shown: {},
    connection: {
      protocol: 'oauth',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      emailsEndpoint: 'https://api.github.com/user/emails',
      idAttribute: 'id',
    },
    name: 'GitHub',
  },
  github_es: {
    method: 'addGitHubEnterpriseServerProvider',
    request: { name: 'Ours', ...endpoints },
    config: 'githubEs',
    shown: { ...endpoints },
    connection: {
      protocol: 'oauth',
      ...endpoints,
      emailsEndpoint: 'https://op.example/user/emails',
      idAttribute: 'id',
    },
    name: 'Ours',
  },
  gitlab: {
    method: 'addGitLabProvider',
    request: {},
    config: 'gitlab',
    shown: {},
    connection: { protocol: 'oidc', issuer: 'https://gitlab.com' },
    name: 'GitLab',
  },
  gitlab_self_hosted: {
    method: 'addGitLabSelfHostedProvider',
    request: { name: 'Our GitLab', issuer: 'https://git.example' },
    config: 'gitlabSelfHosted',
    shown: { issuer: 'https://git.example' },
    connection: { protocol: 'oidc', issuer: 'https://git.example' },
    name: 'Our GitLab',
  },
  google: {
    method: 'addGoogleProvider',
    request: {},
    config: 'google',
    shown: {},
    connection: { protocol: 'oidc', issuer: 'https://accounts.google.com' },
    name: 'Google',
  },
  apple: {
    method: 'addAppleProvider',
    request: { teamId: 'ALT03JV3OS', keyId: 'OGKDK25KD1', privateKey: appleKey() },
    config: 'apple',
    shown: { teamId: 'ALT03JV3OS', keyId: 'OGKDK25KD1' },
    connection: { protocol: 'oidc', issuer: 'https://appleid.apple.com', mapsIdToken: true },
    name: 'Apple',
  },
  zitadel: {
    method: 'addZitadelProvider',
    request: {
      name: 'Instance',
      issuer: 'https://id.example',
      instanceRolesInfo: [{ organizationId: '1', organizationDomain: 'a.example' }],
    },
    config: 'zitadel',
    shown: {
      issuer: 'https://id.example',
      instanceRolesInfo: [{ organizationId: '1', organizationDomain: 'a.example' }],
    },
    connection: {
      protocol: 'oidc',
      issuer: 'https://id.example',
      zitadel: { instanceRoles: [{ organizationId: '1', organizationDomain: 'a.example' }] },
    },
    name: 'Instance',
  },
}

const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, isAutoUpdate: true, autoLinking: 2 } as const
const shownOptions = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoUpdate: true,
  autoLinking: 'AUTO_LINKING_OPTION_EMAIL',
}
const common = { clientId: 'us', scopes: ['email'], providerOptions }

const FIELD_INVALID = 'identity_provider.field_invalid'

for (const engine of engines) {
  suite(`identity providers of every type on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const addExample = async ({ method, request }: Example, service: 'own' | 'instance', more: object = {}) => {
      const secret = 'privateKey' in request ? {} : { clientSecret: 'hush' }
      const methods = service === 'own' ? own : AdminService.method
      const descriptor = methods[method] as DescMethodUnary
      const message = { ...common, ...secret, ...request, ...more }
      return (await world.call(descriptor, message, service === 'own' ? north : boss)) as unknown as { id: string }
    }

    for (const [type, example] of Object.entries(EXAMPLES)) {
      test(`${type} is added, shown, replaced and removed`, async () => {
        for (const service of ['own', 'instance'] as const) {
          const [methods, as] = service === 'own' ? [own, north] : [AdminService.method, boss]
          const { id } = await addExample(example, service)
          const { idp } = await world.call(methods.getProviderByID as typeof own.getProviderByID, { id }, as)
          const shown = toJson(ProviderSchema, idp ?? assert.fail()) as JsonObject
          const { details, ...rest } = shown
          assert.deepEqual(rest, {
            id,
            state: 'IDP_STATE_ACTIVE',
            name: example.name,
            owner: service === 'own' ? 'IDP_OWNER_TYPE_ORG' : 'IDP_OWNER_TYPE_SYSTEM',
            type: `PROVIDER_TYPE_${type.toUpperCase()}`,
            config: {
              options: shownOptions,
              [example.config]: { clientId: 'us', scopes: ['email'], ...example.shown },
            },
          })
          assert.equal((details as JsonObject).resourceOwner, service === 'own' ? 'north' : 'instance')

          const { idp: v2 } = await world.call(IdentityProviderService.method.getIDPByID, { id }, as)
          const inV2 = toJson(IDPSchema, v2 ?? assert.fail()) as { config: JsonObject } & JsonObject
          const { usePkce: _, ...withoutPkce } = example.shown
          assert.deepEqual(inV2.config[example.config], { clientId: 'us', scopes: ['email'], ...withoutPkce })
          assert.deepEqual([inV2.type, inV2.state], [`IDP_TYPE_${type.toUpperCase()}`, 'IDP_STATE_ACTIVE'])

          const state = (await findProvider(world.app, id))?.state ?? assert.fail()
          assert.partialDeepStrictEqual(state.connection, example.connection)

          const update = (methods as typeof own)[example.method.replace('add', 'update') as keyof typeof own]
          const { privateKey: __, ...kept } = { privateKey: undefined, ...example.request }
          const change = { id, ...common, ...kept, name: `${example.name} 2`, clientId: 'we', scopes: [] }
          await world.call(update as DescMethodUnary, change, as)
          const changed = (await findProvider(world.app, id))?.state
          assert.ok(changed !== undefined && 'clientId' in changed.connection)
          assert.deepEqual(
            [changed.name, changed.connection.clientId, changed.connection.scopes],
            [`${example.name} 2`, 'we', []],
          )
          await world.call(methods.deleteProvider as typeof own.deleteProvider, { id }, as)
          await isRefused(
            world.call(methods.getProviderByID as typeof own.getProviderByID, { id }, as),
            'identity_provider.not_found',
          )
        }
      })
    }

    test('is refused when something about it cannot be', async () => {
      const refuse = (type: string, more: object, ...fields: string[]) =>
        isRefused(addExample(EXAMPLES[type] ?? assert.fail(), 'own', more), FIELD_INVALID, ...fields)
      await refuse('oauth', { tokenEndpoint: 'http://op.example' }, 'tokenEndpoint')
      await refuse('github_es', { userEndpoint: 'nowhere', tokenEndpoint: 'x' }, 'userEndpoint', 'tokenEndpoint')
      await refuse('azure_ad', { tenant: { type: { case: 'tenantId', value: 'a/../b' } } }, 'tenant.tenantId')
      await refuse('apple', { privateKey: Buffer.from('no key') }, 'privateKey')
      await refuse('apple', { privateKey: appleKey('P-384') }, 'privateKey')
      await refuse('apple', { teamId: 'ALT03JV3O!' }, 'teamId')
      const instanceRolesInfo = [{ organizationId: '1' }, { organizationDomain: 'a\u202eb' }]
      const fields = ['organizationId', 'organizationDomain'].map((name) => `instanceRolesInfo[1].${name}`)
      await refuse('zitadel', { instanceRolesInfo }, ...fields)
    })

    test('cannot be changed by the methods of another type', async () => {
      const { id } = await addExample(EXAMPLES.google ?? assert.fail(), 'own')
      await isRefused(world.call(own.updateGitHubProvider, { id, ...common }, north), 'identity_provider.other_type')
      const part = { idpId: id, clientId: 'us', issuer: 'https://evil.example' }
      await isRefused(world.call(own.updateOrgIDPOIDCConfig, part, north), 'identity_provider.other_type')
      await isRefused(world.call(own.updateGoogleProvider, { id, ...common }, south), 'identity_provider.not_found')
      await isRefused(world.call(own.deleteProvider, { id }, south), 'identity_provider.not_found')
      await world.call(own.deleteProvider, { id }, north)
    })

    test('was added by the older methods, and is changed by the newer: mappings stay', async () => {
      const old = { name: 'Old way', clientId: 'us', clientSecret: 'hush', issuer: 'https://op.example' }
      const { idpId: id } = await world.call(
        own.addOrgOIDCIDP,
        { ...old, usernameMapping: 2, autoRegister: true },
        north,
      )
      const { idp } = await world.call(own.getProviderByID, { id }, north)
      assert.equal(idp?.type, TypeV1.OIDC)
      assert.deepEqual([idp?.config?.options?.isAutoCreation, idp?.config?.options?.isLinkingAllowed], [true, true])
      await world.call(
        own.updateGenericOIDCProvider,
        { id, name: 'New way', issuer: 'https://b.example', clientId: 'we', clientSecret: 'new' },
        north,
      )
      const { idp: after } = await world.call(own.getOrgIDPByID, { idpId: id }, north)
      assert.ok(after?.config.case === 'oidcConfig')
      assert.deepEqual(
        [after.name, after.autoRegister, after.config.value.issuer, after.config.value.usernameMapping],
        ['New way', false, 'https://b.example', 2],
      )
      await world.call(own.deleteProvider, { id }, north)
    })

    test('is turned from a generic one into one of Microsoft or Google, once, with its ID, links and mappings', async () => {
      const entra = {
        name: 'Entra',
        clientId: 'we',
        clientSecret: 'new',
        tenant: { type: { case: 'tenantId', value: tenant.tenantId } },
      }
      const google = { clientId: 'we', clientSecret: 'new', providerOptions }
      for (const service of ['own', 'instance'] as const) {
        const [methods, as] = service === 'own' ? [own, north] : [AdminService.method, boss]
        const migrate = (id: string, template: { case: string; value: object }, caller = as) =>
          world.call(
            methods.migrateGenericOIDCProvider as typeof own.migrateGenericOIDCProvider,
            { id, template } as never,
            caller,
          )
        const stateOf = async (id: string) => (await findProvider(world.app, id))?.state ?? assert.fail()
        const issuer = `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`
        const { id } = await addExample(EXAMPLES.oidc ?? assert.fail(), service, { name: newId(), issuer })
        await migrate(id, { case: 'azure', value: { ...entra, emailVerified: true } })
        const { type, name, accountsVersion, connection } = await stateOf(id)
        assert.deepEqual([type, name, accountsVersion], ['azure_ad', 'Entra', undefined])
        assert.partialDeepStrictEqual(connection, { issuer, clientId: 'we', entra: { trustsEmail: true } })
        assert.equal((await openProvider(world.app, id, instant(0)))?.clientSecret, 'new')
        await isRefused(migrate(id, { case: 'google', value: google }), 'identity_provider.other_type')
        const other = await addExample(EXAMPLES.oidc ?? assert.fail(), service, { name: newId() })
        const unsafe = { ...entra, tenant: { type: { case: 'tenantId', value: 'a/../b' } } }
        await isRefused(migrate(other.id, { case: 'azure', value: unsafe }), FIELD_INVALID, 'azure.tenant.tenantId')
        await isRefused(
          migrate(other.id, { case: 'google', value: google }, south),
          service === 'own' ? 'identity_provider.not_found' : 'access.forbidden',
        )
        await migrate(other.id, { case: 'google', value: google })
        const after = await stateOf(other.id)
        // Another issuer has other accounts.
        assert.deepEqual([after.type, after.name, after.accountsVersion], ['google', 'Google', 1])
        for (const one of [id, other.id])
          await world.call(methods.deleteProvider as typeof own.deleteProvider, { id: one }, as)
      }
    })

    test('is seen in v2 by those who may, wherever it is', async () => {
      const { id } = await addExample(EXAMPLES.oidc ?? assert.fail(), 'own')
      const { getIDPByID } = IdentityProviderService.method
      await isRefused(world.call(getIDPByID, { id }, south), 'access.forbidden')
      await isRefused(world.call(getIDPByID, { id: 'nothing' }, north), 'identity_provider.not_found')
      assert.equal((await world.call(getIDPByID, { id }, boss)).idp?.id, id)
      await world.call(own.deleteProvider, { id }, north)
    })

    test("is offered to those who sign in while it is active: the organization's by name, then the instance's", async () => {
      const add = async (name: string, service: 'own' | 'instance', isAutoCreation = false) =>
        (await addExample(EXAMPLES.oidc ?? assert.fail(), service, { name, providerOptions: { isAutoCreation } })).id
      await add('Z everybody', 'instance')
      const b = await add('b own', 'own', true)
      const a = await add('A own', 'own')
      await addExample(EXAMPLES.oidc ?? assert.fail(), 'own', { name: 'hidden', providerOptions: { isHidden: true } })
      const apple = await addExample(EXAMPLES.apple ?? assert.fail(), 'own', { name: 'c apple' })
      const offered = async (request: object = {}, as = north) => {
        const { identityProviders, details } = await world.call(
          SettingsService.method.getActiveIdentityProviders,
          request,
          as,
        )
        assert.equal(details?.totalResult, BigInt(identityProviders.length))
        return identityProviders
      }
      const names = async (request: object = {}, as = north) => (await offered(request, as)).map(({ name }) => name)
      assert.deepEqual(await names(), ['A own', 'b own', 'c apple', 'Z everybody'])
      assert.deepEqual(await names({}, south), ['Z everybody'])
      assert.deepEqual(await names({ autoCreation: true }), ['b own'])
      assert.deepEqual(await names({ autoCreation: false, autoLinking: true }), ['c apple'])
      assert.equal((await offered()).find(({ id }) => id === apple.id)?.type, IdentityProviderType.APPLE)
      const ctx = { resourceOwner: { case: 'instance', value: true } }
      assert.deepEqual(await names({ ctx }, boss), ['Z everybody'])
      await isRefused(names({ ctx: { resourceOwner: { case: 'orgId', value: 'south' } } }), 'access.forbidden')

      await world.call(own.deactivateOrgIDP, { idpId: b }, north)
      await world.call(own.deleteProvider, { id: a }, north)
      assert.deepEqual(await names(), ['c apple', 'Z everybody'])
      await world.call(own.reactivateOrgIDP, { idpId: b }, north)
      await world.call(own.updateOrgIDP, { idpId: b, name: 'Y own' }, north)
      assert.deepEqual(await names(), ['c apple', 'Y own', 'Z everybody'])
      const direct = await providersForSignIn(world.app, 'north')
      assert.deepEqual(
        direct.map(({ state }) => state.name),
        ['c apple', 'hidden', 'Y own', 'Z everybody'],
      )
    })

    test('links nothing by addresses that any tenant can make up', async () => {
      const azure = EXAMPLES.azure_ad ?? assert.fail()
      const providerOptions = { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL }
      const several = [
        { type: { case: 'tenantType', value: AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON } },
        { type: { case: 'tenantType', value: AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS } },
        { type: { case: 'tenantId', value: 'Organizations' } },
      ]
      for (const some of several) {
        const unsafe = { tenant: some, emailVerified: true, providerOptions }
        await isRefused(
          addExample(azure, 'own', unsafe),
          'identity_provider.linking_unsafe',
          'providerOptions.autoLinking',
        )
        await addExample(azure, 'own', { ...unsafe, name: newId(), emailVerified: false })
        const { id } = await addExample(azure, 'own', { ...unsafe, name: newId(), providerOptions: {} })
        const change = { id, ...common, name: newId(), ...unsafe } as never
        await isRefused(world.call(own.updateAzureADProvider, change, north), 'identity_provider.linking_unsafe')
      }
      await addExample(azure, 'own', { name: newId(), emailVerified: true, providerOptions })
    })
  })
}
