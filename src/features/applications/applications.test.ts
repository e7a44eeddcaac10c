import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  APIAuthMethodType,
  ApplicationSorting,
  ApplicationState,
  ApplicationType,
} from '../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import {
  OIDCApplicationType,
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCResponseType,
  OIDCTokenType,
} from '../../../contract/gen/signet/application/v2/oidc_pb.ts'
import { TextFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ApplicationWorld, type OidcFields, withApplications } from '../../../test/support/parts/applications.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { findApplicationByClientId, matchesApplicationSecret } from './index.ts'

const v2 = ApplicationService.method
const asNorth = { bearer: 'north' }
const asSouth = { bearer: 'south' }
const { OIDC_AUTH_METHOD_TYPE_NONE: NONE, OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: JWT } = OIDCAuthMethodType

/** Every field with a value that is not the default. */
const EVERYTHING = {
  redirectUris: ['https://a.example.com/cb'],
  responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE, OIDCResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN],
  grantTypes: [
    OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE,
    OIDCGrantType.OIDC_GRANT_TYPE_IMPLICIT,
    OIDCGrantType.OIDC_GRANT_TYPE_TOKEN_EXCHANGE,
  ],
  applicationType: OIDCApplicationType.OIDC_APP_TYPE_NATIVE,
  authMethodType: NONE,
  postLogoutRedirectUris: ['https://a.example.com/'],
  developmentMode: true,
  accessTokenType: OIDCTokenType.OIDC_TOKEN_TYPE_JWT,
  accessTokenRoleAssertion: true,
  idTokenRoleAssertion: true,
  idTokenUserinfoAssertion: true,
  clockSkew: { seconds: 1n, nanos: 500_000_000 },
  additionalOrigins: ['https://b.example.com'],
  skipNativeAppSuccessPage: true,
  backChannelLogoutUri: 'https://a.example.com/logout',
  loginVersion: { version: { case: 'loginV2', value: { baseUri: 'https://login.example.com' } } },
  ios: { teamId: 'ABCDE12345', bundleId: 'com.example' },
  android: { packageName: 'com.example', sha256CertFingerprints: ['ab'.repeat(32)] },
  thirdParty: true,
} as const satisfies OidcFields

