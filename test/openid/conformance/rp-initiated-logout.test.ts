/** The modules of the OpenID Foundation's plan "RP-Initiated Logout OP". */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { authorize, type Parameters, signInFor, userinfo } from '../../support/openid-flow.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  type Stop,
} from '../../support/openid-world.ts'

const BYE = 'https://app.example/bye'
const BARE = 'https://app.example'

suite('the plan of logout by applications', () => {
  let world: OpenIdWorld
  let application: Application
  let other: Application

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({ grantTypes: [0, 2], postLogoutRedirectUris: [BYE, BARE] })
    other = await world.addApplication({ postLogoutRedirectUris: [BYE] })
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  function endSession(browser: Browser, parameters: Parameters): Promise<Stop> {
    const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined)
    return browser.open(`${world.url}/oidc/v1/end_session?${new URLSearchParams(given)}`)
  }

  async function isSignedIn(browser: Browser): Promise<boolean> {
    return (await authorize(world, application, { prompt: 'none' }, { browser })).values.has('code')
  }

  async function signedIn() {
    const browser = world.browser()
    return { browser, tokens: await signInFor(world, application, {}, { browser }) }
  }

  test('oidcc-rp-initiated-logout', async () => {
    const { browser, tokens } = await signedIn()
    const stop = await endSession(browser, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: BYE,
      state: 'a state',
    })
    assert.equal(stop.url, `${BYE}?state=a+state`)
    assert.ok(!(await isSignedIn(browser)))
    assert.equal((await userinfo(world, tokens.access_token)).status, 401)
  })

  test('an address without a path stays without one', async () => {
    for (const state of [undefined, 's']) {
      const { tokens } = await signedIn()
      const asked = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BARE, ...(state && { state }) }
      const address = `${world.url}/oidc/v1/end_session?${new URLSearchParams(asked)}`
      const { headers } = await fetch(address, { redirect: 'manual' })
      assert.equal(headers.get('location'), state === undefined ? BARE : `${BARE}?state=s`)
    }
  })

  test('oidcc-rp-initiated-logout by POST', async () => {
    const { browser, tokens } = await signedIn()
    const form = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state: 's' })
    const stop = await browser.submit(`${world.url}/oidc/v1/end_session`, form)
    assert.equal(stop.url, `${BYE}?state=s`)
    assert.ok(!(await isSignedIn(browser)))
  })

  test('oidcc-rp-initiated-logout-bad-id-token-hint', async () => {
    const { browser } = await signedIn()
    const stop = await endSession(browser, { id_token_hint: 'not a token', post_logout_redirect_uri: BYE })
    assert.equal(stop.status, 400)
    assert.ok(stop.url.startsWith(world.url))
    assert.ok(await isSignedIn(browser))
  })

  test('oidcc-rp-initiated-logout-modified-id-token-hint', async () => {
    const { browser, tokens } = await signedIn()
    const [head, body = '', signature] = tokens.id_token.split('.')
    const changed = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'another' }
    const hint = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
    const stop = await endSession(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE })
    assert.equal(stop.status, 400)
    assert.ok(stop.url.startsWith(world.url))
    assert.ok(await isSignedIn(browser))
  })

  for (const [name, address] of [
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://app.example/bad'],
    ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${BYE}?foo=bar`],
  ] as const) {
    test(name, async () => {
      const { browser, tokens } = await signedIn()
      const stop = await endSession(browser, { id_token_hint: tokens.id_token, post_logout_redirect_uri: address })
      assert.equal(stop.status, 400)
      assert.ok(stop.url.startsWith(world.url))
    })
  }

  test('oidcc-rp-initiated-logout-no-params', async () => {
    const { browser } = await signedIn()
    const stop = await endSession(browser, {})
    assert.ok(stop.url.startsWith(`${world.url}/ui/`), stop.url)
    assert.ok(await isSignedIn(browser), 'the user is asked first')
  })

  test('oidcc-rp-initiated-logout-no-state', async () => {
    const { browser, tokens } = await signedIn()
    const stop = await endSession(browser, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })
    assert.equal(stop.url, BYE)
    assert.ok(!(await isSignedIn(browser)))
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint', async () => {
    const { browser } = await signedIn()
    const stop = await endSession(browser, { post_logout_redirect_uri: BYE, state: 's' })
    assert.ok(stop.url.startsWith(`${world.url}/ui/`), stop.url)
    assert.ok(await isSignedIn(browser))
  })

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { browser, tokens } = await signedIn()
    const stop = await endSession(browser, { id_token_hint: tokens.id_token, state: 's' })
    assert.ok(stop.url.startsWith(`${world.url}/ui/logout`), stop.url)
    assert.ok(!(await isSignedIn(browser)))
  })

  test('oidcc-rp-initiated-logout-only-state', async () => {
    const { browser } = await signedIn()
    const stop = await endSession(browser, { state: 's' })
    assert.ok(stop.url.startsWith(`${world.url}/ui/`), stop.url)
  })

  test('oidcc-rp-initiated-logout with the client_id of another application', async () => {
    const { browser, tokens } = await signedIn()
    const stop = await endSession(browser, {
      id_token_hint: tokens.id_token,
      client_id: other.clientId,
      post_logout_redirect_uri: BYE,
    })
    assert.equal(stop.status, 400)
    assert.ok(await isSignedIn(browser))
  })

  test('oidcc-rp-initiated-logout with a hint that was used before', async () => {
    const { browser, tokens } = await signedIn()
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE }
    await endSession(browser, parameters)
    assert.equal((await endSession(browser, parameters)).url, BYE)
  })
})
