/**
 * The modules of the OpenID Foundation's plan "Basic OP", named as there, against a server on a port. What depends on the
 * database is in `clients.test.ts`.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeProtectedHeader, UnsecuredJWT } from 'jose'
import {
  ask,
  askToken,
  assertError,
  authorizationUrl,
  authorize,
  basic,
  CHALLENGE,
  codeForm,
  isSignInPage,
  post,
  readIdToken,
  refresh,
  signInFor,
  userinfo,
  VERIFIER,
} from '../../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../../support/openid-world.ts'

suite('the basic plan', () => {
  let world: OpenIdWorld
  let application: Application
  let second: Application
  let adaId: string

  before(async () => {
    world = await openOpenIdWorld()
    adaId = await world.addPerson('ada', {
      profile: { firstName: 'ada', lastName: 'Person', preferredLanguage: 'en' },
      phone: { phone: '+41791234567', verification: { case: 'isVerified', value: true } },
    })
    await world.addPerson('bob')
    application = await world.addApplication({ grantTypes: [0, 2] })
    second = await world.addApplication({ grantTypes: [0, 2], authMethodType: 1 })
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  test('oidcc-server', async () => {
    const { values, stop } = await authorize(world, application, { nonce: 'n-1' })
    assert.deepEqual([...values.keys()].sort(), ['code', 'iss', 'state'])
    assert.equal(values.get('state'), 'the-state')
    assert.equal(values.get('iss'), world.url)
    assert.ok([302, 303].includes(stop.status))
    const answer = await askToken(world, application, codeForm(values))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { access_token: token, token_type: type, expires_in: seconds, id_token: idToken } = answer.body
    assert.equal(type, 'Bearer')
    assert.equal(typeof seconds, 'number')
    assert.ok(token.length >= 22)
    assert.equal(answer.body.refresh_token, undefined)
    const claims = await readIdToken(world, application, idToken)
    assert.equal(claims.sub, adaId)
    assert.ok(/^[\x20-\x7e]{1,255}$/.test(claims.sub))
    assert.equal(claims.nonce, 'n-1')
    assert.ok(Math.abs((claims.iat ?? 0) - Date.now() / 1000) < 60)
    assert.ok((claims.exp ?? 0) > (claims.iat ?? 0))
    const { alg, kid } = decodeProtectedHeader(idToken)
    assert.equal(alg, 'RS256')
    assert.ok(kid)
    const digest = createHash('sha256').update(token).digest()
    assert.equal(claims.at_hash, digest.subarray(0, 16).toString('base64url'))
  })

  test('oidcc-response-type-missing', async () => {
    const { values } = await authorize(world, application, { response_type: undefined })
    assert.equal(values.get('error'), 'invalid_request')
    assert.equal(values.get('state'), 'the-state')
    assert.equal(values.get('iss'), world.url)
  })

  test('oidcc-userinfo-get', async () => {
    const { access_token: token } = await signInFor(world, application)
    const answer = await userinfo(world, token)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(answer.body, { sub: adaId })
  })

  test('oidcc-userinfo-post-header', async () => {
    const { access_token: token } = await signInFor(world, application)
    const headers = { authorization: `Bearer ${token}` }
    const withForm = await post(`${world.url}/oidc/v1/userinfo`, {}, headers)
    assert.deepEqual([withForm.status, withForm.body], [200, { sub: adaId }])
    const withoutBody = await ask(`${world.url}/oidc/v1/userinfo`, { method: 'POST', headers })
    assert.deepEqual([withoutBody.status, withoutBody.body], [200, { sub: adaId }])
  })

  test('oidcc-userinfo-post-body', async () => {
    const { access_token: token } = await signInFor(world, application)
    const answer = await post(`${world.url}/oidc/v1/userinfo`, { access_token: token })
    assert.deepEqual([answer.status, answer.body], [200, { sub: adaId }])
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { id_token: idToken } = await signInFor(world, application)
    assert.equal((await readIdToken(world, application, idToken)).nonce, undefined)
  })

  const scopes: readonly (readonly [string, readonly string[]])[] = [
    ['profile', ['family_name', 'given_name', 'locale', 'name', 'preferred_username', 'updated_at']],
    ['email', ['email', 'email_verified']],
    ['address', []],
    ['phone', ['phone_number', 'phone_number_verified']],
  ]
  for (const [scope, names] of scopes) {
    test(`oidcc-scope-${scope}`, async () => {
      const { access_token: token } = await signInFor(world, application, { scope: `openid ${scope}` })
      const { body } = await userinfo(world, token)
      assert.deepEqual(Object.keys(body).sort(), [...names, 'sub'].sort())
    })
  }

  test('oidcc-scope-all', async () => {
    const tokens = await signInFor(world, application, { scope: 'openid profile email address phone' })
    const { body } = await userinfo(world, tokens.access_token)
    assert.deepEqual(Object.keys(body).sort(), [...scopes.flatMap(([, names]) => names), 'sub'].sort())
    assert.equal(typeof body.updated_at, 'number')
    assert.equal(body.email_verified, true)
    assert.equal(body.phone_number, '+41791234567')
  })

  test('oidcc-ensure-other-scope-order-succeeds', async () => {
    const { id_token: idToken } = await signInFor(world, application, { scope: 'email openid' })
    assert.equal((await readIdToken(world, application, idToken)).sub, adaId)
  })

  for (const display of ['page', 'popup']) {
    test(`oidcc-display-${display}`, async () => {
      await signInFor(world, application, { display })
    })
  }

  test('oidcc-prompt-login', async () => {
    const browser = world.browser()
    const first = await signInFor(world, application, {}, { browser })
    // Pause: the time of a sign-in is told in seconds, and the second must be a later one.
    await sleep(1100)
    const again = await authorize(world, application, { prompt: 'login' }, { browser })
    assert.ok(again.wasAsked)
    const { body } = await askToken(world, application, codeForm(again.values))
    const [before, now] = await Promise.all([
      readIdToken(world, application, first.id_token),
      readIdToken(world, application, body.id_token),
    ])
    assert.equal(now.sub, before.sub)
    assert.ok(Number(now.auth_time) > Number(before.auth_time))
  })

  test('oidcc-prompt-none-not-logged-in', async () => {
    const { values } = await authorize(world, application, { prompt: 'none' })
    assert.equal(values.get('error'), 'login_required')
    assert.equal(values.get('state'), 'the-state')
    assert.equal(values.get('iss'), world.url)
  })

  test('oidcc-prompt-none-logged-in', async () => {
    const browser = world.browser()
    const first = await signInFor(world, application, {}, { browser })
    const silent = await authorize(world, application, { prompt: 'none' }, { browser })
    assert.ok(!silent.wasAsked)
    const { body } = await askToken(world, application, codeForm(silent.values))
    const [before, now] = await Promise.all([
      readIdToken(world, application, first.id_token),
      readIdToken(world, application, body.id_token),
    ])
    assert.equal(now.sub, before.sub)
    assert.equal(now.auth_time, before.auth_time)
  })

  test('oidcc-max-age-1', async () => {
    const browser = world.browser()
    const first = await signInFor(world, application, {}, { browser })
    // Pause: max_age is in seconds, and the time of a sign-in is rounded down.
    await sleep(2100)
    const again = await authorize(world, application, { max_age: '1' }, { browser })
    assert.ok(again.wasAsked)
    const { body } = await askToken(world, application, codeForm(again.values))
    const [before, now] = await Promise.all([
      readIdToken(world, application, first.id_token),
      readIdToken(world, application, body.id_token),
    ])
    assert.ok(Number(now.auth_time) > Number(before.auth_time))
    assert.ok(Number(now.iat) - Number(now.auth_time) <= 2)
  })

  test('oidcc-max-age-10000', async () => {
    const browser = world.browser()
    const first = await signInFor(world, application, {}, { browser })
    const again = await authorize(world, application, { max_age: '10000' }, { browser })
    assert.ok(!again.wasAsked)
    const { body } = await askToken(world, application, codeForm(again.values))
    const [before, now] = await Promise.all([
      readIdToken(world, application, first.id_token),
      readIdToken(world, application, body.id_token),
    ])
    assert.equal(now.auth_time, before.auth_time)
  })

  test('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
    await signInFor(world, application, { extra: 'foobar' })
  })

  test('oidcc-id-token-hint', async () => {
    const browser = world.browser()
    const { id_token: hint } = await signInFor(world, application, {}, { browser })
    const silent = await authorize(world, application, { prompt: 'none', id_token_hint: hint }, { browser })
    assert.ok(silent.values.has('code'))
    const other = world.browser()
    await signInFor(world, application, {}, { browser: other, name: 'bob' })
    const wrong = await authorize(world, application, { prompt: 'none', id_token_hint: hint }, { browser: other })
    assert.equal(wrong.values.get('error'), 'login_required')
  })

  test('oidcc-login-hint', async () => {
    const browser = world.browser()
    const page = await browser.open(authorizationUrl(world, application, { login_hint: 'ada' }))
    assert.ok(isSignInPage(page))
    assert.match(page.text, /value="ada"/)
    const stop = await world.signIn(browser, page, 'ada')
    assert.ok(new URL(stop.url).searchParams.has('code'))
  })

  test('oidcc-ui-locales', async () => {
    const browser = world.browser()
    const page = await browser.open(authorizationUrl(world, application, { ui_locales: 'de en' }))
    assert.match(page.text, /<html[^>]* lang="de"/)
    await signInFor(world, application, { ui_locales: 'se' })
  })

  test('oidcc-claims-locales', async () => {
    await signInFor(world, application, { claims_locales: 'se' })
  })

  test('oidcc-ensure-request-with-acr-values-succeeds', async () => {
    const { id_token: idToken } = await signInFor(world, application, { acr_values: '1 2' })
    assert.equal((await readIdToken(world, application, idToken)).acr, 'urn:signet:acr:1')
  })

  for (const name of ['oidcc-codereuse', 'oidcc-codereuse-30seconds']) {
    test(name, async () => {
      const { values } = await authorize(world, application)
      const first = await askToken(world, application, codeForm(values))
      assert.equal(first.status, 200)
      assertError(await askToken(world, application, codeForm(values)), 400, 'invalid_grant')
      assert.equal((await userinfo(world, first.body.access_token)).status, 401)
    })
  }

  test('oidcc-ensure-registered-redirect-uri', async () => {
    const browser = world.browser()
    const page = await browser.open(
      authorizationUrl(world, application, { redirect_uri: 'https://app.example/callback/other' }),
    )
    assert.equal(page.status, 400)
    assert.ok(page.url.startsWith(world.url))
    assert.equal(page.headers.get('location'), null)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  })

  test('oidcc-ensure-post-request-succeeds', async () => {
    const browser = world.browser()
    const [address = '', query = ''] = authorizationUrl(world, application, { nonce: 'posted' }).split('?')
    const page = await browser.submit(address, new URLSearchParams(query))
    assert.ok(isSignInPage(page), `${page.status} ${page.url}`)
    const stop = await world.signIn(browser, page, 'ada')
    const { body } = await askToken(world, application, codeForm(new URL(stop.url).searchParams))
    assert.equal((await readIdToken(world, application, body.id_token)).nonce, 'posted')
  })

  test('oidcc-server-client-secret-post', async () => {
    const { values } = await authorize(world, second)
    const { clientId, clientSecret } = second
    const form = codeForm(values, { client_id: clientId, client_secret: clientSecret })
    const answer = await askToken(world, second, form, {})
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await readIdToken(world, second, answer.body.id_token)).sub, adaId)
  })

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
    const request = new UnsecuredJWT({ nonce: 'inside', client_id: application.clientId })
      .setIssuer(application.clientId)
      .setAudience(world.url)
      .encode()
    const { values } = await authorize(world, application, { request })
    assert.ok(['invalid_request_object', 'request_not_supported'].includes(values.get('error') ?? ''), String(values))
    assert.equal(values.get('state'), 'the-state')
  })

  test('oidcc-ensure-request-object-with-redirect-uri', async () => {
    const redirectUri = 'https://app.example/inside'
    const request = new UnsecuredJWT({ redirect_uri: redirectUri, client_id: application.clientId })
      .setIssuer(application.clientId)
      .setAudience(world.url)
      .encode()
    const { stop, values } = await authorize(world, application, { request })
    assert.ok(stop.url.startsWith(REDIRECT_URI))
    assert.equal(values.get('error'), 'invalid_request_object')
  })

  test('oidcc-claims-essential', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } }, id_token: { email: { essential: true } } })
    const tokens = await signInFor(world, application, { claims })
    const { body } = await userinfo(world, tokens.access_token)
    assert.deepEqual(body, { sub: adaId, name: 'ada Person' })
    assert.equal((await readIdToken(world, application, tokens.id_token)).email, 'ada@example.com')
  })

  test('oidcc-claims-sub-value', async () => {
    const browser = world.browser()
    await signInFor(world, application, {}, { browser })
    const asked = (value: string) => ({ prompt: 'none', claims: JSON.stringify({ id_token: { sub: { value } } }) })
    assert.ok((await authorize(world, application, asked(adaId), { browser })).values.has('code'))
    const other = await authorize(world, application, asked('another'), { browser })
    assert.equal(other.values.get('error'), 'login_required')
  })

  test('oidcc-refresh-token', async () => {
    const tokens = await signInFor(world, application, { scope: 'openid email offline_access', nonce: 'first' })
    const answer = await refresh(world, application, tokens.refresh_token)
    assert.equal(answer.status, 200, answer.text)
    assert.notEqual(answer.body.access_token, tokens.access_token)
    const [before, now] = await Promise.all([
      readIdToken(world, application, tokens.id_token),
      readIdToken(world, application, answer.body.id_token),
    ])
    // OpenID Connect Core §12.2
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'azp'] as const) assert.deepEqual(now[name], before[name])
    assert.ok(now.nonce === undefined || now.nonce === before.nonce)
    assert.equal((await userinfo(world, answer.body.access_token)).body.email, 'ada@example.com')
  })

  test('oidcc-refresh-token-of-another-client', async () => {
    // The other client cannot use it.
    const tokens = await signInFor(world, application, { scope: 'openid offline_access' })
    assertError(await refresh(world, second, tokens.refresh_token), 400, 'invalid_grant')
    assert.equal((await refresh(world, application, tokens.refresh_token)).status, 200)
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const { values } = await authorize(world, application, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    const answer = await askToken(world, application, codeForm(values, { code_verifier: VERIFIER }), basic(application))
    assert.equal(answer.status, 200, answer.text)
  })
})