for (const engine of engines) {
  suite(`applications on ${engine.name}`, () => {
    let world: ApplicationWorld
    before(async () => {
      world = await openWorld({ engine }, withApplications)
    })
    after(() => world.dispose())

    const get = async (applicationId: string) => {
      const { application } = await world.call(v2.getApplication, { applicationId }, asNorth)
      return application ?? assert.fail('there is none')
    }
    const oidcOf = async (applicationId: string) => {
      const { configuration } = await get(applicationId)
      assert.ok(configuration.case === 'oidcConfiguration')
      return configuration.value
    }
    const update = (applicationId: string, value: Record<string, unknown>, request = asNorth) =>
      world.call(
        v2.updateApplication,
        { applicationId, projectId: 'shop', applicationType: { case: 'oidcConfiguration', value } },
        request,
      )
    const create = (value: OidcFields, more = {}) =>
      world.call(
        v2.createApplication,
        { projectId: 'shop', name: 'Other', applicationType: { case: 'oidcConfiguration', value }, ...more },
        asNorth,
      )
    const secretOf = async (clientId: string, secret: string) => {
      const found = (await findApplicationByClientId(world.app, clientId)) ?? assert.fail('there is none')
      return matchesApplicationSecret(world.app, found, secret)
    }

    test('are created with defaults and a secret that is shown once and stored as a hash', async () => {
      const { id, clientId, secret } = await world.addOidc()
      assert.match(secret, /^[A-Za-z0-9]{64}$/)
      assert.notEqual(clientId, id)
      const application = await get(id)
      assert.equal(application.state, ApplicationState.ACTIVE)
      assert.equal(application.projectId, 'shop')
      const config = await oidcOf(id)
      assert.deepEqual(config.responseTypes, [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE])
      assert.deepEqual(config.grantTypes, [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE])
      assert.equal(config.clientId, clientId)
      assert.equal(config.nonCompliant, false)
      assert.deepEqual(config.allowedOrigins, ['https://app.example.com'])
      assert.equal(config.loginVersion, undefined)
      assert.equal(await secretOf(clientId, secret), true)
      assert.equal(await secretOf(clientId, `${secret}x`), false)
      assert.ok(!JSON.stringify(await world.store.events({ limit: 1000 })).includes(secret))
    })

    test('keep everything that they are created with', async () => {
      const { id, secret } = await world.addOidc(EVERYTHING)
      assert.equal(secret, '')
      const config = await oidcOf(id)
      for (const field of ['redirectUris', 'responseTypes', 'grantTypes', 'additionalOrigins', 'thirdParty'] as const) {
        assert.deepEqual(config[field], EVERYTHING[field], field)
      }
      assert.equal(config.applicationType, EVERYTHING.applicationType)
      assert.equal(config.authMethodType, NONE)
      assert.equal(config.accessTokenType, EVERYTHING.accessTokenType)
      assert.deepEqual([config.clockSkew?.seconds, config.clockSkew?.nanos], [1n, 500_000_000])
      assert.equal(config.ios?.teamId, 'ABCDE12345')
      assert.deepEqual(config.android?.sha256CertFingerprints, ['ab'.repeat(32)])
      assert.equal(config.loginVersion?.version.case, 'loginV2')
      assert.equal(config.backChannelLogoutUri, EVERYTHING.backChannelLogoutUri)
      assert.equal(config.nonCompliant, true)
      const keys = config.complianceProblems.map(({ key }) => key)
      assert.ok(keys.includes('Application.OIDC.V1.Implicit.NotOffered'), keys.join())
    })

    test('have a name that is unique in the project and an ID of their own, if they choose one', async () => {
      const more = { applicationId: `own-${engine.name}`, name: 'Taken' }
      assert.equal((await create({}, more)).applicationId, more.applicationId)
      await isRefused(create({}, { name: ' TAKEN ' }), 'application.name_taken')
      await isRefused(create({}, { ...more, name: 'Free' }), 'application.id_taken')
      await isRefused(create({}, { applicationId: 'a b' }), 'application.id_invalid', 'applicationId')
      await isRefused(create({}, { projectId: 'nowhere' }), 'project.missing')
      await isRefused(create({}, { projectId: 'depot' }), 'access.forbidden')
    })

    test('are refused with the fields that are wrong', async () => {
      const wrong = { redirectUris: ['javascript:alert(1)'], additionalOrigins: ['https://a.example.com/x'] }
      const fields = ['oidcConfiguration.redirectUris[0]', 'oidcConfiguration.additionalOrigins[0]']
      await isRefused(create(wrong), 'application.config_invalid', ...fields)
      const { id } = await world.addOidc()
      await isRefused(update(id, wrong), 'application.config_invalid', ...fields)
      const grantTypes = [OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN]
      await isRefused(create({ grantTypes }), 'application.config_invalid', 'oidcConfiguration.grantTypes')
      await isRefused(create({ clockSkew: { seconds: 6n } }), 'request.invalid', 'oidcConfiguration.clockSkew')
    })

    test('keep what an update does not name, except for what gets its default', async () => {
      const { id } = await world.addOidc(EVERYTHING)
      await update(id, { developmentMode: false })
      const config = await oidcOf(id)
      assert.equal(config.developmentMode, false)
      assert.deepEqual(config.redirectUris, EVERYTHING.redirectUris)
      assert.deepEqual(config.additionalOrigins, EVERYTHING.additionalOrigins)
      assert.equal(config.thirdParty, true)
      assert.equal(config.ios?.bundleId, 'com.example')
      assert.deepEqual(config.responseTypes, [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE])
      assert.deepEqual(config.grantTypes, [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE])
      assert.deepEqual([config.clockSkew?.seconds, config.clockSkew?.nanos], [0n, 0])
      assert.equal(config.loginVersion, undefined)
      await isRefused(update(id, {}), 'application.unchanged')
    })

    test('are renamed, and are not changed by an update of another type', async () => {
      const { id } = await world.addOidc()
      const rename = { applicationId: id, projectId: 'shop', name: 'Renamed' }
      await world.call(v2.updateApplication, rename, asNorth)
      assert.equal((await get(id)).name, 'Renamed')
      await isRefused(world.call(v2.updateApplication, rename, asNorth), 'application.unchanged')
      const applicationType = { case: 'apiConfiguration', value: {} } as const
      const asApi = world.call(v2.updateApplication, { ...rename, applicationType }, asNorth)
      await isRefused(asApi, 'application.other_type')
    })

    test('are APIs too, with a secret or with keys', async () => {
      const add = async (name: string, authMethodType: APIAuthMethodType) => {
        const applicationType = { case: 'apiConfiguration', value: { authMethodType } } as const
        const reply = await world.call(v2.createApplication, { projectId: 'shop', name, applicationType }, asNorth)
        assert.ok(reply.applicationType.case === 'apiConfiguration')
        return { id: reply.applicationId, ...reply.applicationType.value }
      }
      const basic = await add('API', APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC)
      assert.equal(await secretOf(basic.clientId, basic.clientSecret), true)
      const keyed = await add('Keyed API', APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT)
      assert.equal(keyed.clientSecret, '')
      assert.equal((await get(keyed.id)).configuration.case, 'apiConfiguration')
    })

    test('get a new secret, and the old one is invalid then', async () => {
      const { id, clientId, secret } = await world.addOidc()
      const target = { applicationId: id, projectId: 'shop' }
      const { clientSecret } = await world.call(v2.generateClientSecret, target, asNorth)
      assert.equal(await secretOf(clientId, secret), false)
      assert.equal(await secretOf(clientId, clientSecret), true)
      const missing = world.call(v2.generateClientSecret, { ...target, applicationId: 'none' }, asNorth)
      await isRefused(missing, 'application.not_found')
    })

    test('lose their secret when they authenticate themselves in another way, permanently', async () => {
      const { id, clientId, secret } = await world.addOidc()
      await update(id, { authMethodType: JWT })
      assert.equal(await secretOf(clientId, secret), false)
      await update(id, { authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST })
      assert.equal(await secretOf(clientId, secret), false)
    })

    test('are deactivated and reactivated', async () => {
      const { id } = await world.addOidc()
      const target = { applicationId: id, projectId: 'shop' }
      await isRefused(world.call(v2.reactivateApplication, target, asNorth), 'application.not_inactive')
      await world.call(v2.deactivateApplication, target, asNorth)
      assert.equal((await get(id)).state, ApplicationState.INACTIVE)
      await isRefused(world.call(v2.deactivateApplication, target, asNorth), 'application.not_active')
      await world.call(v2.reactivateApplication, target, asNorth)
      assert.equal((await get(id)).state, ApplicationState.ACTIVE)
    })

    test('are removed, and their name is free again', async () => {
      const { applicationId } = await create({}, { name: 'Short-lived' })
      const target = { applicationId, projectId: 'shop' }
      await isRefused(
        world.call(v2.deleteApplication, { ...target, projectId: 'depot' }, asNorth),
        'application.not_found',
      )
      await world.call(v2.deleteApplication, target, asNorth)
      await isRefused(world.call(v2.getApplication, { applicationId }, asNorth), 'application.not_found')
      await create({}, { name: 'Short-lived' })
    })

    test('of another organization is not found, and a caller without a role finds none', async () => {
      const { id } = await world.addOidc()
      for (const applicationId of [id, 'unknown']) {
        await isRefused(world.call(v2.getApplication, { applicationId }, asSouth), 'application.not_found')
        await isRefused(world.call(v2.getApplication, { applicationId }, { bearer: 'nobody' }), 'access.not_found')
      }
    })

    test('of another organization cannot be changed', async () => {
      const { id } = await world.addOidc()
      const target = { applicationId: id, projectId: 'shop' }
      await isRefused(update(id, { developmentMode: true }, asSouth), 'access.forbidden')
      await isRefused(world.call(v2.deleteApplication, target, asSouth), 'access.forbidden')
      await isRefused(world.call(v2.generateClientSecret, target, asSouth), 'access.forbidden')
      await isRefused(world.call(v2.deactivateApplication, target, { bearer: 'viewer' }), 'access.forbidden')
    })

    test('are listed by every filter and in every order, as far as the caller may read them', async () => {
      await create({}, { name: 'Zebra', applicationId: `z-${engine.name}` })
      const { clientId } = await world.addOidc()
      const list = async (
        filters: object[],
        request = asNorth,
        sortingColumn: ApplicationSorting = ApplicationSorting.APPLICATION_SORT_BY_ID,
      ) =>
        (
          await world.call(
            v2.listApplications,
            { filters: filters.map((filter) => ({ filter })) as never, sortingColumn, pagination: { limit: 1000 } },
            request,
          )
        ).applications
      const all = await list([])
      assert.ok(all.length > 5)
      assert.deepEqual(await list([], asSouth), [])
      const only = async (filter: object) => (await list([filter])).map(({ name }) => name)
      const nameFilter = { name: 'zebra', method: TextFilterMethod.EQUALS_IGNORE_CASE }
      assert.deepEqual(await only({ case: 'nameFilter', value: nameFilter }), ['Zebra'])
      assert.deepEqual((await only({ case: 'clientIdFilter', value: { clientId } })).length, 1)
      const apis = await list([{ case: 'typeFilter', value: ApplicationType.API }])
      assert.ok(apis.length > 0 && apis.every(({ configuration }) => configuration.case === 'apiConfiguration'))
      assert.deepEqual(await only({ case: 'typeFilter', value: ApplicationType.SAML }), [])
      assert.deepEqual(await only({ case: 'entityIdFilter', value: { entityId: 'x' } }), [])
      assert.deepEqual(await only({ case: 'stateFilter', value: ApplicationState.INACTIVE }), [])
      assert.equal((await only({ case: 'projectIdFilter', value: { projectId: 'shop' } })).length, all.length)
      assert.deepEqual(await only({ case: 'projectIdFilter', value: { projectId: 'depot' } }), [])
      const ofOrganization = (organizationId: string) =>
        only({ case: 'organizationIdFilter', value: { organizationId } })
      assert.equal((await ofOrganization('north')).length, all.length)
      assert.deepEqual(await ofOrganization('south'), [])
      for (const column of Object.values(ApplicationSorting)) {
        assert.equal((await list([], asNorth, column)).length, all.length)
      }
      const byName = await list([], asNorth, ApplicationSorting.APPLICATION_SORT_BY_NAME)
      assert.equal(byName[0]?.name, 'Zebra')
    })
  })
}
