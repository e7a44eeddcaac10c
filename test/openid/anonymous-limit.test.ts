/** How many requests of anonymous users and clients are stored for one source; on both engines. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { routerOf } from '../../src/app.ts'
import { sourceOf } from '../../src/http/client-address.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import { openIdPages } from '../../src/openid/index.ts'
import { openIdBrowser } from '../../src/web/index.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { ask, assertError, authorizationUrl, authorize, basic, CHALLENGE, post } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const LIMIT = 3

for (const engine of engines) {
  suite(`anonymous requests on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let spa: Application
    /** Where the limit is so low that a test reaches it. */
    let limited: OpenIdWorld
    let close: () => Promise<unknown>
    let asked: string[] = []

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 3] })
      spa = await world.addApplication({ applicationType: 1, authMethodType: 2, grantTypes: [0, 3] })
      const { app } = world
      const mayStartFrom = (address: string) => asked.push(address) <= LIMIT
      const pages = openIdPages({ app, ...openIdBrowser(app), mayStartFrom })
      const router = routerOf(app, { pages, onFinish: () => {}, trustedProxies: ['127.0.0.1', '::1'] })
      const port = await freePort()
      const served = await openPort({ listen: { host: '127.0.0.1', port }, router })
      close = () => served.close()
      limited = { ...world, url: `http://127.0.0.1:${port}` }
    })

    beforeEach(() => {
      asked = []
    })

    after(async () => {
      await close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const openPage = (headers: Readonly<Record<string, string>> = {}, more = {}) =>
      ask(authorizationUrl(limited, application, more), { headers: { accept: 'text/html', ...headers } })

    test('of users end with a page that asks them to wait', async () => {
      for (let count = 0; count < LIMIT; count++) assert.equal((await openPage()).status, 302)
      const page = await openPage({ 'accept-language': 'de' })
      assert.equal(page.status, 429)
      assert.equal(page.headers.get('retry-after'), '60')
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.text, /Bitte warten/)
      assert.equal(page.headers.get('location'), null)
      assert.equal(page.headers.get('set-cookie'), null)
    })

    test('are counted by the address behind the proxies that are trusted', async () => {
      await openPage({ 'x-forwarded-for': '192.0.2.7' })
      await openPage({ 'x-forwarded-for': '192.0.2.8, 192.0.2.9' })
      assert.deepEqual(asked, ['192.0.2.7', '192.0.2.9'])
    })

    test('are not counted when nothing is stored, or when the user is signed in', async () => {
      assert.equal((await openPage({}, { redirect_uri: 'https://evil.example/' })).status, 400)
      assert.equal((await openPage({}, { prompt: 'none' })).status, 302)
      const browser = world.browser()
      await authorize(world, application, {}, { browser })
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      for (const more of [{}, { prompt: 'login' }, { prompt: 'select_account' }]) {
        assert.equal((await openPage({ cookie }, more)).status, 302)
      }
      assert.deepEqual(asked, [])
    })

    for (const [path, status] of [
      ['/oauth/v2/par', 201],
      ['/oauth/v2/device_authorization', 200],
    ] as const) {
      test(`of public clients at ${path} end with an error; those of other clients do not`, async () => {
        const push = (client: Application, headers = {}) => {
          const request = { response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' }
          const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
          return post(`${limited.url}${path}`, { client_id: client.clientId, ...request, ...pkce }, headers)
        }
        for (let count = 0; count < LIMIT; count++) {
          const answer = await push(spa)
          assert.equal(answer.status, status, answer.text)
        }
        const refused = await push(spa)
        assertError(refused, 429, 'temporarily_unavailable')
        assert.equal(refused.headers.get('retry-after'), '60')
        assert.equal((await push(application, basic(application))).status, status)
        assert.equal(asked.length, LIMIT + 1)
      })
    }
  })
}

suite('the limit of anonymous requests', () => {
  test('is a thousand in a minute for a source', () => {
    let now = 0
    const clock = (): Instant => instant(now)
    const { mayStartFrom } = openIdBrowser({ externalUrl: 'https://id.example', clock } as never)
    const admitted = Array.from({ length: 1200 }, () => mayStartFrom('192.0.2.1')).filter(Boolean)
    assert.equal(admitted.length, 1000)
    assert.equal(mayStartFrom('192.0.2.2'), true)
    now = 59_999
    assert.equal(mayStartFrom('192.0.2.1'), false)
    now = 60_000
    assert.equal(mayStartFrom('192.0.2.1'), true)
  })

  test('is one for all addresses of an IPv6 network', () => {
    const same = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::', '2001:0db8::1:2:3:4:5', '2001:db8:0:1:2:3:4:5']
    assert.deepEqual(same.map(sourceOf), Array(4).fill('2001:db8:0:1::/64'))
    assert.equal(sourceOf('2001:db8:0:2::1'), '2001:db8:0:2::/64')
    assert.equal(sourceOf('::1'), '0:0:0:0::/64')
    assert.equal(sourceOf('192.0.2.1'), '192.0.2.1')
  })
})
