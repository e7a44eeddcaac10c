import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openHostedPages } from '../../../test/support/hosted-pages.ts'
import { browserCookie, browserOf } from '../browser-cookie.ts'
import type { ReturnedBrowser } from '../ports.ts'

function request(cookie?: string) {
  return { header: (name: string) => (name === 'cookie' ? cookie : undefined) }
}

suite('the way back from an identity provider', () => {
  test('leads on, without anything on it that could be kept', async (t) => {
    const seen: ReturnedBrowser[] = []
    const pages = await openHostedPages({
      async finishSignIn(returned) {
        seen.push(returned)
        return { type: 'redirect', url: 'https://app.example/in?token=t' }
      },
    })
    t.after(() => pages.close())
    for (const [version, ask] of pages.askers) {
      const cookie = `other=1; signet-browser=${'b'.repeat(43)}`
      const told = await ask('/idps/callback?code=c&state=s&iss=i', { headers: { cookie } })
      assert.equal(told.status, 303, version)
      assert.equal(told.header('location'), 'https://app.example/in?token=t')
      assert.equal(told.header('cache-control'), 'no-store')
      assert.equal(told.header('referrer-policy'), 'no-referrer')
      const { parameters, browser } = seen.pop() ?? assert.fail('nobody was asked')
      assert.equal(parameters.toString(), 'code=c&state=s&iss=i')
      assert.equal(browser, 'b'.repeat(43))
      assert.equal((await ask('/idps/callback?code=c&state=s', { method: 'HEAD' })).status, 405)
      assert.equal(seen.length, 0)
    }
  })

  test('says no more than that it did not work, in the language of whoever comes', async (t) => {
    const pages = await openHostedPages()
    t.after(() => pages.close())
    const told = await pages.ask('/idps/callback?state=<b>x</b>', { headers: { 'accept-language': 'de' } })
    assert.equal(told.status, 400)
    assert.match(told.text, /Anmeldung fehlgeschlagen/)
    assert.doesNotMatch(told.text, /<b>x/)
    const busy = await openHostedPages({ finishSignIn: async () => ({ type: 'busy' }) })
    t.after(() => busy.close())
    assert.equal((await busy.ask('/idps/callback?state=x')).status, 503)
    const broken = await openHostedPages({ finishSignIn: () => Promise.reject(new Error('the secret of the house')) })
    t.after(() => broken.close())
    const fault = await broken.ask('/idps/callback?state=x')
    assert.equal(fault.status, 500)
    assert.doesNotMatch(fault.text, /secret/)
  })

  test('is taken as a form from another site, and sent on with what an answer consists of', async (t) => {
    const pages = await openHostedPages()
    t.after(() => pages.close())
    for (const [, ask] of pages.askers) {
      const told = await ask('/idps/callback', {
        form: { state: 's', code: 'c d', user: '{"email":"admin@corp.example"}', id_token: 'x' },
        headers: { origin: 'https://provider.example', 'sec-fetch-site': 'cross-site' },
      })
      assert.equal(told.status, 303)
      assert.equal(told.header('location'), '/idps/callback?state=s&code=c+d')
    }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await pages.ask('/forgot-password', { form: { userName: 'a' }, headers: foreign })).status, 403)
    assert.equal((await pages.ask('/idps/callback', { method: 'PUT' })).status, 405)
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
