/** Where identity providers send browsers back to, and the cookie by which a browser is known again. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { type HostedPages, openHostedPages, UNAVAILABLE } from '../../../../test/support/hosted-pages.ts'
import { leadsTo, says } from '../../../../test/support/page-client.ts'
import {
  openScriptedProvider,
  SAM,
  type ScriptedProvider,
  writeToken,
} from '../../../../test/support/scripted-provider.ts'
import { startProviderSignIn } from '../../../features/sign-in/index.ts'
import { browserCookie, browserOf } from '../../browser-cookie.ts'
import { textsIn } from '../../language.ts'

const de = textsIn('de')

function request(cookie?: string) {
  return { header: (name: string) => (name === 'cookie' ? cookie : undefined) }
}

suite('the way back from an identity provider', () => {
  const browser = 'b'.repeat(43)
  const cookie = `other=1; signet-browser=${browser}`
  let world: HostedPages
  let provider: ScriptedProvider
  let idpId: string
  before(async () => {
    world = await openHostedPages()
    provider = await openScriptedProvider()
    provider.now = () => Math.floor(world.clock.now / 1000)
    idpId = await world.addProvider({ name: 'Acme', issuer: provider.issuer })
  })
  after(async () => {
    await provider.close()
    await world.close()
  })

  /** What the provider answers in a sign-in that this browser has begun. */
  const answer = async (): Promise<URLSearchParams> => {
    const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
    const started = await startProviderSignIn(world.app, {
      source: '192.0.2.1',
      idpId,
      organizationId: undefined,
      browser,
      ...urls,
    })
    return started.outcome === 'started' ? provider.answer(started.next.url) : assert.fail(started.outcome)
  }

  test('leads on, without anything on it that could be kept', async () => {
    for (const [version, ask] of world.clients) {
      const parameters = await answer()
      const mark = await world.mark()
      const looked = await ask(`/idps/callback?${parameters}`, { method: 'HEAD', headers: { cookie } })
      assert.equal(looked.status, 405)
      assert.deepEqual(await world.eventsSince(mark), [])
      const told = await ask(`/idps/callback?${parameters}`, { headers: { cookie } })
      assert.equal(told.status, 303, version)
      const { origin, pathname, searchParams } = new URL(told.header('location') ?? '')
      assert.equal(`${origin}${pathname}`, 'https://app.example/in')
      assert.deepEqual([...searchParams.keys()], ['id', 'token'])
      assert.equal(told.header('cache-control'), 'no-store')
      assert.equal(told.header('referrer-policy'), 'no-referrer')
      assert.deepEqual(await world.eventsSince(mark), ['intent.answered.v1', 'intent.succeeded.v1'])
      const other = await ask(`/idps/callback?${await answer()}`, { headers: { cookie: 'other=1' } })
      assert.equal(new URL(other.header('location') ?? '').searchParams.get('error'), 'sign_in_failed')
    }
  })

  test('is another one for providers that send a signed token in a header, with HTTP/1.1 and HTTP/2', async () => {
    const request = {
      name: 'Gate',
      issuer: 'https://gate.example',
      jwtEndpoint: 'https://apps.example/gate',
      keysEndpoint: `${provider.issuer}/keys`,
      headerName: 'X-Signed-In',
    }
    const { id } = await world.call(AdminService.method.addJWTProvider, request, world.owner)
    const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
    const start = async () => {
      const started = await startProviderSignIn(world.app, {
        source: '192.0.2.1',
        idpId: id,
        organizationId: undefined,
        browser,
        ...urls,
      })
      return new URL(started.outcome === 'started' ? started.next.url : assert.fail(started.outcome)).search
    }
    const iat = provider.now()
    const claims = { ...SAM, iss: request.issuer, iat, exp: iat + 300 }
    const token = writeToken({ alg: 'RS256', kid: provider.key.kid }, claims, provider.key.privateKey)
    for (const [version, ask] of world.clients) {
      const search = await start()
      assert.equal(
        (await ask(`/idps/jwt${search}`, { method: 'HEAD', headers: { cookie, 'x-signed-in': token } })).status,
        405,
      )
      const told = await ask(`/idps/jwt${search}`, { headers: { cookie, 'x-signed-in': `Bearer ${token}` } })
      assert.equal(told.status, 303, version)
      const { pathname, searchParams } = new URL(told.header('location') ?? '')
      assert.deepEqual([pathname, [...searchParams.keys()]], ['/in', ['id', 'token']])
      assert.equal(told.header('cache-control'), 'no-store')
      assert.equal((await ask(`/idps/jwt${search}`, { headers: { cookie, 'x-signed-in': token } })).status, 400)
      for (const headers of [{ 'x-signed-in': token }, { cookie }, { cookie, authorization: `Bearer ${token}` }]) {
        const failed = await ask(`/idps/jwt${await start()}`, { headers })
        assert.equal(new URL(failed.header('location') ?? '').searchParams.get('error'), 'sign_in_failed')
      }
      assert.equal((await ask('/idps/jwt', { headers: { 'x-signed-in': token } })).status, 400)
      assert.equal((await ask(`/idps/jwt${search}`, { form: {}, headers: { 'x-signed-in': token } })).status, 405)
    }
  })

  test('says no more than that it did not work, in the language of the visitor', async () => {
    const headers = { 'accept-language': 'de' }
    const told = await world.ask('/idps/callback?state=<b>x</b>', { headers })
    assert.equal(told.status, 400)
    says(told, de.signInFailed.title)
    assert.doesNotMatch(told.text, /<b>x/)
    const busy = await world.serveFailing(UNAVAILABLE, 'get')
    assert.equal((await busy.ask('/idps/callback?state=x')).status, 503)
    const broken = await world.serveFailing(new Error('the secret of the server'), 'get')
    const fault = await broken.ask('/idps/callback?state=x')
    assert.equal(fault.status, 500)
    assert.doesNotMatch(fault.text, /secret/)
  })

  test('is taken as a form from another site, and sent on with what an answer consists of', async () => {
    for (const [, ask] of world.clients) {
      const told = await ask('/idps/callback', {
        form: { state: 's', code: 'c d', user: '{"email":"admin@corp.example"}', id_token: 'x' },
        headers: { origin: 'https://provider.example', 'sec-fetch-site': 'cross-site' },
      })
      leadsTo(told, '/idps/callback?state=s&code=c+d')
    }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await world.ask('/forgot-password', { form: { userName: 'a' }, headers: foreign })).status, 403)
    assert.equal((await world.ask('/idps/callback', { method: 'PUT' })).status, 405)
  })
})

suite('the cookie by which a browser is known again', () => {
  const secure = new URL('https://id.example')
  const local = new URL('http://localhost:8080')
  const value = 'v'.repeat(43)

  test('is for this host alone, and for no script', () => {
    assert.equal(
      browserCookie(value, secure),
      `__Host-signet-browser=${value}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure`,
    )
    assert.equal(browserCookie(value, local), `signet-browser=${value}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`)
  })

  test('is believed only whole, once, and under the name that others cannot set', () => {
    assert.equal(browserOf(request(`a=b; __Host-signet-browser=${value}`), secure), value)
    assert.equal(browserOf(request(`signet-browser=${value}`), local), value)
    const wrong = [
      undefined,
      '',
      `signet-browser=${value}`,
      `__Host-signet-browser=${value}x`,
      `__Host-signet-browser=${value}; __Host-signet-browser=${'w'.repeat(43)}`,
      `x__Host-signet-browser=${value}`,
    ]
    for (const cookie of wrong) assert.equal(browserOf(request(cookie), secure), undefined, cookie ?? 'none')
  })
})
