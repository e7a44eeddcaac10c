/** The search of the console in a real Chromium: everything by name, with the keyboard alone, on a phone, zoomed and in the dark. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, startConsole } from '../support/console.ts'
import { NARROW, violationsOn } from './page-checks.ts'
import { pathOf } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

function field(page: Page) {
  return page.getByRole('combobox', { name: /^Search users/ })
}

function option(page: Page, group: string, name: string | RegExp) {
  return page.getByRole('group', { name: group, exact: true }).getByRole('option', { name })
}

/** Opens the search with a key and types a text. */
async function search(page: Page, text: string, key = '/'): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press(key)
  await field(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
}

suite('the search of the console', { ...options, timeout: 600_000 }, () => {
  let world: ConsoleWorld
  let userId: string
  let organizationId: string
  let projectId: string
  let appId: string
  let idpId: string

  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
    userId = await world.addPerson('kat', { profile: { firstName: 'Katherine', lastName: 'Orbital' } })
    const add = async (path: string, body: unknown, id: string) => (await world.call('POST', path, body))[id] as string
    organizationId = await add('/v2/organizations', { name: 'Orbital Ltd' }, 'organizationId')
    // In the other organization: those who may read all of them find what belongs to any.
    const there = await world.call('POST', '/management/v1/projects', { name: 'Orbital shop' }, organizationId)
    projectId = there.id as string
    const oidc = {
      name: 'Orbital web',
      redirectUris: ['https://app.example/callback'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      appType: 'OIDC_APP_TYPE_WEB',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
    }
    const app = await world.call('POST', `/management/v1/projects/${projectId}/apps/oidc`, oidc, organizationId)
    appId = app.appId as string
    const idp = { name: 'Orbital login', issuer: 'https://idp.example', clientId: 'x', clientSecret: 'y' }
    idpId = await add('/admin/v1/idps/generic_oidc', idp, 'id')
  })
  after(() => world.close())

  test('finds each kind of thing by its name, and opens it with the keyboard alone', options, async () => {
    const { page, complaints } = await world.openAs('root')
    for (const [group, name, path] of [
      ['Users', 'Katherine Orbital', `/users/${userId}`],
      ['Organizations', 'Orbital Ltd', `/organizations/${organizationId}`],
      ['Projects', 'Orbital shop', `/projects/${projectId}`],
      ['Applications', 'Orbital web', `/projects/${projectId}/applications/${appId}`],
      ['Identity providers', 'Orbital login', `/identity-providers/${idpId}`],
    ] as const) {
      await search(page, 'orbital')
      const wanted = option(page, group, new RegExp(name))
      await wanted.waitFor()
      while ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
      assert.equal(await field(page).getAttribute('aria-activedescendant'), await wanted.getAttribute('id'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      assert.equal(pathOf(page), `/ui/console${path}`)
    }
    // What was opened is offered again, the last one first.
    await search(page, '')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    assert.match((await recent.first().textContent()) ?? '', /^Orbital login/)
    assert.equal(await recent.count(), 5)
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
    // By id too.
    await search(page, userId)
    await option(page, 'Users', /Katherine/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Katherine Orbital' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('leads to the section of a setting, in whichever language it is named', options, async () => {
    const { page, complaints } = await world.openAs('root')
    await search(page, 'Falsche Passw', 'Control+k')
    await option(page, 'Settings', /^Wrong passwords/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lockout' }).and(page.locator(':focus')).waitFor()
    assert.equal(pathOf(page), '/ui/console/sign-in/passwords')
    const top = await page.getByRole('region', { name: 'Lockout' }).evaluate((part) => part.getBoundingClientRect().top)
    assert.ok(top >= 56 && top < (page.viewportSize()?.height ?? 0), `${top}`)
    await search(page, 'refresh tokens', '/')
    await option(page, 'Settings', /^Refresh tokens \(idle\)/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lifetimes' }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('keeps what is typed while it loads, and finds by the words people use', options, async () => {
    const { page, complaints } = await world.openAs('root')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isHeld = false
    await page.route('**/assets/search-dialog-*.js', async (route) => {
      isHeld = true
      await held
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('smtx')
    await page.keyboard.press('Backspace')
    while (!isHeld) await page.waitForTimeout(20)
    assert.equal(await field(page).count(), 0)
    release()
    await field(page).and(page.locator(':focus')).waitFor()
    assert.equal(await field(page).inputValue(), 'smt')
    await page.keyboard.type('p')
    assert.equal(await field(page).inputValue(), 'smtp')
    await option(page, 'Documentation', /^Set up mail/).waitFor()
    await option(page, 'Pages', /^Mail/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor()
    // The documentation opens in another tab.
    await search(page, 'prometheus')
    const opened = page.waitForEvent('popup')
    await option(page, 'Documentation', /^Observe/).click()
    assert.match((await opened).url(), /\/docs\/how-to\/observe$/)
    assert.equal(pathOf(page), '/ui/console/mail')
    assert.deepEqual(complaints, [])
  })

  test('leaves a slash in a field to the field', options, async () => {
    const { page } = await world.openAs('root', '/users')
    await page.getByRole('searchbox').click()
    await page.keyboard.type('a/b')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'a/b')
    assert.equal(await field(page).count(), 0)
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
  })

  test('never shows a late answer for another text', options, async () => {
    const { page } = await world.openAs('root')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let heldCalls = 0
    await page.route('**/signet.user.v2.UserService/ListUsers', async (route) => {
      if (route.request().postData()?.includes('katherine')) {
        heldCalls += 1
        await held
      }
      await route.continue().catch(() => {})
    })
    await search(page, 'katherine')
    while (heldCalls === 0) await page.waitForTimeout(20)
    await field(page).fill('orbital lt')
    await option(page, 'Organizations', /Orbital Ltd/).waitFor()
    release()
    await page.getByRole('status').filter({ hasText: '1 result' }).waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('option').count(), 1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('shows only what the administrator may read', options, async () => {
    const manager = await world.addAdministrator('manager', [])
    const member = { userId: manager, roles: ['ORG_USER_MANAGER'] }
    await world.call('POST', '/management/v1/orgs/me/members', member, organizationId)
    const { page } = await world.openAs('manager')
    await search(page, 'orbital')
    await option(page, 'Organizations', /Orbital Ltd/).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /result/ })
      .waitFor({ state: 'attached' })
    assert.equal(await option(page, 'Users', /Katherine/).count(), 0)
    assert.equal(await option(page, 'Identity providers', /Orbital/).count(), 0)
    await field(page).fill('web keys')
    await page.getByText('No results').waitFor()
  })

  test('can be used on a phone, at 200 % zoom and in the dark, and axe finds nothing', options, async () => {
    const { page, complaints } = await world.openAs('root')
    await search(page, 'orbital')
    await option(page, 'Users', /Katherine/).waitFor()
    assert.deepEqual(await violationsOn(page, 'search'), [])
    await page.keyboard.press('Escape')
    for (const [size, viewport] of Object.entries(NARROW)) {
      await page.setViewportSize(viewport)
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await field(page).fill('orbital')
      const wanted = option(page, 'Users', /Katherine/)
      await wanted.waitFor()
      assert.deepEqual(await violationsOn(page, `search (${size})`), [])
      const beside = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(beside <= 0, `${size}: ${beside} pixels beside the window`)
      await wanted.click()
      await page.getByRole('heading', { level: 1, name: 'Katherine Orbital' }).waitFor()
    }
    assert.deepEqual(complaints, [])
  })
})
