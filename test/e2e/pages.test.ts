/** What people do on the hosted pages, in a real Chromium that runs no scripts, on a really started server. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { LANGUAGE_TAGS } from '../../src/kernel/languages.ts'
import { withoutBrowser } from '../support/browser.ts'
import { linkIn, type People, startPeople } from './people.ts'

const PASSWORD = 'sturdy umbrella lagoon'
const options = { timeout: 600_000, skip: withoutBrowser() }

async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? ''
}
function heading(page: Page) {
  return textOf(page.getByRole('heading', { level: 1 }))
}

async function choosePassword(page: Page, button: string, password: string) {
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

suite('a person with a browser', options, () => {
  let people: People
  before(async () => {
    people = await startPeople()
  })
  after(() => people.close())

  const isVerified = async (userId: string): Promise<unknown> => {
    const { user } = (await people.call('GET', `/v2/users/${userId}`)) as {
      readonly user: { readonly human: { readonly email: { readonly isVerified?: boolean } } }
    }
    return user.human.email.isVerified ?? false
  }
  const methodsOf = async (userId: string): Promise<unknown> =>
    (await people.call('GET', `/v2/users/${userId}/authentication_methods`)).authMethodTypes ?? []

  test('finds the mail in the development inbox, follows its link and confirms the address once', options, async () => {
    const userId = await people.addPerson('grace')
    const { subject } = await people.nextMail('grace@example.com')
    const { page, complaints } = await people.open()
    await page.goto(people.inboxUrl)
    await page.getByRole('link', { name: subject }).first().click()
    await page.frameLocator('iframe').getByRole('link').first().click()
    await page.waitForURL(/\/verify-email\?/)
    assert.equal(await isVerified(userId), false)
    const link = page.url()
    await page.getByRole('button', { name: 'Verify email address' }).click()
    assert.equal(await heading(page), 'Email address verified')
    assert.equal(await isVerified(userId), true)
    assert.ok(!page.url().includes('code='))

    await page.goto(link)
    assert.equal(await heading(page), 'This link is not valid')
    assert.deepEqual(complaints, [])
  })

  test('gets a new link in place of a wrong one', options, async () => {
    const userId = await people.addPerson('alan')
    const first = await people.nextMail('alan@example.com')
    const { page } = await people.open()
    await page.goto(`${people.url}/verify-email?userId=${userId}&code=WRONG7`)
    await page.getByRole('button', { name: 'Send new link' }).click()
    assert.equal(await heading(page), 'Check your email')
    const second = await people.nextMail('alan@example.com', first.id)
    await page.goto(linkIn(second))
    await page.getByRole('button', { name: 'Verify email address' }).click()
    assert.equal(await isVerified(userId), true)
  })

  test('who has forgotten a password chooses another one, and mistakes use up nothing', options, async () => {
    const email = { email: 'edsger@example.com', isVerified: true }
    const userId = await people.addPerson('edsger', { email, password: { password: 'a first password of mine' } })
    const { page, complaints } = await people.open()
    await page.goto(`${people.url}/ui/login`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    assert.match(await textOf(page.getByRole('alert')), /Enter your username/)
    await page.getByLabel('Username').fill('EDSGER')
    await page.getByRole('button', { name: 'Send link' }).click()
    assert.equal(await heading(page), 'Check your email')

    await page.goto(linkIn(await people.nextMail('edsger@example.com')))
    await choosePassword(page, 'Set password', 'edsger')
    assert.match(await textOf(page.getByRole('alert')), /at least 8 characters/)
    assert.equal(await page.getByLabel('New password').inputValue(), '')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'password')
    await choosePassword(page, 'Set password', PASSWORD)
    assert.equal(new URL(page.url()).pathname, '/ui/account')
    assert.match(await textOf(page.getByRole('status')), /Your password has been saved/)
    await people.call('POST', `/v2/users/${userId}/password`, {
      newPassword: { password: 'yet another sturdy one' },
      currentPassword: PASSWORD,
    })
    assert.deepEqual(complaints, [])
  })

  test('accepts an invitation with a password, which confirms the address too', options, async () => {
    const userId = await people.addPerson('barbara', { email: { email: 'barbara@example.com', isVerified: false } })
    await people.call('POST', `/v2/users/${userId}/invite_code`, { sendCode: {} })
    const { page } = await people.open()
    await page.goto(linkIn(await people.nextMail('barbara@example.com')))
    assert.equal(await heading(page), 'Accept your invitation')
    assert.match(await textOf(page.getByRole('main')), /Username: barbara/)
    // Without scripts there are no passkeys, and no button that could not do anything.
    assert.equal(await page.getByRole('button', { name: 'Continue with a passkey' }).count(), 0)
    await page.getByRole('button', { name: 'Use a password instead' }).click()
    await choosePassword(page, 'Accept invitation', PASSWORD)
    assert.equal(new URL(page.url()).pathname, '/ui/account')
    assert.equal(await heading(page), 'Ada Lovelace')
    assert.equal(await isVerified(userId), true)
    assert.deepEqual(await methodsOf(userId), ['AUTHENTICATION_METHOD_TYPE_PASSWORD'])
  })

  test('the first administrator sets up once', options, async () => {
    const { page } = await people.open()
    await page.goto(people.setupUrl)
    await page.getByLabel('Email address').fill('admin@example.com')
    // Enter is the same as the only button that there is without scripts.
    await page.getByLabel('Email address').press('Enter')
    await choosePassword(page, 'Set password', 'password')
    assert.match(await textOf(page.getByRole('alert')), /This password is too common/)
    await choosePassword(page, 'Set password', PASSWORD)
    assert.equal(await heading(page), 'Setup complete')
    assert.match(await textOf(page.getByRole('main')), /Your username is “admin”/)
    await page.goto(people.setupUrl)
    assert.equal(await heading(page), 'This link is not valid')
  })

  test('reads the page in the language of the account, whatever the browser prefers', options, async () => {
    const profile = { firstName: 'Emmy', lastName: 'Noether', preferredLanguage: 'de' }
    await people.addPerson('emmy', { profile })
    const { page } = await people.open({ locale: 'fr' })
    await page.goto(linkIn(await people.nextMail('emmy@example.com')))
    assert.equal(await heading(page), 'E-Mail-Adresse bestätigen')
    await page.getByText('Deutsch').first().click()
    await page.getByRole('link', { name: 'Français' }).click()
    assert.equal(await heading(page), 'Confirmez votre adresse e-mail')
    await page.getByRole('button').click()
    assert.equal(await heading(page), 'Adresse e-mail confirmée')
  })

  test('nothing is wider than a small phone, in any language', options, async () => {
    const { page } = await people.open({ javaScriptEnabled: true, viewport: { width: 320, height: 640 } })
    const tooWide: string[] = []
    const visitAll = async (paths: readonly string[]) => {
      for (const language of LANGUAGE_TAGS) {
        await page.context().addCookies([{ name: 'signet_language', value: language, url: people.url }])
        for (const path of paths) {
          await page.goto(`${people.url}${path}`)
          assert.equal(await page.locator('html').getAttribute('lang'), language, path)
          const width = await page.evaluate(() => document.documentElement.scrollWidth)
          if (width > 320) tooWide.push(`${path} (${language}): ${width} pixels`)
        }
      }
    }
    const email = { email: 'sofja@example.com', isVerified: true }
    await people.addPerson('sofja', { email, password: { password: PASSWORD, changeRequired: false } })
    await page.goto(`${people.url}/ui/login?lang=en`)
    await page.getByLabel('Username').fill('sofja')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/ui/account**')
    const account = [
      '',
      '/profile',
      '/contact?kind=phone',
      '/picture',
      '/delete',
      '/password',
      '/keys?use=second_factor',
    ]
    await visitAll([...account.map((path) => `/ui/account${path}`), '/device'])
    await page.context().clearCookies()
    const link = 'userId=x&code=ABCDEF'
    await visitAll(['/', '/ui/login', '/forgot-password', '/ui/register', `/verify-email?${link}`])
    await visitAll([`/set-password?${link}`, `/accept-invitation?${link}`, '/ui/logout/done'])
    assert.deepEqual(tooWide, [])
  })

  test('nobody learns from the pages who exists, is locked or deactivated', options, async () => {
    const add = (name: string) => people.addPerson(name, { email: { email: `${name}@example.com`, isVerified: true } })
    const ids = { known: await add('known'), locked: await add('locked'), inactive: await add('inactive') }
    await people.call('POST', `/v2/users/${ids.locked}/lock`, {})
    await people.call('POST', `/v2/users/${ids.inactive}/deactivate`, {})
    await people.call('POST', `/v2/users/${ids.known}/password_reset`, { sendLink: {} })
    const post = async (path: string, fields: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${people.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
      const text = await answer.text()
      return `${answer.status} ${text.replaceAll(fields.userId ?? '–', 'ID')}`
    }
    const userIds = [...Object.values(ids), 'nobody', crypto.randomUUID()]
    for (const path of ['/verify-email', '/set-password', '/accept-invitation', '/setup']) {
      const proof = { code: 'ABCDEF', password: PASSWORD, repeated: PASSWORD }
      // Where there is a code, more often than it may be tried.
      for (let round = 0; round < (path === '/set-password' ? 7 : 1); round++) {
        const answers = await Promise.all(userIds.map((userId) => post(path, { userId, ...proof })))
        assert.equal(new Set(answers).size, 1, `${path} ${round}`)
      }
      if (path === '/setup') continue
      const sent = await Promise.all(userIds.map((userId) => post(path, { userId, again: 'yes' })))
      assert.equal(new Set(sent).size, 1, path)
    }
    const names = ['known', 'locked', 'inactive', 'nobody', 'no\u202ename']
    const forgotten = await Promise.all(names.map((userName) => post('/forgot-password', { userName })))
    assert.equal(new Set(forgotten).size, 1)
  })

  test('a form on a page of another site changes nothing', options, async () => {
    const userId = await people.addPerson('mallory')
    const link = new URL(linkIn(await people.nextMail('mallory@example.com')))
    const code = link.searchParams.get('code')
    const { page } = await people.open()
    await page.route('http://evil.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${people.url}/verify-email"><input name="userId" value="${userId}"><input name="code" value="${code}"><button>win</button></form>`,
      }),
    )
    await page.goto('http://evil.test/')
    await page.getByRole('button').click()
    assert.equal(await heading(page), 'Request blocked')
    assert.equal(await isVerified(userId), false)
  })

  test('whoever goes astray is shown a page, a program is told in JSON', options, async () => {
    const { page } = await people.open({ locale: 'de' })
    const answer = await page.goto(`${people.url}/nowhere/at/all`)
    assert.equal(answer?.status(), 404)
    assert.match((await answer?.allHeaders())?.['content-security-policy'] ?? '', /^default-src 'self'; /)
    assert.equal(await heading(page), 'Seite nicht gefunden')
    const told = await fetch(`${people.url}/nowhere/at/all`)
    assert.equal(((await told.json()) as { readonly code: number }).code, 5)
  })

  test('no password and no code is in the log of the server', options, () => {
    const { setupUrl } = people
    const log = people.log().replaceAll(setupUrl, '')
    for (const secret of [PASSWORD, new URL(setupUrl).searchParams.get('code') ?? '', 'code=']) {
      assert.ok(!log.includes(secret), secret)
    }
  })
})
