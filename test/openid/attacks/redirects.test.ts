/** Attacks that try to receive answers at another address, log users out, or put markup into pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { authorizationUrl, authorize, isSignInPage, post, signInFor, userinfo } from '../../support/openid-flow.ts'
import { type Application, type Browser, type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

const WRONG_ADDRESSES = [
  'https://app.example/callback/',
  'https://app.example/callback/more',
  'https://app.example/callback2',
  'https://app.example/callback?x=1',
  'https://app.example/callback#part',
  'https://app.example/callback#',
  'https://app.example/Callback',
  'https://app.example/callback/../callback',
  'https://app.example/%63allback',
  'https://app.example/callback%2f..',
  'https://app.example:443/callback',
  'https://APP.example/callback',
  'https://app.example./callback',
  'https://evil.app.example/callback',
  'https://app.example.evil.test/callback',
  'https://app.example@evil.test/callback',
  'https://user@app.example/callback',
  'https://evil.test/https://app.example/callback',
  'https://evil.test\\@app.example/callback',
  'http://app.example/callback',
  'javascript:alert(1)//https://app.example/callback',
  'data:text/html,https://app.example/callback',
  '//app.example/callback',
  '/callback',
  ' https://app.example/callback',
  'https://app.example/callback ',
  'https://app.example/callback\n',
  'https://app.example/callback\u0000',
  'https://аpp.example/callback',
  '*',
  '',
]

suite('attacks with addresses', () => {
  let world: OpenIdWorld
  let application: Application
  let native: Application
  let sessionOf: Browser

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    const postLogoutRedirectUris = ['https://app.example/bye']
    application = await world.addApplication({ postLogoutRedirectUris })
    native = await world.addApplication({
      applicationType: 2,
      authMethodType: 2,
      redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
    })
    sessionOf = world.browser()
    await signInFor(world, application, {}, { browser: sessionOf })
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  for (const address of WRONG_ADDRESSES) {
    test(`no answer is sent to ${JSON.stringify(address)}`, async () => {
      // Also an error must not be sent there.
      for (const more of [{}, { response_type: 'none' }, { prompt: 'none login' }, { request: 'x' }, { scope: '"' }]) {
        const url = authorizationUrl(world, application, { redirect_uri: address, ...more })
        const stop = await sessionOf.open(url)
        assert.equal(stop.status, 400, `${stop.status} ${stop.url}`)
        assert.ok(stop.url.startsWith(world.url), stop.url)
        assert.equal(stop.headers.get('location'), null)
      }
    })
  }

  test('a native application has any port of the loopback address, and nothing else', async () => {
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    for (const address of ['http://127.0.0.1:51004/callback', 'com.example.app:/callback']) {
      const { values } = await authorize(world, native, { redirect_uri: address, ...challenge }, { browser: sessionOf })
      assert.ok(values.has('code'))
    }
    for (const address of [
      'http://localhost:51004/callback',
      'http://127.0.0.1:51004/other',
      'http://127.0.0.2:51004/callback',
      'http://user@127.0.0.1:51004/callback',
      'http://127.0.0.1.evil.test:51004/callback',
      'com.example.app:/other',
      'com.example.application:/callback',
    ]) {
      const stop = await sessionOf.open(authorizationUrl(world, native, { redirect_uri: address, ...challenge }))
      assert.equal(stop.status, 400, address)
    }
  })

  test('a wildcard receives answers in development mode, and only within one label and one segment', async () => {
    const redirectUris = ['https://pr-*.app.example/*/callback']
    const postLogoutRedirectUris = ['https://*.app.example/bye']
    const preview = await world.addApplication({ redirectUris, postLogoutRedirectUris, developmentMode: true })
    const address = 'https://pr-7.app.example/shop/callback'
    const { values } = await authorize(world, preview, { redirect_uri: address }, { browser: sessionOf })
    assert.ok(values.has('code'))
    for (const wrong of [
      ...WRONG_ADDRESSES,
      'https://pr-*.app.example/*/callback',
      'https://pr-7.evil.app.example/shop/callback',
      'https://pr-7.app.example/shop/evil/callback',
      'https://pr-7.app.example//callback',
      'https://pr-7.app.example/shop%2fevil/callback',
      'https://pr-evil.test\\.app.example/shop/callback',
      'https://pr-7.app.example:8443/shop/callback',
      'http://pr-7.app.example/shop/callback',
    ]) {
      const stop = await sessionOf.open(authorizationUrl(world, preview, { redirect_uri: wrong }))
      assert.equal(stop.status, 400, wrong)
      assert.ok(stop.url.startsWith(world.url), stop.url)
    }
    const logout = (uri: string) =>
      new URLSearchParams({ client_id: preview.clientId, post_logout_redirect_uri: uri }).toString()
    const left = await world.browser().open(`${world.url}/oidc/v1/end_session?${logout('https://a.app.example/bye')}`)
    assert.equal(left.url, 'https://a.app.example/bye')
    const stayed = await world
      .browser()
      .open(`${world.url}/oidc/v1/end_session?${logout('https://a.b.app.example/bye')}`)
    assert.equal(stayed.status, 400)
  })

  test('an error for an unknown client is shown, never sent', async () => {
    for (const clientId of ['', 'unknown', '\u0000', "' or 1=1 --", 'x'.repeat(5000)]) {
      const stop = await world.browser().open(authorizationUrl(world, { clientId }))
      assert.equal(stop.status, 400, clientId)
      assert.ok(stop.url.startsWith(world.url))
    }
  })

  test('a duplicated parameter is refused', async () => {
    const url = `${authorizationUrl(world, application)}&redirect_uri=https%3A%2F%2Fevil.test%2F`
    const stop = await world.browser().open(url)
    assert.equal(stop.status, 400)
    assert.ok(stop.url.startsWith(world.url))
  })

  test('logout sends users only to a registered address', async () => {
    const { id_token: hint } = await signInFor(world, application)
    for (const address of [
      'https://evil.test/',
      'https://app.example/bye/',
      'https://app.example/bye?next=//evil.test',
      'https://app.example@evil.test/bye',
      'https://app.example/callback',
      'javascript:alert(1)',
      '//evil.test',
      '',
    ]) {
      const parameters = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: address })
      const stop = await world.browser().open(`${world.url}/oidc/v1/end_session?${parameters}`)
      assert.equal(stop.status, 400, address)
      assert.ok(stop.url.startsWith(world.url))
    }
    const parameters = new URLSearchParams({ post_logout_redirect_uri: 'https://evil.test/' })
    const stop = await world.browser().open(`${world.url}/oidc/v1/end_session?${parameters}`)
    assert.ok(stop.url.startsWith(world.url))
  })

  test('another site cannot log a user out', async () => {
    const browser = world.browser()
    const tokens = await signInFor(world, application, {}, { browser })
    const attacker = await signInFor(world, application)
    const address = 'https://app.example/bye'
    for (const parameters of [
      {},
      { client_id: application.clientId, post_logout_redirect_uri: address },
      { id_token_hint: attacker.id_token, post_logout_redirect_uri: address },
    ]) {
      await browser.open(`${world.url}/oidc/v1/end_session?${new URLSearchParams(parameters)}`)
      await browser.submit(`${world.url}/oidc/v1/end_session`, new URLSearchParams(parameters))
      assert.equal((await userinfo(world, tokens.access_token)).status, 200)
      const silent = await authorize(world, application, { prompt: 'none' }, { browser })
      assert.ok(silent.values.has('code'), JSON.stringify(parameters))
    }
  })

  test('markup in parameters does not become markup of a page', async () => {
    const markup = '"><script>alert(1)</script>'
    const isClean = (text: string) => !text.includes('<script>alert')
    const browser = world.browser()
    for (const more of [
      { redirect_uri: markup },
      { client_id: markup },
      { login_hint: markup },
      { ui_locales: markup },
      { scope: `openid ${markup}` },
      { prompt: markup },
      { response_mode: 'form_post', state: markup, prompt: 'none' },
      { response_mode: markup },
      { request_uri: markup },
    ]) {
      const stop = await browser.open(authorizationUrl(world, application, more))
      assert.ok(isClean(stop.text), JSON.stringify(more))
      assert.match(stop.headers.get('content-type') ?? 'text/plain', /charset=utf-8|text\/plain/)
    }
    const ended = await browser.open(`${world.url}/oidc/v1/end_session?id_token_hint=${encodeURIComponent(markup)}`)
    assert.ok(isClean(ended.text))
  })

  test('markup in the name of an application and of a user does not become markup of a page', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    await world.addPerson('eve', { profile: { firstName: markup, lastName: markup, displayName: markup } })
    const named = await world.addApplication({ thirdParty: true }, undefined, markup)
    const browser = world.browser()
    const page = await browser.open(authorizationUrl(world, named))
    assert.ok(isSignInPage(page))
    assert.ok(!page.text.includes('<img'))
    const next = await world.signIn(browser, page, 'eve')
    assert.ok(!next.text.includes('<img'))
  })

  test('the authorization endpoint cannot be called by a script of another site with credentials', async () => {
    const answer = await post(`${world.url}/oauth/v2/token`, {}, { origin: 'https://evil.test' })
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  })
})
