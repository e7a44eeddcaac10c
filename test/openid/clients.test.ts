/** Third-party clients (`oauth4webapi`, `openid-client`, `jose`) in every flow, on both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createRemoteJWKSet, importJWK, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { approveDevice, denyDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import { grants } from '../../src/features/grants/index.ts'
import { engines } from '../support/engines.ts'
import { type Answer, introspect, post, readIdToken, signInFor, userinfo } from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, assertionForm, assertionOf, type OwnKey } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const OFFLINE = 'openid profile email offline_access'
const INSECURE = { [oauth.allowInsecureRequests]: true }

for (const engine of engines) {
  suite(`clients on ${engine.name}`, () => {
    let world: OpenIdWorld
    let adaId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      adaId = await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    function discover(
      { clientId, clientSecret }: Pick<Application, 'clientId' | 'clientSecret'>,
      auth?: client.ClientAuth,
    ) {
      const options = { execute: [client.allowInsecureRequests] }
      return client.discovery(new URL(world.url), clientId, clientSecret, auth, options)
    }

    /** The whole code flow with PKCE, state and nonce. */
    async function signIn(config: client.Configuration, more: Record<string, string> = {}, options = {}) {
      const verifier = client.randomPKCECodeVerifier()
      const expectedNonce = client.randomNonce()
      const expectedState = client.randomState()
      const parameters = {
        redirect_uri: REDIRECT_URI,
        scope: OFFLINE,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce: expectedNonce,
        state: expectedState,
        ...more,
      }
      const isPushed = 'isPushed' in options
      const url = isPushed
        ? await client.buildAuthorizationUrlWithPAR(config, parameters)
        : client.buildAuthorizationUrl(config, parameters)
      const browser = world.browser()
      const stop = await world.signIn(browser, await browser.open(url.href), 'ada')
      const checks = { pkceCodeVerifier: verifier, expectedNonce, expectedState, idTokenExpected: true }
      return client.authorizationCodeGrant(config, new URL(stop.url), checks, undefined, options)
    }

    async function assertWorks(config: client.Configuration, tokens: client.TokenEndpointResponse, options = {}) {
      const info = await client.fetchUserInfo(config, tokens.access_token, adaId, options)
      assert.equal(info.email, 'ada@example.com')
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options)
      assert.notEqual(refreshed.access_token, tokens.access_token)
      await assert.rejects(client.fetchUserInfo(config, tokens.access_token, adaId, options))
      await client.fetchUserInfo(config, refreshed.access_token, adaId, options)
      return refreshed
    }

    const methods: readonly (readonly [string, object, (secret: string) => client.ClientAuth])[] = [
      ['client_secret_basic', { authMethodType: 0 }, client.ClientSecretBasic],
      ['client_secret_post', { authMethodType: 1 }, client.ClientSecretPost],
      ['none', { authMethodType: 2, applicationType: 1 }, () => client.None()],
    ]
    for (const [name, settings, auth] of methods) {
      for (const accessTokenType of [0, 1]) {
        test(`openid-client: code and refresh with ${name}, access token type ${accessTokenType}`, async () => {
          const application = await world.addApplication({ grantTypes: [0, 2], accessTokenType, ...settings })
          const config = await discover(application, auth(application.clientSecret))
          const tokens = await signIn(config)
          assert.equal(tokens.access_token.split('.').length === 3, accessTokenType === 1)
          const refreshed = await assertWorks(config, tokens)
          await client.tokenRevocation(config, refreshed.access_token)
          await assert.rejects(client.fetchUserInfo(config, refreshed.access_token, adaId))
          const last = await client.refreshTokenGrant(config, refreshed.refresh_token ?? '')
          await client.tokenRevocation(config, last.refresh_token ?? '')
          await assert.rejects(client.fetchUserInfo(config, last.access_token, adaId))
          await assert.rejects(client.refreshTokenGrant(config, last.refresh_token ?? ''))
        })
      }
    }

    test('openid-client: private_key_jwt with the key of an application', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2], authMethodType: 3, accessTokenType: 1 })
      const key = await signingKeyOf(await addApplicationKey(world, application))
      const config = await discover({ ...application, clientSecret: '' }, client.PrivateKeyJwt(key))
      const refreshed = await assertWorks(config, await signIn(config))
      const answer = await client.tokenIntrospection(config, refreshed.access_token)
      assert.equal(answer.active, true)
      assert.equal(answer.sub, adaId)
      await client.tokenRevocation(config, refreshed.access_token)
      assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, false)
    })

    test('openid-client: a pushed request', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2] })
      const config = await discover(application, client.ClientSecretBasic(application.clientSecret))
      await assertWorks(config, await signIn(config, {}, { isPushed: true }))
    })

    for (const accessTokenType of [0, 1]) {
      test(`openid-client: tokens bound to a key (DPoP), access token type ${accessTokenType}`, async () => {
        const application = await world.addApplication({ grantTypes: [0, 2], accessTokenType })
        const config = await discover(application, client.ClientSecretBasic(application.clientSecret))
        const pair = await client.randomDPoPKeyPair('ES256')
        const options = { DPoP: client.getDPoPHandle(config, pair) }
        const tokens = await signIn(config, {}, options)
        assert.equal(tokens.token_type, 'dpop')
        await assertWorks(config, tokens, options)
      })
    }

    test('openid-client: the device flow', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2, 3] })
      const config = await discover(application, client.ClientSecretBasic(application.clientSecret))
      const sessionId = await sessionOf(application)
      const device = await client.initiateDeviceAuthorization(config, { scope: OFFLINE })
      const found = await requireDeviceByUserCode(world.app, device.user_code.toLowerCase(), world.app.clock())
      await world.store.write(world.origin(), (work) => approveDevice(world.app, work, found.id, sessionId))
      const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 })
      assert.equal(tokens.claims()?.sub, adaId)
      await assertWorks(config, tokens)
      await assert.rejects(
        client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 }),
        (error: client.ResponseBodyError) => error.error === 'invalid_grant',
      )
      const second = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
      const other = await requireDeviceByUserCode(world.app, second.user_code, world.app.clock())
      await world.store.write(world.origin(), (work) => denyDevice(work, other.id))
      const denied = client.pollDeviceAuthorizationGrant(config, { ...second, interval: 1 })
      await assert.rejects(denied, (error: client.ResponseBodyError) => error.error === 'access_denied')
    })

    async function sessionOf(application: Application): Promise<string> {
      const tokens = await signInFor(world, application)
      return String((await readIdToken(world, application, tokens.id_token)).sid)
    }

    for (const accessTokenType of [0, 1] as const) {
      test(`oauth4webapi: client credentials and key of a machine, access token type ${accessTokenType}`, async () => {
        const machine = await addMachineClient(world, accessTokenType)
        const projectId = await world.addProject()
        const api = await world.addApi(projectId)
        const issuer = new URL(world.url)
        const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE))
        const self: oauth.Client = { client_id: machine.clientId }
        const scope = `openid profile urn:zitadel:iam:org:project:id:${projectId}:aud`
        const bySecret = await oauth.clientCredentialsGrantRequest(
          server,
          self,
          oauth.ClientSecretBasic(machine.clientSecret),
          { scope },
          INSECURE,
        )
        const first = await oauth.processClientCredentialsResponse(server, self, bySecret)
        const assertion = await assertionOf(machine.key, machine.userId, world.url)
        const second = await post(`${world.url}/oauth/v2/token`, { grant_type: JWT_BEARER, assertion, scope })
        assert.equal(second.status, 200, second.text)
        const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
        const { payload } = await jwtVerify(second.body.id_token, keys, { issuer: world.url })
        assert.equal(payload.sub, machine.userId)
        for (const token of [first.access_token, second.body.access_token]) {
          const { body } = await introspect(world, api, token)
          assert.deepEqual([body.active, body.sub, body.aud], [true, machine.userId, [projectId]])
          assert.equal((await userinfo(world, token)).body.preferred_username, machine.clientId)
          if (accessTokenType === 0) continue
          const verified = await jwtVerify(token, keys, { issuer: world.url, audience: projectId })
          assert.equal(verified.payload.sub, machine.userId)
        }
      })
    }

    test('oauth4webapi: introspection and revocation of opaque and signed tokens', async () => {
      const issuer = new URL(world.url)
      const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE))
      for (const accessTokenType of [0, 1]) {
        const application = await world.addApplication({ accessTokenType })
        const { access_token: token } = await signInFor(world, application)
        const self: oauth.Client = { client_id: application.clientId }
        const auth = oauth.ClientSecretBasic(application.clientSecret)
        const ask = async () => {
          const response = await oauth.introspectionRequest(server, self, auth, token, INSECURE)
          return oauth.processIntrospectionResponse(server, self, response)
        }
        assert.equal((await ask()).active, true)
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, self, auth, token, INSECURE))
        assert.deepEqual(await ask(), { active: false })
      }
    })

    test('token exchange gives an opaque or a signed token of the same user', async () => {
      const application = await world.addApplication({ grantTypes: [0, 4] })
      const config = await discover(application, client.ClientSecretBasic(application.clientSecret))
      const { access_token: token } = await signInFor(world, application, { scope: 'openid email' })
      const type = 'urn:ietf:params:oauth:token-type:'
      for (const requested of ['access_token', 'jwt']) {
        const answer = await client.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:token-exchange', {
          subject_token: token,
          subject_token_type: `${type}access_token`,
          requested_token_type: `${type}${requested}`,
        })
        assert.equal(answer.issued_token_type, `${type}${requested}`)
        assert.equal((await client.fetchUserInfo(config, answer.access_token, adaId)).email, 'ada@example.com')
      }
    })

    test('introspection answers the same, however the client authenticates', async () => {
      const project = await world.addProject()
      const application = await world.addApplication({ grantTypes: [0, 2] }, project)
      const signer = await world.addApplication({ authMethodType: 3 }, project)
      const key = await addApplicationKey(world, signer)
      const tokens = await signInFor(world, application, { scope: OFFLINE })
      const byAssertion = async (token: string): Promise<Answer> =>
        post(`${world.url}/oauth/v2/introspect`, { token, ...(await assertionForm(world, signer, key)) })
      for (const token of [tokens.access_token, 'x']) {
        const native = await introspect(world, application, token)
        assert.deepEqual((await byAssertion(token)).body, native.body)
      }
      const { body } = await introspect(world, application, tokens.access_token)
      assert.equal(body.username, 'ada')
      assert.equal(body.email, 'ada@example.com')
      assert.equal((await introspect(world, application, tokens.refresh_token ?? '')).body.active, true)
    })

    test('a grant is stored without any of its secrets', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2] })
      const tokens = await signInFor(world, application, { scope: OFFLINE })
      const { documents } = await world.store.find(grants, { limit: 1000, orderBy: 'id' })
      const text = JSON.stringify(documents)
      for (const secret of [tokens.access_token, tokens.refresh_token ?? ''])
        assert.ok(!text.includes(secret.slice(40)))
    })
  })
}

/** A private key as `openid-client` takes it. */
async function signingKeyOf({ keyId, privateKey }: OwnKey): Promise<client.PrivateKey> {
  const key = await importJWK(privateKey.export({ format: 'jwk' }) as never, 'RS256')
  return { key: key as CryptoKey, kid: keyId }
}
