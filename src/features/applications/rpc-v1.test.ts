import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  APIAuthMethodType,
  AppState,
  OIDCAppType,
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCResponseType,
} from '../../../contract/gen/signet/app/v1/app_pb.ts'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { KeyType } from '../../../contract/gen/signet/authn/v1/key_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type ApplicationWorld, withApplications } from '../../../test/support/parts/applications.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'

const v1 = ManagementService.method
const asNorth = { bearer: 'north' }
const asSouth = { bearer: 'south' }
const projectId = 'shop'

for (const engine of engines) {
  suite(`applications in the v1 service on ${engine.name}`, () => {
    let world: ApplicationWorld
    let count = 0
    before(async () => {
      world = await openWorld({ engine }, withApplications)
    })
    after(() => world.dispose())

    const add = (more = {}) => world.call(v1.addOIDCApp, { projectId, name: `App ${++count}`, ...more }, asNorth)
    const configOf = async (appId: string) => {
      const { app } = await world.call(v1.getAppByID, { projectId, appId }, asNorth)
      assert.ok(app?.config.case === 'oidcConfig')
      return app.config.value
    }

    test('tell what is wrong with them in keys and sentences', async () => {
      const added = await add({ appType: OIDCAppType.OIDC_APP_TYPE_NATIVE, redirectUris: ['https://a.example.com/'] })
      assert.equal(added.noneCompliant, true)
      const [first, second] = added.complianceProblems
      assert.equal(first?.key, 'Application.OIDC.V1.NotCompliant')
      assert.equal(second?.key, 'Application.OIDC.V1.Native.AuthMethodType.NotNone')
      assert.match(second?.localizedMessage ?? '', /secret/)
      assert.equal(added.details?.resourceOwner, 'north')
    })

    test('number response types from zero', async () => {
      const grantTypes = [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDCGrantType.OIDC_GRANT_TYPE_IMPLICIT]
      const responseTypes = [
        OIDCResponseType.OIDC_RESPONSE_TYPE_CODE,
        OIDCResponseType.OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN,
      ]
      const { appId } = await add({ responseTypes, grantTypes })
      assert.deepEqual((await configOf(appId)).responseTypes, [0, 2])
      const { application } = await world.call(
        ApplicationService.method.getApplication,
        { applicationId: appId },
        asNorth,
      )
      assert.ok(application?.configuration.case === 'oidcConfiguration')
      assert.deepEqual(application.configuration.value.responseTypes, [1, 3])
    })

    test('are replaced as a whole, except for what v1 does not know', async () => {
      const { id: appId } = await world.addOidc({
        thirdParty: true,
        ios: { teamId: 'ABCDE12345', bundleId: 'com.example' },
        additionalOrigins: ['https://b.example.com'],
      })
      const change = { projectId, appId, authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE }
      await world.call(v1.updateOIDCAppConfig, change, asNorth)
      const config = await configOf(appId)
      assert.deepEqual([config.redirectUris, config.additionalOrigins, config.ios], [[], [], undefined])
      const { application } = await world.call(
        ApplicationService.method.getApplication,
        { applicationId: appId },
        asNorth,
      )
      assert.ok(application?.configuration.case === 'oidcConfiguration' && application.configuration.value.thirdParty)
      await isRefused(world.call(v1.updateOIDCAppConfig, change, asNorth), 'application.unchanged')
      const wrong = world.call(v1.updateOIDCAppConfig, { ...change, redirectUris: ['x'] }, asNorth)
      await isRefused(wrong, 'application.config_invalid', 'redirectUris[0]')
      await isRefused(world.call(v1.updateAPIAppConfig, { projectId, appId }, asNorth), 'application.other_type')
    })

    test('are renamed, deactivated, reactivated and removed', async () => {
      const { appId } = await add()
      const target = { projectId, appId }
      await world.call(v1.updateApp, { ...target, name: 'Renamed' }, asNorth)
      await isRefused(world.call(v1.updateApp, { ...target, name: 'Renamed' }, asNorth), 'application.unchanged')
      await world.call(v1.deactivateApp, target, asNorth)
      assert.equal((await world.call(v1.getAppByID, target, asNorth)).app?.state, AppState.INACTIVE)
      await world.call(v1.reactivateApp, target, asNorth)
      await world.call(v1.removeApp, target, asNorth)
      await isRefused(world.call(v1.getAppByID, target, asNorth), 'application.not_found')
    })

    test('are APIs with a secret or with keys', async () => {
      const api = await world.call(v1.addAPIApp, { projectId, name: 'API' }, asNorth)
      assert.match(api.clientSecret, /^\w{64}$/)
      const target = { projectId, appId: api.appId }
      const renewed = await world.call(v1.regenerateAPIClientSecret, target, asNorth)
      assert.notEqual(renewed.clientSecret, api.clientSecret)
      await isRefused(world.call(v1.regenerateOIDCClientSecret, target, asNorth), 'application.other_type')
      const type = KeyType.JSON
      await isRefused(world.call(v1.addAppKey, { ...target, type }, asNorth), 'application.key_not_usable')
      const authMethodType = APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT
      await world.call(v1.updateAPIAppConfig, { ...target, authMethodType }, asNorth)
      const { id: keyId, keyDetails } = await world.call(v1.addAppKey, { ...target, type }, asNorth)
      assert.equal(JSON.parse(Buffer.from(keyDetails).toString()).clientId, api.clientId)
      assert.equal((await world.call(v1.getAppKey, { ...target, keyId }, asNorth)).key?.id, keyId)
      assert.equal((await world.call(v1.listAppKeys, target, asNorth)).result.length, 1)
      await world.call(v1.removeAppKey, { ...target, keyId }, asNorth)
      await isRefused(world.call(v1.getAppKey, { ...target, keyId }, asNorth), 'application.key_not_found')
    })

    test('are listed by name, in one project', async () => {
      await add({ name: 'Needle' })
      const query = {
        case: 'nameQuery',
        value: { name: 'need', method: TextQueryMethod.STARTS_WITH_IGNORE_CASE },
      } as const
      const { result, details } = await world.call(v1.listApps, { projectId, queries: [{ query }] }, asNorth)
      assert.deepEqual([result.map(({ name }) => name), details?.totalResult], [['Needle'], 1n])
      await isRefused(world.call(v1.listApps, { projectId: 'nowhere' }, asNorth), 'project.not_found')
    })

    test('of another organization are out of reach', async () => {
      const { appId } = await add()
      await isRefused(world.call(v1.getAppByID, { projectId, appId }, asSouth), 'access.forbidden')
      await isRefused(world.call(v1.removeApp, { projectId, appId }, asSouth), 'access.forbidden')
      await isRefused(world.call(v1.addOIDCApp, { projectId, name: 'X' }, asSouth), 'access.forbidden')
    })
  })
}
