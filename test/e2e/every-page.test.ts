/**
 * The pages, console and hosted, have no violation that axe finds, in light and dark. Names and texts contain markup, which
 * must appear as text: a script in them would complain in the browser.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWindow, type ConsoleWorld, startConsole } from '../support/console.ts'

const options = { timeout: 400_000, skip: withoutBrowser() }

const CANARY = `<img src=x onerror="throw Error('markup')"><script>throw Error('markup')</script>`

/** What axe finds on a page, in both color schemes. */
async function violationsOn(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of violations) {
      found.push(`${name} (${colorScheme}): ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    }
  }
  return found
}

suite('accessibility', { ...options, timeout: 900_000 }, () => {
  let world: ConsoleWorld
  let window: ConsoleWindow
  let paths: readonly string[]

  before(async () => {
    world = await startConsole()
    const userId = await world.addAdministrator('root')
    window = await world.openAs('root')
    const organization = await world.call('POST', '/v2/organizations', { name: `Org ${CANARY}` })
    const { organizationId } = organization as { readonly organizationId: string }
    const robot = await world.call('POST', '/management/v1/users/machine', {
      userName: 'robot',
      name: `Robot ${CANARY}`,
    })
    const { userId: machineId } = robot as { readonly userId: string }
    await world.call('POST', '/v2/users/human', {
      username: 'markup',
      profile: { givenName: CANARY, familyName: 'Canary', displayName: CANARY },
      email: { email: 'canary@example.com', isVerified: true },
    })
    const project = await world.call('POST', '/management/v1/projects', { name: `Project ${CANARY}` })
    const { id: projectId } = project as { readonly id: string }
    const made = await world.call('POST', `/management/v1/projects/${projectId}/apps/oidc`, {
      name: `App ${CANARY}`,
      redirectUris: ['https://app.example/callback'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    })
    const { appId } = made as { readonly appId: string }
    // One page of each form: a full run takes minutes.
    paths = [
      ...['/', '/users', `/users/${userId}`, `/users/${machineId}`, '/organizations', `/projects/${projectId}`],
      ...[`/organizations/${organizationId}`, `/projects/${projectId}/applications/${appId}`, '/audit'],
      ...['/identity-providers/new', '/mail', '/sign-in', '/branding', '/settings'],
    ]
  })
  after(() => world.close())

  test('of pages of the console; markup in names is text, and nothing breaks the policy', options, async () => {
    const { page, complaints } = window
    const found: string[] = []
    for (const path of paths) {
      await page.goto(`${world.url}/ui/console${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page
        .getByRole('status', { name: /loading/i })
        .first()
        .waitFor({ state: 'detached' })
      found.push(...(await violationsOn(page, path)))
    }
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  })

  test('of the hosted pages', options, async () => {
    const { page, complaints } = window
    const found: string[] = []
    const account = ['', '/profile', '/contact?kind=email', '/contact?kind=phone', '/picture', '/delete']
    const pages = [
      ...account.map((path) => `/ui/account${path}`),
      ...['/ui/login/accounts', '/device', '/ui/logout', '/inbox', '/no-such-page', '/oauth/v2/authorize'],
    ]
    for (const path of pages) {
      await page.goto(`${world.url}${path}`)
      found.push(...(await violationsOn(page, path)))
    }
    await page.context().clearCookies()
    for (const path of ['/', '/ui/login', '/forgot-password', '/ui/register', '/verify-email', '/reset-password']) {
      await page.goto(`${world.url}${path}`)
      found.push(...(await violationsOn(page, path)))
    }
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  })
})
