/** Attacks with codes and tokens that were stolen, used before, or made for something else; on both engines. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import {
  ask,
  askToken,
  assertError,
  authorizationUrl,
  authorize,
  basic,
  CHALLENGE,
  codeForm,
  introspect,
  isSignInPage,
  post,
  refresh,
  signInFor,
  userinfo,
  VERIFIER,
} from '../../support/openid-flow.ts'
import { addApplicationKey, assertionForm, newDpopKey } from '../../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

const OFFLINE = { scope: 'openid email offline_access' }

for (const engine of engines) {
  suite(`attacks with codes and tokens on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let other: Application
    let spa: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2] })
      other = await world.addApplication({ grantTypes: [0, 2] })
      spa = await world.addApplication({ grantTypes: [0, 2], applicationType: 1, authMethodType: 2 })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('a code that is used twice revokes the tokens that it gave', async () => {
      const { values } = await authorize(world, application, OFFLINE)
      const { body: tokens } = await askToken(world, application, codeForm(values))
      assertError(await askToken(world, application, codeForm(values)), 400, 'invalid_grant')
      assert.equal((await userinfo(world, tokens.access_token)).status, 401)
      assert.deepEqual((await introspect(world, application, tokens.access_token)).body, { active: false })
      assertError(await refresh(world, application, tokens.refresh_token), 400, 'invalid_grant')
    })

    test('a code that is used twice revokes the refresh token although the access token was revoked before', async () => {
      const { values } = await authorize(world, application, OFFLINE)
      const { body: tokens } = await askToken(world, application, codeForm(values))
      await post(`${world.url}/oauth/v2/revoke`, { token: tokens.access_token }, basic(application))
      assertError(await askToken(world, application, codeForm(values)), 400, 'invalid_grant')
      assertError(await refresh(world, application, tokens.refresh_token), 400, 'invalid_grant')
    })

    test('a code of another application is refused, and its owner can still use it', async () => {
      const { values } = await authorize(world, application)
      assertError(await askToken(world, other, codeForm(values)), 400, 'invalid_grant')
      assert.equal((await askToken(world, application, codeForm(values))).status, 200)
    })

    test('a code is refused with another redirect URI, or without one', async () => {
      const { values } = await authorize(world, application)
      const wrong = codeForm(values, { redirect_uri: 'https://app.example/other' })
      assertError(await askToken(world, application, wrong), 400, 'invalid_grant')
      const none = codeForm(values, { redirect_uri: undefined })
      assertError(await askToken(world, application, none), 400, 'invalid_request')
    })

    test('a public client cannot leave out PKCE, nor use the plain method', async () => {
      const without = await authorize(world, spa)
      assert.equal(without.values.get('error'), 'invalid_request')
      const plain = await authorize(world, spa, { code_challenge: VERIFIER, code_challenge_method: 'plain' })
      assert.equal(plain.values.get('error'), 'invalid_request')
      const unnamed = await authorize(world, spa, { code_challenge: VERIFIER })
      assert.equal(unnamed.values.get('error'), 'invalid_request')
    })

    test('a code with a challenge needs its verifier, and one without a challenge takes none', async () => {
      const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
      const client = { client_id: spa.clientId }
      const { values } = await authorize(world, spa, challenge)
      const wrong = { ...client, code_verifier: `${VERIFIER}2` }
      assertError(await askToken(world, spa, codeForm(values, client), {}), 400, 'invalid_grant')
      assertError(await askToken(world, spa, codeForm(values, wrong), {}), 400, 'invalid_grant')
      const challengeItself = { ...client, code_verifier: CHALLENGE }
      assertError(await askToken(world, spa, codeForm(values, challengeItself), {}), 400, 'invalid_grant')
      const right = codeForm(values, { ...client, code_verifier: VERIFIER })
      assert.equal((await askToken(world, spa, right, {})).status, 200)
      const plain = await authorize(world, application)
      const downgraded = codeForm(plain.values, { code_verifier: VERIFIER })
      assertError(await askToken(world, application, downgraded), 400, 'invalid_grant')
    })

    test('every answer of the authorization endpoint names the issuer, so that answers cannot be mixed up', async () => {
      const { values } = await authorize(world, application)
      assert.equal(values.get('iss'), world.url)
      const failed = await authorize(world, application, { scope: 'openid', prompt: 'none login' })
      assert.equal(failed.values.get('error'), 'invalid_request')
      assert.equal(failed.values.get('iss'), world.url)
    })

    test('a refresh token that is used again at once is refused, and nothing ends', async () => {
      const tokens = await signInFor(world, application, OFFLINE)
      const { body: next } = await refresh(world, application, tokens.refresh_token)
      for (const client of [application, application, other]) {
        assertError(await refresh(world, client, tokens.refresh_token), 400, 'invalid_grant')
      }
      assert.equal((await userinfo(world, next.access_token)).status, 200)
      assert.equal((await refresh(world, application, next.refresh_token)).status, 200)
    })

    test('a refresh token of another application is refused, and is not used up', async () => {
      const tokens = await signInFor(world, application, OFFLINE)
      assertError(await refresh(world, other, tokens.refresh_token), 400, 'invalid_grant')
      assert.equal((await refresh(world, application, tokens.refresh_token)).status, 200)
    })

    test('a refresh gives no scope that the user did not grant, and a narrow one stays narrow', async () => {
      const tokens = await signInFor(world, application, OFFLINE)
      const wider = await refresh(world, application, tokens.refresh_token, { scope: 'openid email profile' })
      assertError(wider, 400, 'invalid_scope')
      const { body: narrow } = await refresh(world, application, tokens.refresh_token, { scope: 'openid' })
      assert.equal((await userinfo(world, narrow.access_token)).body.email, undefined)
      assert.equal((await introspect(world, application, narrow.access_token)).body.scope, 'openid')
    })

    test('an access token means nothing to an application outside its audience', async () => {
      const tokens = await signInFor(world, application)
      assert.deepEqual((await introspect(world, other, tokens.access_token)).body, { active: false })
      const foreign = { token: tokens.access_token }
      await post(`${world.url}/oauth/v2/revoke`, foreign, basic(other))
      assert.equal((await userinfo(world, tokens.access_token)).status, 200)
    })

    test('an ID token, a code and a refresh token are not access tokens', async () => {
      const { values } = await authorize(world, application, OFFLINE)
      const code = values.get('code') ?? ''
      const { body: tokens } = await askToken(world, application, codeForm(values))
      for (const token of [tokens.id_token, code, tokens.refresh_token]) {
        assertError(await userinfo(world, token), 401, 'invalid_token')
      }
      const api = await ask(`${world.url}/auth/v1/users/me`, {
        headers: { authorization: `Bearer ${tokens.id_token}` },
      })
      assert.equal(api.status, 401)
      assertError(await refresh(world, application, tokens.access_token), 400, 'invalid_grant')
    })

    test('a DPoP proof counts once, for its method and address, and only with its key', async () => {
      const key = newDpopKey()
      const token = `${world.url}/oauth/v2/token`
      const { values } = await authorize(world, application, OFFLINE)
      const proof = await key.proof('POST', token)
      const headers = { ...basic(application), dpop: proof }
      const { body: tokens, status } = await askToken(world, application, codeForm(values), headers)
      assert.equal(status, 200)
      assert.equal(tokens.token_type, 'DPoP')
      const info = `${world.url}/oidc/v1/userinfo`
      const ath = createHash('sha256').update(tokens.access_token).digest('base64url')
      const askInfo = (dpop: string) => ask(info, { headers: { authorization: `DPoP ${tokens.access_token}`, dpop } })
      const good = await key.proof('GET', info, { ath })
      assert.equal((await askInfo(good)).status, 200)
      assert.equal((await askInfo(good)).status, 401)
      assert.equal((await askInfo(await newDpopKey().proof('GET', info, { ath }))).status, 401)
      assert.equal((await askInfo(await key.proof('POST', info, { ath }))).status, 401)
      assert.equal((await askInfo(await key.proof('GET', token, { ath }))).status, 401)
      assert.equal((await askInfo(await key.proof('GET', info))).status, 401)
      assertError(await userinfo(world, tokens.access_token), 401, 'invalid_token')
    })

    test('a refresh token of a public client is bound to its DPoP key, and a proof is not accepted twice', async () => {
      const key = newDpopKey()
      const address = `${world.url}/oauth/v2/token`
      const { values } = await authorize(world, spa, {
        ...OFFLINE,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      })
      const client = { client_id: spa.clientId }
      const form = codeForm(values, { ...client, code_verifier: VERIFIER })
      const proof = await key.proof('POST', address)
      const { body: tokens } = await askToken(world, spa, form, { dpop: proof })
      const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...client }
      assert.equal((await askToken(world, spa, again, { dpop: proof })).status, 400)
      assertError(await askToken(world, spa, again, {}), 400, 'invalid_grant')
      const strange = await newDpopKey().proof('POST', address)
      assertError(await askToken(world, spa, again, { dpop: strange }), 400, 'invalid_grant')
      assert.equal((await askToken(world, spa, again, { dpop: await key.proof('POST', address) })).status, 200)
    })

    test('an assertion of a client counts once', async () => {
      const signer = await world.addApplication({ authMethodType: 3 })
      const form = await assertionForm(world, signer, await addApplicationKey(world, signer))
      const asked = { token: 'nothing', ...form }
      assert.deepEqual((await post(`${world.url}/oauth/v2/introspect`, asked)).body, { active: false })
      assertError(await post(`${world.url}/oauth/v2/introspect`, asked), 401, 'invalid_client')
    })

    test('a request cannot be finished in another browser', async () => {
      const attacker = world.browser()
      const page = await attacker.open(authorizationUrl(world, application))
      assert.ok(isSignInPage(page))
      const next = new URL(page.url).searchParams.get('next') ?? ''
      const victim = world.browser()
      await signInFor(world, application, {}, { browser: victim })
      const stop = await victim.open(`${world.url}${next}`)
      assert.equal(stop.status, 400)
      assert.ok(stop.url.startsWith(world.url))
      const early = await attacker.open(`${world.url}${next}`)
      assert.ok(isSignInPage(early), 'the one who did not sign in is asked again')
    })

    test('prompt=login cannot be skipped by opening the address that continues the request', async () => {
      const browser = world.browser()
      await signInFor(world, application, {}, { browser })
      for (const asked of [{ prompt: 'login' }, { max_age: '0' }]) {
        const page = await browser.open(authorizationUrl(world, application, asked))
        assert.ok(isSignInPage(page))
        const next = new URL(page.url).searchParams.get('next') ?? ''
        assert.ok(isSignInPage(await browser.open(`${world.url}${next}`)), JSON.stringify(asked))
      }
    })
  })
}
