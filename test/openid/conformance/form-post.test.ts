/** The modules of the OpenID Foundation's plan "Form Post OP" that differ from those of "Basic OP". */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  askToken,
  authorizationUrl,
  codeForm,
  isSignInPage,
  type Parameters,
  readIdToken,
} from '../../support/openid-flow.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
  type Stop,
} from '../../support/openid-world.ts'

/** The form that the page posts to the application. */
function readForm({ text, headers }: Stop): URLSearchParams {
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const [, action] = /<form method="post" action="([^"]*)"/.exec(text) ?? assert.fail(text)
  assert.equal(action, REDIRECT_URI)
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}

suite('the form post plan', () => {
  let world: OpenIdWorld
  let application: Application

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({})
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  async function authorize(more: Parameters, browser: Browser = world.browser()): Promise<URLSearchParams> {
    const page = await browser.open(authorizationUrl(world, application, { response_mode: 'form_post', ...more }))
    return readForm(isSignInPage(page) ? await world.signIn(browser, page, 'ada') : page)
  }

  test('oidcc-server (form_post)', async () => {
    const values = await authorize({ nonce: 'n-1' })
    assert.deepEqual([...values.keys()].sort(), ['code', 'iss', 'state'])
    assert.equal(values.get('state'), 'the-state')
    assert.equal(values.get('iss'), world.url)
    const { body } = await askToken(world, application, codeForm(values))
    assert.equal((await readIdToken(world, application, body.id_token)).nonce, 'n-1')
  })

  test('oidcc-response-type-missing (form_post)', async () => {
    assert.equal((await authorize({ response_type: undefined })).get('error'), 'invalid_request')
  })

  test('oidcc-prompt-none-not-logged-in (form_post)', async () => {
    const values = await authorize({ prompt: 'none' })
    assert.equal(values.get('error'), 'login_required')
    assert.equal(values.get('state'), 'the-state')
  })

  test('oidcc-prompt-none-logged-in (form_post)', async () => {
    const browser = world.browser()
    await authorize({}, browser)
    assert.ok((await authorize({ prompt: 'none' }, browser)).has('code'))
  })

  test('the page is protected against markup in the state, and against frames', async () => {
    const browser = world.browser()
    const state = '"><script>alert(1)</script>'
    const page = await browser.open(
      authorizationUrl(world, application, { response_mode: 'form_post', prompt: 'none', state }),
    )
    assert.ok(!page.text.includes('<script>alert'))
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'sha256-[\w+/=]+'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  })
})
