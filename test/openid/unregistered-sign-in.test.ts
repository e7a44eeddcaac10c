/** Unregistered clients that name no resource sign users in, with their consent, and read userinfo: nothing else. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { applicationsWithAccess, takeAccessBack } from '../../src/features/grants/index.ts'
import {
  allow,
  allowAt,
  allowHere,
  CALLBACK,
  CLIENT,
  metadataOf,
  openRequest,
  openWeb,
  redeemCode,
  tokensFor,
} from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { ask, introspect, post, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const ON = {
  clientIdMetadataDocuments: { enabled: true, allowedDomains: [] },
  dynamicClientRegistration: { enabled: true, allowUnauthenticated: true, registrationsPerHour: 1000 },
}
const METADATA = {
  client_name: 'Agent',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}
const SIGN_IN = { scope: 'openid profile email offline_access' }

for (const engine of engines) {
  suite(`sign-in to unregistered clients on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let projectId: string
    let api: Application
    let adaId: string

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      adaId = await world.addPerson('ada')
      projectId = await world.addProject()
      api = await world.addApi(projectId)
      await setResources(world, projectId, resource(MCP))
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, ON)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const register = async (token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const body = JSON.stringify(METADATA)
      const answer = await ask(`${world.url}/oauth/v2/register`, { method: 'POST', headers, body })
      assert.equal(answer.status, 201, answer.text)
      return String(answer.body.client_id)
    }
    const registrationToken = async (id: string) =>
      (await world.call(ApplicationService.method.createRegistrationToken, { projectId: id }, world.owner)).token
    const refreshed = (clientId: string, refreshToken: string | undefined) =>
      post(`${world.url}/oauth/v2/token`, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken ?? assert.fail('no refresh token'),
        client_id: clientId,
      })
    const signInOf = async (clientId: string, scope = SIGN_IN.scope) => {
      const { browser, page } = await openRequest(world, clientId, { scope })
      const stop = page.url.startsWith(CALLBACK) ? page : await allow(browser, page)
      const answer = await redeemCode(world, clientId, stop)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }

    for (const kind of ['document', 'registration'] as const) {
      test(`a client by ${kind} gets an ID token and userinfo, after the user has allowed it`, async () => {
        const clientId = kind === 'document' ? CLIENT : await register()
        const { page, browser } = await openRequest(world, clientId, SIGN_IN)
        assert.equal(new URL(page.url).pathname, '/ui/consent')
        const { status, body } = await redeemCode(world, clientId, await allow(browser, page))
        assert.equal(status, 200)
        assert.deepEqual(body.scope.split(' ').sort(), ['email', 'offline_access', 'openid', 'profile'])
        const { aud, sub } = decodeJwt(body.id_token)
        assert.deepEqual([[aud].flat(), sub], [[clientId], adaId])
        const info = (await userinfo(world, body.access_token)).body
        assert.deepEqual([info.sub, typeof info.email], [adaId, 'string'])
        const again = await openRequest(world, clientId, SIGN_IN, { browser })
        assert.ok(again.page.url.startsWith(`${CALLBACK}?code=`), 'asked once')
        const end = `${world.url}/oidc/v1/end_session?id_token_hint=${body.id_token}`
        const { status: ended } = await fetch(end, { redirect: 'manual' })
        const next = await refreshed(clientId, body.refresh_token)
        assert.equal((await userinfo(world, next.body.access_token)).status, 200)
        assert.equal(ended, 302, 'the client is known at the end of the session, too')
      })
    }

    test('its token is for userinfo alone, whatever the scopes name', async () => {
      const names = `urn:zitadel:iam:org:project:id:${projectId}:aud urn:zitadel:iam:org:project:id:zitadel:aud`
      const clientId = await register()
      const scope = `openid email urn:zitadel:iam:org:projects:roles ${names} urn:zitadel:iam:user:metadata tools:read`
      const { access_token: token, scope: given } = await signInOf(clientId, scope)
      assert.deepEqual(given.split(' ').sort(), ['email', 'openid'])
      assert.equal((await introspect(world, api, token)).body.active, false)
      const own = await ask(`${world.url}/auth/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(own.status, 401)
      assert.deepEqual(
        Object.keys((await userinfo(world, token)).body).filter((name) => name.includes('zitadel')),
        [],
      )
    })

    test('the access ends when the user takes it back, the instance no longer allows it, or somebody deactivates it', async () => {
      const clientId = await register()
      const statusOf = async (token: string) => (await userinfo(world, token)).status
      const first = await signInOf(clientId)
      const [application] = (await applicationsWithAccess(world.app, adaId)).filter((one) => one.clientId === clientId)
      const { applicationId } = application ?? assert.fail('not listed')
      await takeAccessBack(world.app, world.origin(), adaId, applicationId)
      assert.equal(await statusOf(first.access_token), 401)
      const second = await signInOf(clientId)
      await allowHere(world, {})
      assert.equal(await statusOf(second.access_token), 401)
      await allowHere(world, ON)
      assert.equal(await statusOf(second.access_token), 200)
    })

    test('one that registered for a project gets the default resource of it, and signs in where there is none', async () => {
      await allowAt(world, projectId, { dynamicRegistration: true })
      const clientId = await register(await registrationToken(projectId))
      assert.equal((await userinfo(world, (await signInOf(clientId)).access_token)).status, 200)
      await setResources(world, projectId, resource(MCP, { isDefault: true }))
      const { access_token: token } = await tokensFor(world, clientId, { scope: 'openid tools:read' })
      assert.equal((await userinfo(world, token)).status, 401)
      const { active, aud } = (await introspect(world, api, token)).body
      assert.deepEqual([active, [aud].flat()], [true, [MCP]])
      await setResources(world, projectId, resource(MCP))
    })
  })
}
