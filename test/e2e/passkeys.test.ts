/** Passkeys and security keys, in a real Chromium with a virtual authenticator, on a really started server. */
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { linkIn, type People } from './people.ts'
import {
  addPersonWithPassword,
  heading,
  openWindow,
  PASSWORD,
  pathOf,
  press,
  setUpApp,
  signInWith,
  signOut,
  startPublicly,
  textOf,
} from './signing-in.ts'
import { giveAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('a person with an authenticator', { ...options, timeout: 400_000 }, () => {
  let people: People
  before(async () => {
    people = await startPublicly()
  })
  after(() => people.close())

  suite('the first administrator', { ...options, timeout: 200_000 }, () => {
    let page: Page
    let complaints: string[]
    let phone: VirtualAuthenticator

    test('sets up with a passkey and is signed in', options, async () => {
      const opened = await openWindow(people)
      page = opened.page
      complaints = opened.complaints
      phone = await giveAuthenticator(page)
      await page.goto(people.setupUrl)
      await page.getByLabel('Email address').fill('admin@example.com')
      await press(page, 'Continue with a passkey')
      await page.waitForURL(/\/ui\/console/)
      await page.goto(`${people.url}/ui/account`)
      assert.equal(await heading(page), 'Administrator')
      assert.equal((await phone.credentials()).length, 1)
      const [cookie] = await page.context().cookies()
      assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ['signet_session', true, 'Lax'])
      // The link counts once.
      await page.goto(people.setupUrl)
      await page.getByText('signet setup-link').waitFor()
    })

    test('signs in with it and without a user name', options, async () => {
      await signOut(people, page)
      await page.goto(`${people.url}/ui/login`)
      await press(page, 'Sign in with a passkey')
      await page.waitForURL(/\/ui\/account/)
      assert.equal(await heading(page), 'Administrator')
    })

    test('is refused on a page of another origin, though the domain is the same', options, async () => {
      // This server under another port: another origin to browsers, but the passkeys of localhost work there.
      const target = Number(new URL(people.url).port)
      const gate = createServer((socket) => {
        const onward = connect(target, '127.0.0.1')
        for (const end of [socket, onward]) end.on('error', () => {})
        socket.pipe(onward).pipe(socket)
      })
      await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
      try {
        const { port } = gate.address() as { readonly port: number }
        await signOut(people, page)
        await page.goto(`http://localhost:${port}/ui/login`)
        await press(page, 'Sign in with a passkey')
        assert.match(await textOf(page.getByRole('alert')), /not recognized/)
        assert.equal(pathOf(page), '/ui/login/passkey')
        await page.goto(`http://localhost:${port}/ui/account`)
        assert.equal(pathOf(page), '/ui/login')
      } finally {
        gate.close()
      }
    })

    test('chooses a password, removes the passkey, and password managers learn of it', options, async () => {
      await page.goto(`${people.url}/ui/login`)
      await press(page, 'Sign in with a passkey')
      await page.waitForURL(/\/ui\/account/)
      assert.match(await textOf(page.getByRole('main')), /your only way to sign in/)
      assert.equal(await page.getByRole('link', { name: 'Remove' }).count(), 0)
      await page.goto(`${people.url}/ui/account/password`)
      await page.getByLabel('New password').fill(PASSWORD)
      await press(page, 'Set password')
      assert.match(await textOf(page.getByRole('status')), /Your password has been saved/)
      await page.getByRole('link', { name: /^Remove / }).click()
      assert.match(await heading(page), /^Remove “.*”\?$/)
      await press(page, 'Remove')
      assert.match(await textOf(page.getByRole('status')), /It has been removed/)
      // The Signal API of Chromium takes it from the authenticator, too.
      for (let tries = 0; (await phone.credentials()).length > 0 && tries < 50; tries++) await page.waitForTimeout(100)
      assert.deepEqual(await phone.credentials(), [])
    })

    test('signs in with password and authenticator app, and each code counts once', options, async () => {
      const nextCode = await setUpApp(page)
      await signOut(people, page)
      await signInWith(people, page, 'admin')
      assert.equal(await heading(page), 'Two-step verification')
      await page.goto(`${people.url}/ui/account`)
      assert.equal(pathOf(page), '/ui/login/second-factor')
      await page.getByLabel('Verification code').fill('000000')
      await press(page, 'Continue')
      assert.match(await textOf(page.getByRole('alert')), /incorrect, has expired or was already used/)
      await page.getByLabel('Verification code').fill(nextCode())
      await press(page, 'Continue')
      await page.waitForURL(/\/ui\/login\/add-passkey/)
      await press(page, 'Not now')
      await page.waitForURL(/\/ui\/account/)
      assert.equal(await heading(page), 'Administrator')
      assert.deepEqual(complaints, [])
    })
  })

  test('adds a passkey with the link of a mail, once, and signs in with it', options, async () => {
    const userId = await addPersonWithPassword(people, 'barbara')
    await people.call('POST', `/v2/users/${userId}/passkeys/registration_link`, { sendLink: {} })
    const link = linkIn(await people.nextMail('barbara@example.com'))
    assert.match(link, /\/ui\/passkeys\/register\?/)
    const { page, complaints } = await openWindow(people, { isOffered: true })
    const phone = await giveAuthenticator(page)
    await page.goto(link.replace(/code=[^&]+/, 'code=WRONG7'))
    await page.getByText('This link is not valid').first().waitFor()
    await page.goto(link)
    assert.equal(await page.getByLabel('Name').inputValue(), 'Chrome, Linux')
    await press(page, 'Add passkey')
    await page.getByText('Passkey added').first().waitFor()
    await page.goto(link)
    await page.getByText('This link is not valid').first().waitFor()
    assert.equal((await phone.credentials()).length, 1)
    // Offered where the user name is typed, without any button.
    await page.goto(`${people.url}/ui/login`)
    await page.waitForURL(/\/ui\/account/)
    assert.match(await textOf(page.getByRole('main')), /barbara/)
    assert.deepEqual(complaints, [])
  })

  test('sets up a second factor where the organization asks for one, also a key', options, async () => {
    const { organizationId } = (await people.call('POST', '/v2/organizations', { name: 'Careful' })) as {
      readonly organizationId: string
    }
    await people.addPerson('ada', {
      organization: { orgId: organizationId },
      password: { password: PASSWORD, changeRequired: true },
      email: { email: 'ada@example.com', isVerified: true },
    })
    await people.call(
      'POST',
      '/management/v1/policies/login',
      {
        allowUsernamePassword: true,
        forceMfa: true,
        passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
        secondFactors: ['SECOND_FACTOR_TYPE_U2F', 'SECOND_FACTOR_TYPE_OTP'],
      },
      organizationId,
    )
    const { page, complaints } = await openWindow(people)
    await giveAuthenticator(page, 'key')
    await signInWith(people, page, 'ada')
    assert.equal(await heading(page), 'Set up two-step verification')
    await press(page, 'Set up security key')
    await page.waitForURL(/second-factor/)
    await press(page, 'Use security key')
    await page.waitForURL(/new-password/)
    assert.equal(await heading(page), 'Change your password')
    await page.getByLabel('New password').fill('another sturdy lagoon')
    await press(page, 'Set password')
    await page.waitForURL(/\/ui\/account/)
    assert.match(
      await textOf(page.getByRole('region', { name: 'Two-step verification' })),
      /Chrome, Linux.*Security key/s,
    )
    assert.deepEqual(complaints, [])
  })

  test('no password, no code and no token is in the log of the server', options, () => {
    const log = people.log().replaceAll(people.setupUrl, '')
    for (const secret of [PASSWORD, 'signet_session_', 'code=', 'otpauth']) assert.ok(!log.includes(secret), secret)
  })
})
