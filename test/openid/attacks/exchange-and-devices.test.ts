/** Attacks with token exchange, impersonation, devices and machines; on both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { approveDevice, requireDeviceByUserCode } from '../../../src/features/authorization-requests/index.ts'
import { engines } from '../../support/engines.ts'
import { openSession } from '../../support/login-page.ts'
import {
  askToken,
  assertError,
  authorize,
  basic,
  codeForm,
  introspect,
  type Parameters,
  post,
  signInFor,
  userinfo,
} from '../../support/openid-flow.ts'
import { addMachineClient, newDpopKey } from '../../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const TYPE = 'urn:ietf:params:oauth:token-type:'
const USER_ID = 'urn:zitadel:params:oauth:token-type:user_id'

for (const engine of engines) {
  suite(`attacks with exchanged tokens and devices on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let other: Application
    let adaId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      adaId = await world.addPerson('ada')
      await world.addPerson('bob')
      application = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      other = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      await world.call(SettingsService.method.setSecuritySettings, { enableImpersonation: true }, world.owner)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const exchange = (client: Application, form: Parameters) =>
      askToken(world, client, { grant_type: EXCHANGE, ...form })

    test('a user is not impersonated without permission', async () => {
      const bob = await signInFor(world, application, {}, { name: 'bob' })
      const actor = { actor_token: bob.access_token, actor_token_type: `${TYPE}access_token` }
      const subject = { subject_token: adaId, subject_token_type: USER_ID }
      assertError(await exchange(application, { ...subject, ...actor }), 400, 'access_denied')
      const byIdToken = { actor_token: bob.id_token, actor_token_type: `${TYPE}id_token` }
      assertError(await exchange(application, { ...subject, ...byIdToken }), 400, 'access_denied')
      assertError(await exchange(application, subject), 400, 'invalid_request')
    })

    test('an application impersonates nobody whom those who control it could not', async () => {
      const name = 'Elsewhere'
      const { organizationId } = await world.call(OrganizationService.method.addOrganization, { name }, world.owner)
      const organisation = { org: { case: 'orgId', value: organizationId } }
      const strangerId = await world.addPerson('stranger', { organisation })
      const ownerId = await world.addPerson('owner')
      await world.call(AdminService.method.addIAMMember, { userId: ownerId, roles: ['IAM_OWNER'] }, world.owner)
      await world.call(ManagementService.method.addOrgMember, { userId: ownerId, roles: ['ORG_OWNER'] }, world.owner)
      const { access_token, id_token } = await signInFor(world, application, {}, { name: 'owner' })
      const tokens = [
        { actor_token: access_token, actor_token_type: `${TYPE}access_token` },
        { actor_token: id_token, actor_token_type: `${TYPE}id_token` },
      ]
      for (const actor of tokens) {
        const as = (id: string) => exchange(application, { subject_token: id, subject_token_type: USER_ID, ...actor })
        assertError(await as(strangerId), 400, 'access_denied')
        assertError(await as(ownerId), 400, 'access_denied')
        assert.equal((await as(adaId)).status, 200)
      }
    })

    test('naming an administrator does not make an application one', async () => {
      const subject = { subject_token: adaId, subject_token_type: USER_ID }
      const actor = { actor_token: world.machineAdministratorId, actor_token_type: USER_ID }
      assertError(await exchange(application, { ...subject, ...actor }), 400, 'invalid_request')
    })

    test('a token of another application cannot be exchanged, nor one that is bound to a key', async () => {
      const { access_token: token, id_token: idToken } = await signInFor(world, application)
      const foreign = { subject_token: token, subject_token_type: `${TYPE}access_token` }
      assertError(await exchange(other, foreign), 400, 'invalid_request')
      const foreignId = { subject_token: idToken, subject_token_type: `${TYPE}id_token` }
      assertError(await exchange(other, foreignId), 400, 'invalid_request')
      const { values } = await authorize(world, application)
      const dpop = await newDpopKey().proof('POST', `${world.url}/oauth/v2/token`)
      const bound = await askToken(world, application, codeForm(values), { ...basic(application), dpop })
      assert.equal(bound.body.token_type, 'DPoP')
      const form = { subject_token: bound.body.access_token, subject_token_type: `${TYPE}access_token` }
      assertError(await exchange(application, form), 400, 'invalid_request')
    })

    test('an exchange gives no scope and no audience that the token does not have', async () => {
      const { access_token: token } = await signInFor(world, application, { scope: 'openid email' })
      const form = { subject_token: token, subject_token_type: `${TYPE}access_token` }
      assertError(await exchange(application, { ...form, scope: 'openid profile' }), 400, 'invalid_scope')
      assertError(await exchange(application, { ...form, audience: other.clientId }), 400, 'invalid_target')
      assertError(await exchange(application, { ...form, resource: 'https://api.example' }), 400, 'invalid_target')
      const answer = await exchange(application, { ...form, scope: 'openid' })
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await introspect(world, application, answer.body.access_token)).body.scope, 'openid')
    })

    test('tokens of a session that has ended cannot be exchanged, and exchanged ones end with it', async () => {
      const tokens = await signInFor(world, application)
      const byAccess = { subject_token: tokens.access_token, subject_token_type: `${TYPE}access_token` }
      const byId = { subject_token: tokens.id_token, subject_token_type: `${TYPE}id_token` }
      const exchanged = [await exchange(application, byAccess), await exchange(application, byId)]
      for (const { body } of exchanged) {
        assert.equal((await introspect(world, application, body.access_token)).body.active, true)
      }
      await world.browser().open(`${world.url}/oidc/v1/end_session?id_token_hint=${tokens.id_token}`)
      assert.equal((await userinfo(world, tokens.access_token)).status, 401)
      assertError(await exchange(application, byAccess), 400, 'invalid_request')
      assertError(await exchange(application, byId), 400, 'invalid_request')
      for (const { body } of exchanged) {
        assert.deepEqual((await introspect(world, application, body.access_token)).body, { active: false })
      }
    })

    test('an application without the grant type cannot exchange tokens', async () => {
      const plain = await world.addApplication({})
      const { access_token: token } = await signInFor(world, plain)
      const form = { subject_token: token, subject_token_type: `${TYPE}access_token` }
      assertError(await exchange(plain, form), 400, 'unauthorized_client')
    })

    test('another application cannot poll with a device code', async () => {
      const address = `${world.url}/oauth/v2/device_authorization`
      const { body: device } = await post(address, { scope: 'openid' }, basic(application))
      const poll = { grant_type: DEVICE_CODE, device_code: device.device_code }
      // As existing clients expect it: not the code is wrong, but who asks with it.
      // RFC 6749 §5.2: an authorization that "was issued to another client".
      assertError(await askToken(world, other, poll), 400, 'invalid_grant')
      assertError(await askToken(world, application, poll), 400, 'authorization_pending')
      const byUserCode = { grant_type: DEVICE_CODE, device_code: device.user_code }
      assertError(await askToken(world, application, byUserCode), 400, 'invalid_grant')
    })

    test('a device that asks again at once is told to slow down, and still gets its tokens', async () => {
      const address = `${world.url}/oauth/v2/device_authorization`
      const { body: device } = await post(address, { scope: 'openid' }, basic(application))
      assert.equal(device.interval, 5)
      const poll = { grant_type: DEVICE_CODE, device_code: device.device_code }
      const answers = await Promise.all([1, 2, 3].map(() => askToken(world, application, poll)))
      const [pending, ...early] = answers.sort((one, two) => one.text.localeCompare(two.text))
      assertError(pending ?? assert.fail(), 400, 'authorization_pending')
      for (const answer of early) assertError(answer, 400, 'slow_down')
      const found = await requireDeviceByUserCode(world.app, device.user_code, world.app.clock())
      const { sessionId } = await openSession(world, adaId)
      await world.store.write(world.origin(), (work) => approveDevice(world.app, work, found.id, sessionId))
      assert.equal((await askToken(world, application, poll)).status, 200)
    })

    test('a machine gets no tokens with the secret of another one, nor as an application', async () => {
      const [one, two] = [await addMachineClient(world), await addMachineClient(world)]
      const form = { grant_type: 'client_credentials', scope: 'openid' }
      const mixed = basic({ clientId: one.clientId, clientSecret: two.clientSecret })
      assertError(await post(`${world.url}/oauth/v2/token`, form, mixed), 401, 'invalid_client')
      assertError(await askToken(world, application, form), 401, 'invalid_client')
      const person = basic({ clientId: 'ada', clientSecret: one.clientSecret })
      assertError(await post(`${world.url}/oauth/v2/token`, form, person), 401, 'invalid_client')
      const introspection = await post(`${world.url}/oauth/v2/introspect`, { token: 'x' }, basic(one))
      assertError(introspection, 401, 'invalid_client')
    })
  })
}
