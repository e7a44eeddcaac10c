/** Signed authorization requests (RFC 9101, FAPI 2.0 Message Signing §5.3.1): how long they count, and where they are required. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { SignJWT } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { engines } from '../support/engines.ts'
import { addFapiClient, callbackOf, clientForm, type FapiClient, PRIVATE_KEY_JWT } from '../support/high-assurance.ts'
import {
  assertError,
  authorizationUrl,
  authorize,
  CHALLENGE,
  isSignInPage,
  type Parameters,
  post,
} from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const MINUTE = 60
const now = () => Math.floor(Date.now() / 1000)

for (const engine of engines) {
  suite(`signed authorization requests on ${engine.name}`, () => {
    let world: OpenIdWorld
    let fapi: FapiClient

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      fapi = await addFapiClient(world)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const sign = ({ application: { clientId }, algorithm, privateKey, keyId }: FapiClient, more = {}) => {
      const claims = {
        ...{ iss: clientId, aud: world.url, client_id: clientId, redirect_uri: REDIRECT_URI },
        ...{ response_type: 'code', scope: 'openid', state: 'the-state' },
        ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', nbf: now(), exp: now() + 5 * MINUTE },
        ...more,
      }
      return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: keyId }).sign(privateKey)
    }
    const pushed = async (client: FapiClient, form: Parameters) =>
      post(`${world.url}/oauth/v2/par`, {
        client_id: client.application.clientId,
        ...form,
        ...(await clientForm(world, client)),
      })
    const pushSigned = async (client: FapiClient, more = {}) => pushed(client, { request: await sign(client, more) })
    const unsigned = {
      ...{ response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
    }

    test('count for an hour at most for an application of the profile', async () => {
      assert.equal((await pushSigned(fapi)).status, 201)
      assert.equal((await pushSigned(fapi, { nbf: now() - 30 * MINUTE, exp: now() + 29 * MINUTE })).status, 201)
      const cases: [string, object][] = [
        ['without exp', { exp: undefined }],
        ['without nbf', { nbf: undefined }],
        ['with an exp 70 minutes after nbf', { exp: now() + 70 * MINUTE }],
        ['with an nbf 70 minutes ago', { nbf: now() - 70 * MINUTE }],
        ['with an exp before nbf', { nbf: now() + 2, exp: now() + 1 }],
      ]
      for (const [name, more] of cases) {
        const answer = await pushSigned(fapi, more)
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request_object'], name)
        assert.match(answer.body.error_description, /exp|nbf/, name)
      }
    })

    test('count as they are for other applications', async () => {
      const other = await addFapiClient(world, 'ES256', { requireDpop: false })
      assert.equal((await pushSigned(other, { exp: undefined, nbf: undefined })).status, 201)
    })

    test('sign a user in with a pushed request, without the rules being asked twice', async () => {
      const request = await sign(fapi)
      const form = { request, response_type: undefined, redirect_uri: undefined, scope: undefined, state: undefined }
      const values = await callbackOf(world, fapi, form)
      assert.deepEqual([values.get('state'), values.has('code')], ['the-state', true])
    })

    test('are required where the application says so, pushed or not', async () => {
      const strict = await addFapiClient(world, 'ES256', { requireSignedRequestObject: true })
      const { projectId, id: applicationId } = strict.application
      const { application } = await world.call(ApplicationService.method.getApplication, { applicationId }, world.owner)
      const { configuration } = application ?? {}
      assert.equal(configuration?.case === 'oidcConfiguration' && configuration.value.requireSignedRequestObject, true)
      assert.equal((await pushed(fapi, unsigned)).status, 201)
      assertError(await pushed(strict, unsigned), 400, 'invalid_request')
      assert.equal((await pushSigned(strict)).status, 201)
      const direct = await addFapiClient(world, 'ES256', {
        ...{ requireSignedRequestObject: true, requirePushedAuthorizationRequests: false },
      })
      const { values } = await authorize(world, direct.application)
      assert.deepEqual([values.get('error'), values.has('code')], ['invalid_request', false])
      const { clientId } = direct.application
      const query = new URLSearchParams({ client_id: clientId, request: await sign(direct) })
      assert.ok(isSignInPage(await world.browser().open(`${world.url}/oauth/v2/authorize?${query}`)))
      // Nobody can sign the trial of the console; it ends there.
      const asked = { applicationId, projectId, codeChallenge: CHALLENGE }
      const { method } = ApplicationService
      const { ticket: trial, redirectUri } = await world.call(method.startSignInTrial, asked, world.owner)
      const ofTrial = { code_challenge: CHALLENGE, code_challenge_method: 'S256', trial, redirect_uri: redirectUri }
      assert.ok(isSignInPage(await world.browser().open(authorizationUrl(world, strict.application, ofTrial))))
      // It can be taken back, and what an update does not name stays.
      const change = (value: object) =>
        world.call(
          method.updateApplication,
          { applicationId, projectId, applicationType: { case: 'oidcConfiguration', value } } as never,
          world.owner,
        )
      await change({ requireAssertionJti: false })
      assertError(await pushed(strict, unsigned), 400, 'invalid_request')
      await change({ requireSignedRequestObject: false })
      assert.equal((await pushed(strict, unsigned)).status, 201)
    })

    test('are not required on the back channel and of devices by the setting for sign-ins', async () => {
      const more = { grantTypes: [0, 3], requireSignedRequestObject: true, requireDpop: false }
      const device = await addFapiClient(world, 'ES256', more)
      const form = { scope: 'openid', ...(await clientForm(world, device)) }
      assert.equal((await post(`${world.url}/oauth/v2/device_authorization`, form)).status, 200)
    })

    test('cannot be required of an application that has no key', async () => {
      await assert.rejects(world.addApplication({ requireSignedRequestObject: true }), (error: unknown) => {
        assert.match(JSON.stringify(error), /requireSignedRequestObject/)
        return true
      })
      assert.ok(await world.addApplication({ requireSignedRequestObject: true, authMethodType: PRIVATE_KEY_JWT }))
    })
  })
}
