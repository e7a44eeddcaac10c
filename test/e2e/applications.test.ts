/** The pages between an application and its tokens, in a real Chromium that runs no scripts. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { BUILT_IN_LOGIN, settings } from '../../src/features/settings/index.ts'
import { findBySignInName } from '../../src/features/users/index.ts'
import { openBrowser, withoutBrowser } from '../support/browser.ts'
import { authorizationUrl } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { heading, pathOf, press, textOf } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('a user who comes from an application', { ...options, timeout: 400_000 }, () => {
  let world: OpenIdWorld
  let browser: Browser
  /** The application that the browser is sent back to. */
  let site: Server
  let redirectUri: string
  let application: Application
  let thirdParty: Application

  before(async () => {
    world = await openOpenIdWorld()
    site = createServer((_, response) => response.end('<h1>The application</h1>'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    redirectUri = `http://localhost:${(site.address() as AddressInfo).port}/callback`
    const config = { redirectUris: [redirectUri], postLogoutRedirectUris: [redirectUri], developmentMode: true }
    application = await world.addApplication(config)
    thirdParty = await world.addApplication({ ...config, thirdParty: true, grantTypes: [0, 3], authMethodType: 2 })
    await world.addPerson('ada')
    await world.addPerson('grace')
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    site.close()
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const openWindow = async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (!/^(Failed to load resource|Autofocus processing was blocked|\[DOM\])/.test(message.text()))
        complaints.push(message.text())
    })
    return { page, complaints }
  }
  const ask = (page: Page, one: Application, more: Readonly<Record<string, string>> = {}) =>
    page.goto(authorizationUrl(world, one, { redirect_uri: redirectUri, ...more }))
  const signIn = async (page: Page, userName: string) => {
    await page.getByLabel('Username').fill(userName)
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
  }
  const isBack = async (page: Page, member: 'code' | 'error' = 'code') => {
    await page.waitForURL((url) => url.href.startsWith(redirectUri))
    assert.ok(new URL(page.url()).searchParams.has(member), page.url())
    assert.equal(await heading(page), 'The application')
  }

  test('signs in, chooses an account, uses another one, and is back each time', options, async () => {
    const { page, complaints } = await openWindow()
    await ask(page, application)
    assert.match(await textOf(page.getByRole('main')), /Sign in to Application/)
    await signIn(page, 'ada')
    await isBack(page)
    await ask(page, application)
    await isBack(page)
    await ask(page, application, { prompt: 'select_account' })
    await press(page, 'Continue as ada Person')
    await isBack(page)
    await ask(page, application, { prompt: 'select_account' })
    await page.getByRole('link', { name: 'Use another account' }).click()
    await signIn(page, 'grace')
    await isBack(page)
    assert.deepEqual(complaints, [])
  })

  test('allows and denies, sees it on the account page, and takes it back', options, async () => {
    const { page, complaints } = await openWindow()
    await ask(page, thirdParty)
    await signIn(page, 'ada')
    await page.waitForURL(/\/ui\/consent/)
    await press(page, 'Deny')
    await isBack(page, 'error')
    await ask(page, thirdParty)
    await press(page, 'Allow')
    await isBack(page)
    await page.goto(`${world.url}/ui/account`)
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Remove access' }) })
    const before = await rows.count()
    await rows.last().getByRole('button').click()
    assert.match(await textOf(page.getByRole('status')), /no longer has access/)
    assert.equal(await rows.count(), before - 1)
    assert.deepEqual(complaints, [])
  })

  test('answers in the tab of one request after another one was started', options, async () => {
    const { page } = await openWindow()
    await ask(page, application, { prompt: 'consent' })
    await signIn(page, 'grace')
    await page.waitForURL(/\/ui\/consent/)
    const other = await page.context().newPage()
    await ask(other, application, { prompt: 'consent' })
    assert.equal(pathOf(other), '/ui/consent')
    await press(page, 'Allow')
    // The browser is asked once more: the page was not the last one that it was sent to.
    await page.waitForURL((url) => url.href.startsWith(redirectUri) || url.pathname === '/ui/consent')
    if (pathOf(page) === '/ui/consent') await press(page, 'Allow')
    await isBack(page)
  })

  test('connects a device', options, async () => {
    const { page, complaints } = await openWindow()
    const body = new URLSearchParams({ client_id: thirdParty.clientId, scope: 'openid' })
    const started = await fetch(`${world.url}/oauth/v2/device_authorization`, { method: 'POST', body })
    const device = (await started.json()) as { readonly verification_uri_complete: string }
    await page.goto(device.verification_uri_complete)
    await signIn(page, 'ada')
    await press(page, 'Continue')
    await press(page, 'Allow')
    assert.equal(await heading(page), 'Device connected')
    assert.deepEqual(complaints, [])
  })

  test('signs out and is taken back', options, async () => {
    const { page, complaints } = await openWindow()
    await ask(page, application)
    await signIn(page, 'ada')
    await isBack(page)
    const asked = new URLSearchParams({ client_id: application.clientId, post_logout_redirect_uri: redirectUri })
    await page.goto(`${world.url}/oidc/v1/end_session?${asked}`)
    assert.equal(await heading(page), 'Sign out?')
    await press(page, 'Sign out')
    await page.waitForURL((url) => url.href.startsWith(redirectUri))
    await page.goto(`${world.url}/ui/account`)
    assert.equal(pathOf(page), '/ui/login')
    assert.deepEqual(complaints, [])
  })

  test('creates an account', options, async () => {
    const { instanceId } = world.app
    const value = { ...BUILT_IN_LOGIN, allowsRegistration: true }
    await world.store.write(world.origin(), (work) =>
      work.decide(settings, instanceId, { type: 'set', section: 'login', manner: 'put', value }, instanceId),
    )
    const { page, complaints } = await openWindow()
    await ask(page, application)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.getByLabel('First name').fill('Radia')
    await page.getByLabel('Last name').fill('Perlman')
    await page.getByLabel('Email address').fill('radia@example.com')
    await press(page, 'Use a password instead')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Create account')
    assert.equal(await heading(page), 'Check your email')
    const user = await findBySignInName(world.app, 'radia@example.com')
    const mail = (await world.outbox()).find(({ data }) => data.userId === user?.id)
    await page
      .getByLabel('Verification code')
      .fill((mail?.values as { readonly code?: string } | undefined)?.code ?? '')
    await press(page, 'Continue')
    await isBack(page)
    assert.deepEqual(complaints, [])
  })
})
