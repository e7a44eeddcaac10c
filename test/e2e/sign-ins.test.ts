/** Sign-ins as administrators see them in a real Chromium: one row each, explained, counted and drawn; refused requests are put right. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { DESKTOP, NARROW, unreachableOn, violationsOn } from './page-checks.ts'
import { PASSWORD, pathOf, press, signInWith } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

interface Shop {
  readonly projectId: string
  readonly appId: string
  readonly clientId: string
}

suite('sign-ins at the console', { ...options, timeout: 600_000 }, () => {
  let world: ConsoleWorld
  let shop: Shop
  /** The application, which answers wherever it is called. */
  let site: Server
  let origin: string

  const authorize = (more: Readonly<Record<string, string>> = {}) => {
    const verifier = randomBytes(32).toString('base64url')
    const asked = new URLSearchParams({
      client_id: shop.clientId,
      redirect_uri: `${origin}/callback`,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })
    return `${world.url}/oauth/v2/authorize?${asked}`
  }
  /** A browser that comes from the application. */
  const comeFromShop = async (more: Readonly<Record<string, string>> = {}): Promise<Page> => {
    const { page } = await world.open({ javaScriptEnabled: true })
    await page.goto(authorize(more))
    return page
  }
  const refusedRequests = async () =>
    ((await world.call('GET', `/v2/applications/${shop.appId}/refused_requests`)).refusedRequests ??
      []) as readonly unknown[]

  before(async () => {
    site = createServer((_, response) => response.end('The shop'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    origin = `http://localhost:${(site.address() as AddressInfo).port}`
    world = await startConsole()
    await world.addAdministrator('root')
    await world.addAdministrator('ada', [])
    const { id } = await world.call('POST', '/management/v1/projects', { name: 'Store' })
    const oidc = {
      name: 'Shop',
      redirectUris: [`${origin}/callback`],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
      devMode: true,
    }
    const app = await world.call('POST', `/management/v1/projects/${id}/apps/oidc`, oidc)
    shop = { projectId: id as string, appId: app.appId as string, clientId: app.clientId as string }
    const browser = await comeFromShop()
    await browser.getByLabel('Username').fill('ada')
    await browser.getByLabel('Password').fill('a wrong password')
    await press(browser, 'Sign in')
    await browser.getByLabel('Password').fill(PASSWORD)
    await press(browser, 'Sign in')
    await browser.waitForURL(`${origin}/callback**`)
  })
  after(async () => {
    site.close()
    await world.close()
  })

  test('are one row each in words, with the steps inside and a page that explains them', options, async () => {
    const { page, complaints } = await world.openAs('root')
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor()
    await page.getByRole('button', { name: 'Ada Lovelace signed in to Shop with a password' }).waitFor()
    const failed = page.getByRole('button', { name: /^Ada Lovelace’s sign-in( to Shop)? failed: wrong password$/ })
    await failed.click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Wrong password.').waitFor()
    await drawer.getByText('127.0.0.1', { exact: true }).waitFor()
    await drawer.getByText('Chrome, Linux', { exact: true }).waitFor()
    await drawer.getByRole('link', { name: 'Set a new password or send a link to reset it' }).waitFor()
    await drawer.getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('heading', { level: 1, name: /failed: wrong password$/ }).waitFor()
    assert.match(pathOf(page), /\/audit\/sign-ins\/[^/]+$/)
    await page.getByRole('region', { name: 'Steps' }).getByText('Wrong password.').waitFor()
    assert.equal(await page.getByText(/^\d{18}$/).count(), 0, 'things have names, and no IDs')
    await page.getByRole('link', { name: 'Set a new password or send a link to reset it' }).click()
    await page.getByRole('tab', { name: 'Password', selected: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('that failed because the user was locked are followed by the way to unlock them', options, async () => {
    const userId = await world.addPerson('locked-out')
    await world.call('POST', `/v2/users/${userId}/lock`, {})
    const visitor = await world.open({ javaScriptEnabled: true })
    await signInWith(world, visitor.page, 'locked-out')
    await visitor.page.locator('[role=alert]').first().waitFor()
    const { page, complaints } = await world.openAs('root', `/audit?user=${userId}`)
    await page.getByRole('button', { name: /failed: the user is locked$/ }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Unlock' }).click()
    await drawer.getByText('The user isn’t locked any more.').waitFor()
    assert.deepEqual(await violationsOn(page, 'sign-in drawer'), [])
    assert.deepEqual(complaints, [])
  })

  test('name the setting that asked for more, and lead to it', options, async () => {
    const { organizationId } = (await world.call('POST', '/v2/organizations', { name: 'Careful' })) as {
      readonly organizationId: string
    }
    await world.call(
      'POST',
      '/management/v1/policies/login',
      { allowUsernamePassword: true, forceMfa: true, secondFactors: ['SECOND_FACTOR_TYPE_OTP'] },
      organizationId,
    )
    await world.call('POST', '/v2/users/human', {
      username: 'grace',
      organization: { orgId: organizationId },
      profile: { givenName: 'Grace', familyName: 'Hopper' },
      email: { email: 'grace@example.com', isVerified: true },
      password: { password: PASSWORD },
    })
    const visitor = await world.open({ javaScriptEnabled: true })
    await signInWith(world, visitor.page, 'grace')
    await visitor.page.waitForURL((url) => !url.pathname.endsWith('/ui/login'))
    const { page, complaints } = await world.openAs('root', '/audit')
    await page.getByRole('button', { name: 'Grace Hopper hasn’t finished signing in' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Second factor').first().waitFor()
    await drawer.getByText('(organization setting)').waitFor()
    await drawer.getByRole('link', { name: 'Required', exact: true }).click()
    await page.getByRole('group', { name: 'Second factors' }).and(page.locator(':focus')).waitFor()
    assert.equal(pathOf(page), '/ui/console/sign-in')
    // The page shows the setting of that organization.
    await page.getByRole('radio', { name: 'For all users', checked: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('are filtered by names, which are suggested', options, async () => {
    const { page, complaints } = await world.openAs('root', '/audit')
    await page.getByRole('table', { name: 'Sign-ins' }).waitFor()
    await page.getByRole('combobox', { name: 'Application' }).fill('sho')
    await page.getByRole('option', { name: /^Shop/ }).click()
    await page.waitForURL(/application=/)
    await page.getByRole('button', { name: /^Ada Lovelace signed in to Shop/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: /signed in to/ }).count(), 1)
    await page.getByRole('combobox', { name: 'Result' }).click()
    await page.getByRole('option', { name: 'Not finished' }).click()
    await page.getByText('No results match your search and filters.').waitFor()
    // The address has it all, and names what is chosen by its name.
    await page.reload()
    await page.getByRole('combobox', { name: 'Application' }).waitFor()
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'Shop'))
    assert.deepEqual(complaints, [])
  })

  test('are not buried in token events, which are one switch away', options, async () => {
    const { page, complaints } = await world.openAs('root', '/audit/events')
    await page.getByRole('table', { name: 'All events' }).waitFor()
    await page.getByText(/routine events are hidden\.$/).waitFor()
    const issued = page.getByText('grant.access_token_issued.v1')
    assert.equal(await issued.count(), 0)
    await page.getByRole('switch', { name: 'Show routine events' }).check()
    await issued.first().waitFor()
    await page.getByRole('combobox', { name: 'Type of event' }).fill('person was created')
    await page.getByRole('group', { name: 'Users' }).getByRole('option', { name: 'The person was created' }).click()
    await page.waitForURL(/type=user\.human_added/)
    await page.getByRole('combobox', { name: 'About' }).fill('ada love')
    await page.getByRole('option', { name: /^Ada Lovelace \(ada@example\.com\)/ }).click()
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    assert.deepEqual(complaints, [])
  })

  test('that were refused are on the page of the application, which adds the redirect URI', options, async () => {
    const missing = `${origin}/other`
    await comeFromShop({ redirect_uri: missing })
    await comeFromShop({ redirect_uri: 'https://shop.example/cb#part' })
    await fetch(`${world.url}/oauth/v2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${shop.clientId}:wrong`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x', redirect_uri: `${origin}/callback` }),
    })
    while ((await refusedRequests()).length < 3) await sleep(200)
    const path = `/projects/${shop.projectId}/applications/${shop.appId}`
    const { page, complaints } = await world.openAs('root', '/audit')
    const refused = page.getByRole('region', { name: 'Refused application requests, last 7 days' })
    await refused.getByRole('link', { name: 'Sign-in to Shop failed: wrong client secret' }).waitFor()
    await refused.getByRole('link', { name: `Add this redirect URI: ${missing}` }).waitFor()
    await refused.getByRole('link', { name: 'Sign-in to Shop failed: wrong redirect URI' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    assert.equal(pathOf(page), `/ui/console${path}`)
    const notice = page.getByRole('region', { name: 'Some requests from this application were refused' })
    await notice.getByText(missing, { exact: true }).waitFor()
    await notice.getByText('client_secret_basic').waitFor()
    // The rules are those of the form.
    await page.getByRole('button', { name: 'Add this redirect URI: https://shop.example/cb#part' }).click()
    await notice.getByRole('alert').waitFor()
    for (const viewport of [...Object.values(NARROW), DESKTOP]) {
      await page.setViewportSize(viewport)
      assert.deepEqual(await unreachableOn(page, `notice at ${viewport.width}`), [])
    }
    assert.deepEqual(await violationsOn(page, 'notice'), [])
    await page.getByRole('button', { name: `Add this redirect URI: ${missing}` }).click()
    await seesNotice(page, 'Redirect URI added.')
    await notice.getByText(missing, { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Settings' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Redirect URIs 2' }).inputValue(), missing)
    const browser = await comeFromShop({ redirect_uri: missing })
    await browser.getByLabel('Username').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('are drawn by day, method and application, and figures lead to what they count', options, async () => {
    const { page, complaints } = await world.openAs('root')
    const area = page.getByRole('region', { name: 'Sign-ins', exact: true })
    await area.getByRole('table', { name: 'Sign-ins and failures by day' }).waitFor({ state: 'attached' })
    assert.equal(await area.locator('.recharts-surface').count(), 3)
    await area.getByText('30 days', { exact: true }).click()
    const failures = area.getByRole('link', { name: 'Failures, last 30 days' })
    await failures.waitFor()
    for (const name of ['Sign-ins and failures by day', 'Sign-ins by method', 'Passkey adoption']) {
      const rows = area.getByRole('table', { name }).locator('tbody tr')
      await rows.nth(29).waitFor({ state: 'attached' })
      assert.equal(await rows.count(), 30)
    }
    const shopRow = area.getByRole('table', { name: 'By application' }).locator('tr').filter({ hasText: 'Shop' })
    assert.match((await shopRow.textContent()) ?? '', /^Shop1/)
    for (const viewport of [...Object.values(NARROW), DESKTOP]) {
      await page.setViewportSize(viewport)
      assert.deepEqual(await unreachableOn(page, `charts at ${viewport.width}`), [])
    }
    assert.deepEqual(await violationsOn(page, 'charts'), [])
    await failures.click()
    await page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor()
    await page
      .getByRole('button', { name: /failed: wrong password$/ })
      .first()
      .waitFor()
    assert.equal(await page.getByRole('button', { name: /signed in/ }).count(), 0)
    await page.goto(`${world.url}/ui/console/projects/${shop.projectId}/applications/${shop.appId}?tab=activity`)
    await page.getByRole('link', { name: 'Sign-ins, last 7 days' }).waitFor()
    await page.locator('.recharts-surface').first().waitFor()
    await page.goto(`${world.url}/ui/console/users`)
    const row = page.getByRole('row').filter({ hasText: 'ada@example.com' })
    await row.locator('a[href*="/audit/sign-ins/"]').click()
    await page.getByRole('heading', { level: 1, name: /^Ada Lovelace signed in to Shop/ }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
