/** The page on which users give a device access. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { assertSays, signedIn } from '../../../../test/support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../../../../test/support/openid-world.ts'
import { textsIn } from '../../language.ts'

const [de, en, fr] = [textsIn('de'), textsIn('en'), textsIn('fr')]

suite('the page for devices', () => {
  let world: OpenIdWorld
  let application: Application

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({ grantTypes: [0, 2, 3], authMethodType: 2 })
  })
  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: application.clientId, ...fields })
    return (await (await fetch(`${world.url}${path}`, { method: 'POST', body })).json()) as Record<string, string>
  }
  const start = async () => {
    const device = await post('/oauth/v2/device_authorization', { scope: 'openid email' })
    assert.ok(device.user_code, JSON.stringify(device))
    return device as { user_code: string; device_code: string; verification_uri_complete: string }
  }
  const tokenOf = ({ device_code }: { readonly device_code: string }) =>
    post('/oauth/v2/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })

  test('signs the user in, asks, and gives the device tokens', async () => {
    const device = await start()
    const browser = world.browser()
    const signIn = await browser.open(device.verification_uri_complete)
    assert.equal(new URL(signIn.url).pathname, '/ui/login')
    const page = await world.signIn(browser, signIn, 'ada')
    assert.match(page.text, new RegExp(`name="user_code"[^>]*value="${device.user_code}"`))
    const question = await browser.send(page, {}, '/device')
    assertSays(question, en.scopes.email, device.user_code, en.device.warning)
    assert.equal((await tokenOf(device)).error, 'authorization_pending')
    const done = await browser.send(question, { do: 'allow' }, '/device')
    assertSays(done, en.device.allowed)
    assert.ok((await tokenOf(device)).access_token)
    assertSays(await browser.send(question, { do: 'allow' }, '/device'), en.device.unknown)
  })

  test('accepts a code as users type it, and tells a device that was denied', async () => {
    const device = await start()
    const browser = await signedIn(world)
    const page = await browser.open(`${world.url}/device`)
    const typed = ` ${device.user_code.toLowerCase().replace('-', ' ')}`
    const question = await browser.send(page, { user_code: typed }, '/device')
    assertSays(await browser.send(question, { do: 'deny' }, '/device'), en.device.denied)
    assert.equal((await tokenOf(device)).error, 'access_denied')
  })

  test('asks again when another user has signed in since, and needs a form of our own', async () => {
    const device = await start()
    const browser = await signedIn(world)
    const page = await browser.open(`${world.url}/device`)
    const question = await browser.send(page, { user_code: device.user_code }, '/device')
    assertSays(await browser.send(question, { do: 'allow', session: 'another' }, '/device'), en.device.warning)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const session = /name="session" value="([^"]*)"/.exec(question.text)?.[1] ?? ''
    const forged = await fetch(`${world.url}/device`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ user_code: device.user_code, session, do: 'allow' }),
    })
    assert.equal(forged.status, 403)
    assert.equal((await tokenOf(device)).error, 'authorization_pending')
  })

  test('explains mistakes in three languages, as text', async () => {
    const browser = await signedIn(world)
    for (const [lang, texts] of Object.entries({ en, de, fr })) {
      const page = await browser.open(`${world.url}/device?lang=${lang}&user_code="><b>`)
      assertSays(page, texts.device.title, texts.device.lead)
      assert.match(page.text, /value="&quot;>&lt;b>"/)
      assertSays(await browser.send(page, { user_code: '' }, '/device'), texts.device.missing)
      assertSays(await browser.send(page, { user_code: 'WRONG' }, '/device'), texts.device.unknown)
    }
  })

  test('lets a user try ten wrong codes, also at once, and then no right one', async () => {
    await world.addPerson('guesser')
    const device = await start()
    const browser = await signedIn(world, 'guesser')
    const page = await browser.open(`${world.url}/device`)
    // Right codes do not count.
    await browser.send(page, { user_code: device.user_code }, '/device')
    const tries = Array.from({ length: 12 }, (_, index) =>
      browser.send(page, { user_code: `BCDF-GHJ${'KLMNPQRSTVWX'[index]}` }, '/device'),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [...Array<number>(10).fill(422), 429, 429])
    const late = await browser.send(page, { user_code: device.user_code }, '/device')
    assert.equal(late.status, 429)
    assert.equal(late.headers.get('retry-after'), '300')
    const other = await signedIn(world)
    const free = await other.send(await other.open(`${world.url}/device`), { user_code: device.user_code }, '/device')
    assertSays(free, en.device.warning)
  })
})
