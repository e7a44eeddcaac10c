/**
 * Signing in through the pages with a real OpenID provider, in a real Chromium that runs no scripts. The provider is on
 * another site than the server, so that cookies and policies hold as they do in the world.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, openUpstream, type Upstream } from '../support/upstream.ts'
import { type People, startPeople } from './people.ts'
import { addPersonWithPassword, heading, PASSWORD, pathOf, press, signInWith, signOut, textOf } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

interface Settings {
  readonly isLinkingAllowed?: boolean
  readonly isCreationAllowed?: boolean
  readonly isAutoCreation?: boolean
}

suite('a person with an account elsewhere', { ...options, timeout: 400_000 }, () => {
  let people: People
  let upstream: Upstream
  before(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    people = await startPeople({
      SIGNET_LISTEN: `127.0.0.1:${port}`,
      SIGNET_EXTERNAL_URL: url,
      SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
    })
    upstream = await openUpstream({
      redirectUri: `${url}/idps/callback`,
      fetch: (address, init) => fetch(address, { ...init, redirect: 'manual' }),
    })
  })
  after(async () => {
    await upstream?.close()
    await people?.close()
  })

  const addProvider = async (name: string, settings: Settings = {}): Promise<string> => {
    const { id } = await people.call('POST', '/management/v1/idps/generic_oidc', {
      name,
      issuer: upstream.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: ['openid', 'profile', 'email'],
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, ...settings },
    })
    return id as string
  }

  const addAccount = (login: string, claims: Record<string, unknown> = {}) =>
    upstream.people.set(login, {
      name: 'Ada King',
      given_name: 'Ada',
      family_name: 'King',
      preferred_username: login,
      email: `${login}@corp.example`,
      email_verified: true,
      ...claims,
    })

  const click = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

  /** Signs in at the provider, where the browser is by now. */
  const signInThere = async (page: Page, login: string) => {
    assert.ok(page.url().startsWith(upstream.issuer), page.url())
    await page.getByPlaceholder('Enter any login').fill(login)
    await page.getByPlaceholder('and password').fill('anything')
    await press(page, 'Sign-in')
    await press(page, 'Continue')
    assert.ok(page.url().startsWith(people.url), page.url())
  }

  const begin = async (page: Page, provider: string, path = '/ui/login') => {
    await page.goto(`${people.url}${path}`)
    await click(page, `Continue with ${provider}`)
  }

  /** Begins, and answers where the browser was sent. */
  const beginAt = async (page: Page, provider: string): Promise<string> => {
    const sent = page.waitForRequest((request) => request.url().startsWith(`${upstream.issuer}/auth?`))
    await begin(page, provider)
    return (await sent).url()
  }

  test('is registered by the first sign-in, signs out, and is known again', options, async () => {
    await addProvider('Acme', { isAutoCreation: true })
    addAccount('ada')
    const { page, complaints } = await people.open()
    await begin(page, 'Acme', '/ui/login?next=/ui/account/password')
    await signInThere(page, 'ada')
    assert.equal(pathOf(page), '/ui/account/password')
    await page.goto(`${people.url}/ui/account`)
    assert.equal(await heading(page), 'Ada King')
    assert.match(await textOf(page.getByRole('main')), /ada@corp\.example.*Acme.*your only way to sign in/s)
    await signOut(people, page)
    await begin(page, 'Acme')
    await page.waitForURL(`${people.url}/ui/account`)
    assert.equal(await heading(page), 'Ada King')
    const { result } = await people.call('POST', '/v2/users', {
      queries: [{ emailQuery: { emailAddress: 'ada@corp.example' } }],
    })
    assert.equal((result as readonly unknown[]).length, 1)
    assert.deepEqual(complaints, [])
  })

  test('links it to the account that they have, signs in with it, and ends the link', options, async () => {
    await addProvider('Linked')
    addAccount('grace-there')
    await addPersonWithPassword(people, 'grace')
    const { page, complaints } = await people.open()
    await signInWith(people, page, 'grace')
    await click(page, 'Link Linked')
    await signInThere(page, 'grace-there')
    assert.equal(await heading(page), 'Link your Linked account?')
    assert.match(await textOf(page.getByRole('main')), /“grace-there”.*as “grace”/s)
    await press(page, 'Link account')
    assert.match(await textOf(page.getByRole('status')), /The account has been linked/)
    await signOut(people, page)
    await begin(page, 'Linked')
    await page.waitForURL(`${people.url}/ui/account`)
    const own = page.getByRole('listitem').filter({ hasText: 'grace-there' })
    assert.match(await textOf(page.getByRole('main')), /grace@example\.com/)
    await own.getByRole('link', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    assert.match(await textOf(page.getByRole('status')), /It has been removed/)
    assert.equal(await own.count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('who is new looks through what the provider told, or signs in first and is then asked', options, async () => {
    await addProvider('Asking')
    addAccount('radia', { email_verified: false })
    await addPersonWithPassword(people, 'radia')
    const { page } = await people.open()
    await begin(page, 'Asking')
    await signInThere(page, 'radia')
    assert.equal(await heading(page), 'Welcome')
    assert.equal(await page.getByLabel('Email address').inputValue(), 'radia@corp.example')
    await press(page, 'Create account')
    assert.match(await textOf(page.getByRole('alert')), /This username is not available/)
    await page.getByLabel('Username').fill('radia-two')
    await press(page, 'Create account')
    assert.equal(pathOf(page), '/ui/account')
    assert.match(await textOf(page.getByRole('main')), /radia-two.*Requires a verified email address/s)
    assert.match((await people.nextMail('radia@corp.example')).text, /verify-email/)

    addAccount('grown')
    await addPersonWithPassword(people, 'edsger')
    const other = (await people.open()).page
    await begin(other, 'Asking')
    await signInThere(other, 'grown')
    await click(other, 'Sign in to your account')
    await other.getByLabel('Username').fill('edsger')
    await other.getByLabel('Password').fill(PASSWORD)
    await press(other, 'Sign in')
    assert.equal(await heading(other), 'Link your Asking account?')
    await press(other, 'Link account')
    assert.equal(pathOf(other), '/ui/account')
    assert.match(await textOf(other.getByRole('main')), /edsger@example\.com.*grown/s)
  })

  test('reads that a deactivated provider does not work, at the start and on the way back', options, async () => {
    const idpId = await addProvider('Closing')
    addAccount('alan')
    const { page } = await people.open()
    await begin(page, 'Closing')
    await people.call('POST', `/management/v1/idps/${idpId}/_deactivate`, {})
    await signInThere(page, 'alan')
    assert.equal(await heading(page), 'Sign-in with Closing failed')
    await click(page, 'Back to sign-in')
    assert.equal(await page.getByRole('link', { name: 'Continue with Closing' }).count(), 0)
    await page.goto(`${people.url}/ui/login/provider?idp=${idpId}`)
    assert.equal(await heading(page), 'Sign-in with Closing failed')
    assert.deepEqual(
      (await page.context().cookies(people.url)).map(({ name }) => name),
      ['signet-browser'],
    )
  })

  test('cancels there, and reads that', options, async () => {
    await addProvider('Cancelled')
    const { page } = await people.open()
    await begin(page, 'Cancelled')
    await page.getByRole('link', { name: /cancel/i }).click()
    assert.equal(await heading(page), 'Sign-in with Cancelled canceled')
  })

  test('cannot be signed in by another browser, nor another browser by them', options, async () => {
    await addProvider('Bound', { isAutoCreation: true })
    addAccount('mallory')
    const { page } = await people.open()
    const stranger = (await people.open()).page
    /** What somebody is sent to by whoever holds an address of theirs, with and without a cookie of their own. */
    const lure = async (url: string, error: string | null = null) => {
      await stranger.goto(url)
      assert.match(await heading(stranger), /^Sign-in (with Bound )?failed$/)
      assert.equal(new URL(stranger.url()).searchParams.get('error'), error)
      await stranger.goto(`${people.url}/ui/account`)
      assert.equal(pathOf(stranger), '/ui/login')
    }
    for (const isKnown of [false, true]) {
      if (isKnown) await begin(stranger, 'Bound')
      const brought = await upstream.signIn(await beginAt(page, 'Bound'), 'mallory')
      await lure(`${people.url}/idps/callback?${brought}`, 'sign_in_failed')

      const parameters = await upstream.signIn(await beginAt(page, 'Bound'), 'mallory')
      const cookies = await page.context().cookies(people.url)
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const callback = `${people.url}/idps/callback?${parameters}`
      const back = await fetch(callback, { headers: { cookie }, redirect: 'manual' })
      const url = back.headers.get('location') ?? assert.fail('not sent on')
      await lure(url)
      await page.goto(url)
      assert.equal(pathOf(page), '/ui/account')
      await signOut(people, page)
      await lure(url)
    }
  })

  test('no link of another site begins a sign-in', options, async () => {
    const idpId = await addProvider('Forced', { isAutoCreation: true })
    const { page } = await people.open()
    await page.route('http://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${people.url}/ui/login/provider?idp=${idpId}">go</a>`,
      }),
    )
    await page.goto('http://elsewhere.example/')
    await click(page, 'go')
    assert.equal(page.url(), `${people.url}/ui/login`)
  })

  test('no code and no token is in the log of the server', options, () => {
    const log = people.log().replaceAll(people.setupUrl, '')
    for (const secret of ['code=', 'token=', 'state=', CLIENT.secret]) assert.ok(!log.includes(secret), secret)
  })
})
