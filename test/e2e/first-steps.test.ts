/** The first steps of people whom an administrator has added, in a real Chromium, on a really started server. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { linkIn, type People } from './people.ts'
import {
  addPersonWithPassword,
  heading,
  openWindow,
  PASSWORD,
  pathOf,
  press,
  signInWith,
  startPublicly,
  textOf,
} from './signing-in.ts'
import { giveAuthenticator } from './virtual-authenticator.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('a person who was added', { ...options, timeout: 400_000 }, () => {
  let people: People
  before(async () => {
    people = await startPublicly()
  })
  after(() => people.close())

  test('accepts an invitation with a passkey, and is signed in', options, async () => {
    const userId = await people.addPerson('barbara', { email: { email: 'barbara@example.com', isVerified: false } })
    await people.call('POST', `/v2/users/${userId}/invite_code`, { sendCode: {} })
    const { page, complaints } = await openWindow(people)
    const phone = await giveAuthenticator(page)
    await page.goto(linkIn(await people.nextMail('barbara@example.com')))
    assert.match(await textOf(page.getByRole('main')), /Username: barbara/)
    // Password managers read this field; the person reads the name beside it.
    const owner = page.locator('input[autocomplete="username"]')
    assert.deepEqual([await owner.inputValue(), await owner.isVisible()], ['barbara', false])
    await press(page, 'Continue with a passkey')
    await page.waitForURL(/\/ui\/account/)
    assert.equal((await phone.credentials()).length, 1)
    await page.goto(people.url)
    assert.equal(pathOf(page), '/ui/account')
    assert.deepEqual(complaints, [])
  })

  test('signs in with the email address', options, async () => {
    await addPersonWithPassword(people, 'ada')
    const { page } = await people.open()
    await page.goto(`${people.url}/ui/login`)
    await page.getByLabel('Username or email address').fill('ADA@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
    assert.equal(pathOf(page), '/ui/account')
  })

  test('adds a passkey where the organization requires a second factor', options, async () => {
    const { organizationId } = (await people.call('POST', '/v2/organizations', { name: 'Careful' })) as {
      readonly organizationId: string
    }
    await people.addPerson('grace', {
      organization: { orgId: organizationId },
      password: { password: PASSWORD },
      email: { email: 'grace@example.com', isVerified: true },
    })
    const policy = {
      allowUsernamePassword: true,
      forceMfa: true,
      passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
      secondFactors: ['SECOND_FACTOR_TYPE_OTP'],
      multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
    }
    await people.call('POST', '/management/v1/policies/login', policy, organizationId)
    const { page, complaints } = await openWindow(people)
    await giveAuthenticator(page)
    await signInWith(people, page, 'grace')
    assert.equal(await heading(page), 'Set up two-step verification')
    await press(page, 'Add a passkey')
    await page.waitForURL(/\/ui\/account/)
    assert.deepEqual(complaints, [])
  })

  test('reads times in their own time zone, and in UTC without scripts', options, async () => {
    await addPersonWithPassword(people, 'emmy')
    const read = async (javaScriptEnabled: boolean) => {
      const { page } = await people.open({ javaScriptEnabled, timezoneId: 'Asia/Kolkata' })
      await signInWith(people, page, 'emmy')
      const time = page.locator('time').first()
      const at = new Date((await time.getAttribute('datetime')) ?? '')
      return { shown: (await textOf(time)).replaceAll('\u202f', ' '), at }
    }
    const format = (timeZone: string, at: Date) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone })
        .format(at)
        .replaceAll('\u202f', ' ')
    const plain = await read(false)
    assert.equal(plain.shown, `${format('UTC', plain.at)} UTC`)
    const own = await read(true)
    assert.equal(own.shown, format('Asia/Kolkata', own.at))
  })

  test('keeps the language of the switch through every step', options, async () => {
    await addPersonWithPassword(people, 'sofja')
    const { page } = await people.open()
    await page.goto(`${people.url}/ui/login`)
    const choose = async (language: string) => {
      await page.locator('.languages summary').click()
      await page.getByRole('link', { name: language }).click()
    }
    await choose('Deutsch')
    await page.getByLabel('Benutzername').fill('sofja')
    await page.getByLabel('Passwort').fill('not the password')
    await press(page, 'Anmelden')
    assert.equal(await heading(page), 'Anmelden')
    await choose('Français')
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
    await choose('Deutsch')
    await page.getByLabel('Benutzername').fill('sofja')
    await page.getByLabel('Passwort').fill(PASSWORD)
    await press(page, 'Anmelden')
    assert.match(await textOf(page.getByRole('main')), /Aktive Sitzungen/)
  })

  test('sees no error when the page opens at an IP address', options, async () => {
    const { page, complaints } = await people.open({ javaScriptEnabled: true })
    const failed: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400) failed.push(answer.url())
    })
    await page.goto(`${people.url.replace('localhost', '127.0.0.1')}/ui/login`)
    await page.waitForTimeout(500)
    assert.equal(await page.getByRole('status').count(), 0)
    assert.deepEqual([failed, complaints], [[], []])
  })
})
