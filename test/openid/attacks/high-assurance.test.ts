/**
 * What an application of the FAPI 2.0 Security Profile, or somebody in its name, must not get away with: each row is one
 * request that differs from a good one in one thing. The names of modules are those of the conformance suite of the OpenID
 * Foundation (`fapi2-security-profile-final`) that ask for the same.
 */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { engines } from '../../support/engines.ts'
import {
  addFapiClient,
  askBound,
  callbackOf,
  clientForm,
  type FapiClient,
  frontUrl,
  push,
  redeemForm,
  type Spoiled,
} from '../../support/high-assurance.ts'
import {
  type Answer,
  ask,
  assertError,
  authorizationUrl,
  CHALLENGE,
  challengeOf,
  isSignInPage,
  type Parameters,
  post,
} from '../../support/openid-flow.ts'
import { type DpopKey, newDpopKey } from '../../support/openid-keys.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../../support/openid-world.ts'

const now = () => Math.floor(Date.now() / 1000)

/** Assertions that do not count; `aud` gets the address of the server. */
const ASSERTIONS: readonly (readonly [string, (url: string) => Spoiled])[] = [
  ['signed with RS256', () => ({ header: { alg: 'RS256' }, key: rsa })],
  ['signed with PS256, where ES256 is required', () => ({ header: { alg: 'PS256' }, key: rsa })],
  ['signed with a key of somebody else', () => ({ key: stranger })],
  ['for the server in an array', (url) => ({ claims: { aud: [url] } })],
  ['for the server and the token endpoint', (url) => ({ claims: { aud: [url, `${url}/oauth/v2/token`] } })],
  ['for the token endpoint', (url) => ({ claims: { aud: `${url}/oauth/v2/token` } })],
  ['for the endpoint of pushed requests', (url) => ({ claims: { aud: `${url}/oauth/v2/par` } })],
  ['for another server', () => ({ claims: { aud: 'https://other.example' } })],
  ['that ended five minutes ago', () => ({ claims: { iat: now() - 600, exp: now() - 300 } })],
  ['without sub', () => ({ claims: { sub: undefined } })],
  ['without iss', () => ({ claims: { iss: undefined } })],
  ['without exp', () => ({ claims: { exp: undefined } })],
  ['without jti', () => ({ claims: { jti: undefined } })],
  ['with nbf more than a minute ahead', () => ({ claims: { nbf: now() + 70, exp: now() + 120 } })],
  ['with iat more than a minute ahead', () => ({ claims: { iat: now() + 70, exp: now() + 120 } })],
]

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Pushed requests that are refused, and the error. */
const PUSHED: readonly (readonly [string, Parameters, string])[] = [
  ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['with PKCE in plain text', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['without redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
  ['with a redirect_uri that is not registered', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
  ['with a longer redirect_uri', { redirect_uri: `${REDIRECT_URI}/more` }, 'invalid_request'],
  ['with response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['with response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['with request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'request_uri_not_supported'],
]

for (const engine of engines) {
  suite(`attacks on applications of high assurance on ${engine.name}`, () => {
    let world: OpenIdWorld
    let client: FapiClient
    let other: FapiClient

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      client = await addFapiClient(world, 'ES256')
      other = await addFapiClient(world, 'ES256')
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const tokenUrl = () => `${world.url}/oauth/v2/token`
    /** A nonce, as a client gets it. */
    const nonceFor = async (of: FapiClient, key: DpopKey) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', ...(await clientForm(world, of)) }
      const answer = await post(tokenUrl(), form, { dpop: await key.proof('POST', tokenUrl()) })
      assertError(answer, 400, 'use_dpop_nonce')
      return answer.headers.get('dpop-nonce') ?? assert.fail('no nonce')
    }
    const tokensFor = async (key: DpopKey, of = client) => {
      const answer = await askBound(world, of, redeemForm(await callbackOf(world, of)), key)
      assert.equal(answer.status, 200, answer.text)
      return answer.body as { access_token: string; refresh_token: string }
    }
    const userinfo = (headers: Parameters) =>
      ask(`${world.url}/oidc/v1/userinfo`, { headers: headers as Record<string, string> })

    for (const [name, spoil] of ASSERTIONS) {
      test(`an assertion ${name} proves nothing, anywhere`, async () => {
        const spoiled = spoil(world.url)
        assertError(await push(world, client, {}, { spoiled }), 401, 'invalid_client')
        const form = await clientForm(world, client, spoiled)
        assertError(await post(tokenUrl(), { grant_type: 'refresh_token', ...form }), 401, 'invalid_client')
        for (const path of ['introspect', 'revoke']) {
          assertError(await post(`${world.url}/oauth/v2/${path}`, { token: 'x', ...form }), 401, 'invalid_client')
        }
      })
    }

    test('clocks may be off by some seconds', async () => {
      const claims = { iat: now() + 8, nbf: now() + 8, exp: now() + 60 }
      assert.equal((await push(world, client, {}, { spoiled: { claims } })).status, 201)
    })

    test('an assertion counts once, and no secret or client ID alone counts', async () => {
      const spoiled = { claims: { jti: randomUUID() } }
      assert.equal((await push(world, client, {}, { spoiled })).status, 201)
      assertError(await push(world, client, {}, { spoiled }), 401, 'invalid_client')
      const none = { client_assertion: undefined, client_assertion_type: undefined }
      assertError(await push(world, client, none), 401, 'invalid_client')
      assertError(await push(world, client, { ...none, client_secret: 'secret' }), 401, 'invalid_client')
    })

    for (const [name, more, error] of PUSHED) {
      test(`a pushed request ${name} is refused`, async () => {
        assertError(await push(world, client, more), 400, error)
      })
    }

    test('a request that was not pushed is refused, signed or not', async () => {
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
      for (const more of [pkce, { ...pkce, request: 'e30.e30.' }, { ...pkce, request_uri: 'https://app.example/r' }]) {
        const stop = await world.browser().open(authorizationUrl(world, client.application, more))
        assert.ok(!isSignInPage(stop), stop.url)
        assert.ok(!new URL(stop.url).searchParams.has('code'))
      }
    })

    test('a ticket for a trial opens no way around the pushed request to the application itself', async () => {
      const { id: applicationId, projectId } = client.application
      const request = { applicationId, projectId, codeChallenge: CHALLENGE }
      const { ticket: trial, redirectUri } = await world.call(
        ApplicationService.method.startSignInTrial,
        request,
        world.owner,
      )
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256', trial }
      const toItself = await world.browser().open(authorizationUrl(world, client.application, pkce))
      assert.ok(!isSignInPage(toItself))
      const toConsole = { ...pkce, redirect_uri: redirectUri }
      assert.ok(isSignInPage(await world.browser().open(authorizationUrl(world, client.application, toConsole))))
    })

    test('parameters beside a pushed request change nothing', async () => {
      const beside = {
        redirect_uri: 'https://evil.example/',
        scope: 'openid profile email',
        state: 'another',
        code_challenge: challengeOf('of-the-attacker-of-at-least-forty-three-characters'),
        response_mode: 'fragment',
      }
      const browser = world.browser()
      const page = await browser.open(frontUrl(world, client, await push(world, client), beside))
      const stop = await world.signIn(browser, page, 'ada')
      const { origin, pathname, searchParams, hash } = new URL(stop.url)
      assert.deepEqual([`${origin}${pathname}`, hash, searchParams.get('state')], [REDIRECT_URI, '', 'the-state'])
      const { body } = await askBound(world, client, redeemForm(searchParams))
      assert.equal(body.scope, 'openid offline_access')
    })

    test('a pushed request is for the client that pushed it, and for one sign-in', async () => {
      const pushed = await push(world, client)
      const stolen = await world.browser().open(frontUrl(world, other, pushed))
      assert.ok(!isSignInPage(stolen) && !stolen.url.includes('code='))
      // The user may open it again before they signed in.
      assert.ok(isSignInPage(await world.browser().open(frontUrl(world, client, pushed))))
      const browser = world.browser()
      const stop = await world.signIn(browser, await browser.open(frontUrl(world, client, pushed)), 'ada')
      assert.ok(stop.url.includes('code='))
      const again = await browser.open(frontUrl(world, client, pushed))
      assert.ok(!again.url.includes('code=') && !isSignInPage(again), again.url)
    })

    test('no token without a proof, and none for a proof that is wrong or was used', async () => {
      const values = await callbackOf(world, client)
      const key = newDpopKey()
      const nonce = await nonceFor(client, key)
      const trial = { ...client.application, applicationId: client.application.id, codeChallenge: CHALLENGE }
      const { ticket } = await world.call(ApplicationService.method.startSignInTrial, trial, world.owner)
      const redeem = async (dpop?: string) =>
        post(tokenUrl(), redeemForm(values, await clientForm(world, client)), { dpop })
      const rows: readonly (readonly [string | undefined, string])[] = [
        [undefined, 'invalid_grant'],
        [await key.proof('POST', tokenUrl()), 'use_dpop_nonce'],
        [await key.proof('POST', tokenUrl(), { nonce: 'made-up' }), 'use_dpop_nonce'],
        [await key.proof('POST', tokenUrl(), { nonce: ticket }), 'use_dpop_nonce'],
        [await key.proof('POST', tokenUrl(), { nonce: `${nonce}x` }), 'use_dpop_nonce'],
        [await key.proof('GET', tokenUrl(), { nonce }), 'invalid_dpop_proof'],
        [await key.proof('POST', `${world.url}/oauth/v2/par`, { nonce }), 'invalid_dpop_proof'],
        [`${await key.proof('POST', tokenUrl(), { nonce })}x`, 'invalid_dpop_proof'],
      ]
      for (const [proof, error] of rows) assertError(await redeem(proof), 400, error)
      const proof = await key.proof('POST', tokenUrl(), { nonce })
      const good = await redeem(proof)
      assert.equal(good.status, 200, good.text)
      const form = { grant_type: 'refresh_token', refresh_token: good.body.refresh_token }
      const replayed = await post(tokenUrl(), { ...form, ...(await clientForm(world, client)) }, { dpop: proof })
      assertError(replayed, 400, 'invalid_grant')
    })

    test('a code is bound to the key that the pushed request named', async () => {
      const [key, wrong] = [newDpopKey(), newDpopKey()]
      const par = `${world.url}/oauth/v2/par`
      const nonce = await nonceFor(client, key)
      const headers = { dpop: await key.proof('POST', par, { nonce }) }
      const pushed = await push(world, client, {}, { headers })
      const browser = world.browser()
      const stop = await world.signIn(browser, await browser.open(frontUrl(world, client, pushed)), 'ada')
      const form = redeemForm(new URL(stop.url).searchParams)
      assertError(await askBound(world, client, form, wrong), 400, 'invalid_grant')
      const mismatch = { dpop: await key.proof('POST', par, { nonce }) }
      const named = { dpop_jkt: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' }
      assertError(await push(world, client, named, { headers: mismatch }), 400, 'invalid_request')
      assertError(
        await askBound(world, client, redeemForm(await callbackOf(world, client, named)), key),
        400,
        'invalid_grant',
      )
    })

    test('a code is for its client, its challenge, and once', async () => {
      const values = await callbackOf(world, client)
      assertError(await askBound(world, other, redeemForm(values)), 400, 'invalid_grant')
      for (const code_verifier of [undefined, 'a-wrong-verifier-of-at-least-forty-three-characters']) {
        const mine = await callbackOf(world, client)
        assertError(await askBound(world, client, redeemForm(mine, { code_verifier })), 400, 'invalid_grant')
      }
      // Injected into the flow of somebody else, whose verifier the application then sends.
      const injected = await callbackOf(world, client, { code_challenge: challengeOf('x'.repeat(43)) })
      assertError(await askBound(world, client, redeemForm(injected)), 400, 'invalid_grant')
      const form = redeemForm(await callbackOf(world, client))
      const key = newDpopKey()
      const tokens = await askBound(world, client, form, key)
      assert.equal(tokens.status, 200, tokens.text)
      assertError(await askBound(world, client, form, key), 400, 'invalid_grant')
      const token = tokens.body.access_token
      const ath = createHash('sha256').update(token).digest('base64url')
      const proof = await key.proof('GET', `${world.url}/oidc/v1/userinfo`, { ath })
      assert.equal((await userinfo({ authorization: `DPoP ${token}`, dpop: proof })).status, 401)
    })

    test('a refresh token is for its client, and gives a token for the key that is shown, and none without', async () => {
      const key = newDpopKey()
      const { refresh_token } = await tokensFor(key)
      const form = { grant_type: 'refresh_token', refresh_token }
      assertError(await post(tokenUrl(), { ...form, ...(await clientForm(world, client)) }), 400, 'invalid_grant')
      assertError(await askBound(world, other, form, key), 400, 'invalid_grant')
      for (const shown of [newDpopKey(), key]) {
        const fresh = await askBound(world, client, form, shown)
        assert.deepEqual([fresh.status, fresh.body.token_type], [200, 'DPoP'], fresh.text)
        const url = `${world.url}/oidc/v1/userinfo`
        const ath = createHash('sha256').update(fresh.body.access_token).digest('base64url')
        const statuses: number[] = []
        for (const one of [shown, newDpopKey()]) {
          const headers = {
            authorization: `DPoP ${fresh.body.access_token}`,
            dpop: await one.proof('GET', url, { ath }),
          }
          statuses.push((await ask(url, { headers })).status)
        }
        assert.deepEqual(statuses, [200, 401])
      }
    })

    test('an access token is for its key, and no bearer token', async () => {
      const key = newDpopKey()
      const { access_token: token } = await tokensFor(key)
      const url = `${world.url}/oidc/v1/userinfo`
      const ath = createHash('sha256').update(token).digest('base64url')
      const refused: readonly Parameters[] = [
        { authorization: `Bearer ${token}` },
        { authorization: `Bearer ${token}`, dpop: await key.proof('GET', url, { ath }) },
        { authorization: `DPoP ${token}` },
        { authorization: `DPoP ${token}`, dpop: await key.proof('GET', url) },
        { authorization: `DPoP ${token}`, dpop: await key.proof('GET', url, { ath: 'x' }) },
        { authorization: `DPoP ${token}`, dpop: await newDpopKey().proof('GET', url, { ath }) },
        { authorization: `DPoP ${token}`, dpop: await key.proof('GET', url, { ath, iat: now() - 3600 }) },
        { authorization: `DPoP ${token}`, dpop: await key.proof('GET', url, { ath, iat: now() + 3600 }) },
      ]
      for (const headers of refused) {
        const { dpop, ...rest } = headers
        const answer: Answer = await userinfo(dpop === undefined ? rest : headers)
        assert.equal(answer.status, 401, answer.text)
      }
      const good = await userinfo({ authorization: `dpop ${token}`, dpop: await key.proof('GET', url, { ath }) })
      assert.equal(good.status, 200, good.text)
    })

    test('other grants of such an application give no unbound token either', async () => {
      const wide = await addFapiClient(world, 'ES256', { grantTypes: [0, 2, 3, 4] })
      const device = await post(`${world.url}/oauth/v2/device_authorization`, {
        scope: 'openid',
        ...(await clientForm(world, wide)),
      })
      assert.equal(device.status, 200, device.text)
      const type = 'urn:ietf:params:oauth:grant-type:'
      const forms = [
        { grant_type: `${type}device_code`, device_code: device.body.device_code },
        {
          grant_type: `${type}token-exchange`,
          subject_token: 'x',
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        },
      ]
      for (const form of forms) {
        const answer = await post(tokenUrl(), { ...form, ...(await clientForm(world, wide)) })
        assertError(answer, 400, 'invalid_grant')
        assert.match(answer.body.error_description, /DPoP|grant request is invalid/)
      }
    })
  })
}
