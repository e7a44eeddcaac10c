/** The page on which visitors create an account. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { assertSays, authorizationUrl, isBack, told } from '../../../../test/support/openid-pages.ts'
import {
  type Application,
  type OpenIdWorld,
  openOpenIdWorld,
  PASSWORD,
  type Stop,
} from '../../../../test/support/openid-world.ts'
import { BUILT_IN_LOGIN, type LoginSettings, settings } from '../../../features/settings/index.ts'
import { findBySignInName } from '../../../features/users/index.ts'
import { textsIn } from '../../language.ts'

const [de, en, fr] = [textsIn('de'), textsIn('en'), textsIn('fr')]

suite('the page for registration', () => {
  let world: OpenIdWorld
  let application: Application

  before(async () => {
    world = await openOpenIdWorld()
    application = await world.addApplication()
    await setLogin({ allowsRegistration: true })
  })
  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const setLogin = (changed: Partial<LoginSettings>) =>
    world.store.write(world.origin(), (work) =>
      work.decide(
        settings,
        world.app.instanceId,
        { type: 'set', section: 'login', manner: 'put', value: { ...BUILT_IN_LOGIN, ...changed } },
        world.app.instanceId,
      ),
    )
  const person = (email: string) => ({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email,
    password: PASSWORD,
  })
  const open = async (more = {}) => {
    const browser = world.browser()
    const page = await browser.open(authorizationUrl(world, application, { prompt: 'create', ...more }))
    assert.equal(new URL(page.url).pathname, '/ui/register')
    return { browser, page }
  }
  const userOf = (email: string) => findBySignInName(world.app, email)
  const codeFor = async (email: string) => {
    const id = (await userOf(email))?.id
    const mail = (await world.outbox()).findLast(({ data }) => data.userId === id)
    return (mail?.values as { readonly code?: string } | undefined)?.code ?? assert.fail('no mail')
  }

  test('creates an account, verifies the address and leads on, signed in', async () => {
    const browser = world.browser()
    const signIn = await browser.open(authorizationUrl(world, application))
    assertSays(signIn, en.toApplication.register)
    const link =
      /href="(\/ui\/register[^"]*)"/.exec(signIn.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no link')
    const page = await browser.open(new URL(link, world.url).href)
    const code = await browser.send(page, person('new@example.com'), '/ui/register')
    assertSays(code, en.register.codeTitle, en.register.codeLead({ emailAddress: 'new@example.com' }))
    assert.equal(browser.cookies.has('signet_session'), false)
    const wrong = await browser.send(code, { code: 'WRONG' }, '/ui/register')
    assertSays(wrong, en.register.codeWrong)
    isBack(await browser.send(wrong, { code: await codeFor('new@example.com') }, '/ui/register'))
    const user = (await userOf('new@example.com'))?.state as { readonly email: { readonly isVerified: boolean } }
    assert.equal(user.email.isVerified, true)
    assertSays(await browser.open(`${world.url}/ui/account`), 'Ada Lovelace', 'new@example.com')
  })

  test('prompt=create leads here, in three languages', async () => {
    for (const [lang, texts] of Object.entries({ en, de, fr })) {
      const { page } = await open({ ui_locales: lang })
      assertSays(page, texts.register.title, texts.register.firstName, texts.register.button)
    }
    const { browser, page } = await open()
    const code = await browser.send(page, person('prompted@example.com'), '/ui/register')
    isBack(await browser.send(code, { code: await codeFor('prompted@example.com') }, '/ui/register'))
  })

  test('says the same about an address that has an account, and changes nothing', async () => {
    const first = await open()
    const asked = await first.browser.send(first.page, person('known@example.com'), '/ui/register')
    isBack(await first.browser.send(asked, { code: await codeFor('known@example.com') }, '/ui/register'))
    const before = await userOf('known@example.com')
    const mails = (await world.outbox()).length
    const masked = (stop: Stop, email: string) =>
      stop.text
        .replaceAll(email, 'EMAIL')
        .replaceAll(/name="(ticket|user|next|authRequest)" value="[^"]*"/g, (text) =>
          text.replace(/value="[^"]*"/, (value) => `value of ${value.length}`),
        )
        .replaceAll(/href="[^"]*"/g, '')
    const known = await open()
    const free = await open()
    const again = await known.browser.send(known.page, person('KNOWN@example.com'), '/ui/register')
    const fresh = await free.browser.send(free.page, person('fresh@example.com'), '/ui/register')
    assert.deepEqual([again.status, fresh.status], [200, 200])
    assert.equal(masked(again, 'KNOWN@example.com'), masked(fresh, 'fresh@example.com'))
    assert.equal((await world.outbox()).length, mails + 1)
    assert.equal((await userOf('known@example.com'))?.revision, before?.revision)
    // The code of the owner is of no use to the one who registered again, and a new one is not sent.
    const code = await codeFor('known@example.com')
    assertSays(await known.browser.send(again, { code }, '/ui/register'), en.register.codeWrong)
    assert.equal((await known.browser.send(again, { again: 'yes' }, '/ui/register')).status, 200)
    assert.equal(known.browser.cookies.has('signet_session'), false)
    // Nor is a ticket with the ID of the owner.
    const stolen = await known.browser.send(again, { user: before?.id ?? '', code }, '/ui/register')
    assertSays(stolen, en.register.codeWrong)
  })

  test('names mistakes, and keeps what was typed', async () => {
    const { browser, page } = await open()
    const empty = await browser.send(page, {}, '/ui/register')
    assert.equal(empty.status, 422)
    assertSays(empty, en.register.nameWrong, en.register.emailWrong, en.password.missing)
    const wrong = await browser.send(page, { ...person('<b>"'), firstName: '<i>"' }, '/ui/register')
    assertSays(wrong, en.register.emailWrong)
    assert.match(wrong.text, /value="&lt;i>&quot;"/)
    const weak = { ...person('weak@example.com'), password: 'short' }
    assertSays(await browser.send(page, weak, '/ui/register'), 'at least')
    const own = { ...person('weak@example.com'), password: 'Ada Lovelace' }
    assertSays(await browser.send(page, own, '/ui/register'), en.flaws.own_name)
    assert.equal(await userOf('weak@example.com'), undefined)
  })

  test('is closed where the settings do not allow it, also for a form that was open before', async () => {
    const { browser, page } = await open()
    const { browser: waiting, page: form } = await open()
    const code = await waiting.send(form, person('waiting@example.com'), '/ui/register')
    for (const closed of [{}, { allowsRegistration: true, allowsPassword: false, allowsPasskeys: false }]) {
      await setLogin(closed)
      const sent = await browser.send(page, person('late@example.com'), '/ui/register')
      assert.equal(sent.status, 403)
      assertSays(sent, en.register.closed)
      const signIn = await world.browser().open(authorizationUrl(world, application))
      assert.ok(!told(signIn).includes(en.toApplication.register))
    }
    assert.equal(await userOf('late@example.com'), undefined)
    await setLogin({ allowsRegistration: true })
    isBack(await waiting.send(code, { code: await codeFor('waiting@example.com') }, '/ui/register'))
  })
})
