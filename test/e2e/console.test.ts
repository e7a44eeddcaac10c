/** The console in a real Chromium, on a really started server: sign-in, users, and what keeps it safe. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import type { Page } from 'playwright-core'
import { ErrorDetailSchema } from '../../contract/gen/signet/v1/error_detail_pb.ts'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, chooseInUserMenu, openForm, seesNotice, startConsole } from '../support/console.ts'
import { heading, PASSWORD, pathOf, press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

/** What has the focus, by its name, and whether that can be seen; undefined when it is on no element. */
function focusOf(page: Page): Promise<{ readonly stop: string; readonly isVisible: boolean } | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return undefined
    const { outlineStyle, borderColor } = getComputedStyle(element)
    const label = (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent ?? ''
    const box = element.getBoundingClientRect()
    const isField = element.matches('input, select, textarea') && borderColor !== ''
    return {
      stop: element.getAttribute('aria-label') ?? label,
      isVisible: box.width > 0 && element.matches(':focus-visible') && (isField || outlineStyle !== 'none'),
    }
  })
}

/** Presses Tab until the element with this name has the focus. Every stop on the way must be visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  const stops: string[] = []
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab')
    const focus = await focusOf(page)
    // After the last stop, the focus is on the browser itself.
    if (focus === undefined) continue
    assert.ok(focus.isVisible, `the focus on “${focus.stop}” is not visible`)
    if (focus.stop.replace(/\s*\*$/, '').trim() === name) return
    stops.push(focus.stop)
  }
  assert.fail(`there is no way to “${name}”: ${stops.join(', ')}`)
}

/** Presses a button that asks first, and confirms. */
async function confirmed(page: Page, button: string): Promise<void> {
  await press(page, button)
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

suite('an administrator at the console', { ...options, timeout: 400_000 }, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('signs in, creates a user after a wrong address, edits and removes them', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await openForm(page, 'Create user')
    await page.getByLabel('First name').fill('Grace')
    await press(page, 'Create user')
    assert.equal(await page.getByText('This field is required.').count(), 2)
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByRole('textbox', { name: 'Email' }).fill('not an address')
    await press(page, 'Create user')
    await page.getByText(/email address$/).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid'), 'true')
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
    await press(page, 'Create user')
    await seesNotice(page, 'User created.')
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()

    await page.getByLabel('Nickname').fill('Amazing Grace')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await page.getByRole('tab', { name: 'Contact' }).click()
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'contact')
    await page.getByText('Not verified').waitFor()

    await page.getByRole('tab', { name: 'Lock and remove' }).click()
    await press(page, 'Lock')
    const question = page.getByRole('dialog', { name: 'Lock “Grace Hopper”?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Locked', { exact: true }).count(), 0)
    await confirmed(page, 'Lock')
    await page.getByText('Locked', { exact: true }).waitFor()
    // The notice above the tabs has such a button, too.
    await page.getByRole('alert', { name: 'Locked by an administrator' }).waitFor()
    await page.getByRole('region', { name: 'Lock and remove' }).getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('Locked', { exact: true }).waitFor({ state: 'detached' })
    await confirmed(page, 'Deactivate')
    await page.getByText('Deactivated', { exact: true }).waitFor()
    await press(page, 'Remove')
    const dialog = page.getByRole('dialog', { name: 'Remove “Grace Hopper”?' })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'User removed.')
    await page.waitForURL(/\/ui\/console\/users$/)
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Grace Hopper' }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('keeps the place after a reload, without being asked again', options, async () => {
    const userId = await world.addPerson('reload')
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=contact`)
    await page.getByRole('tab', { name: 'Contact', selected: true }).waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Contact', selected: true }).waitFor()
    assert.equal(pathOf(page), `/ui/console/users/${userId}`)
    const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
    assert.doesNotMatch(stored, /token|verifier/)
    assert.deepEqual(complaints, [])
  })

  test('creates and removes a user with the keyboard alone, and always sees where the focus is', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    const { keyboard } = page
    await tabTo(page, 'Create user')
    await keyboard.press('Enter')
    await page.getByLabel('First name').waitFor()
    for (const [label, text] of [
      ['First name', 'Annie'],
      ['Last name', 'Easley'],
      ['Email', 'annie@example.com'],
    ] as const) {
      await tabTo(page, label)
      await keyboard.type(text)
    }
    await tabTo(page, 'Create user')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Annie Easley' }).waitFor()
    await page.getByRole('tab', { name: 'Profile', selected: true }).waitFor()
    await tabTo(page, 'Profile')
    // Arrows move within a list of tabs, and from the first to the last one.
    await keyboard.press('ArrowLeft')
    await page.getByRole('tab', { name: 'Lock and remove', selected: true }).waitFor()
    await tabTo(page, 'Remove')
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Remove “Annie Easley”?' })
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove', exact: true }).and(page.locator(':focus-visible')).waitFor()
    await keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await tabTo(page, 'Remove')
    await keyboard.press('Enter')
    await seesNotice(page, 'User removed.')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('searches, filters and sorts a list whose address can be shared', options, async () => {
    await world.addPerson('keyboard-person', { profile: { firstName: 'Katherine', lastName: 'Johnson' } })
    const { page, complaints } = await world.openAs('root', '/users?q=keyboard&type=human&sort=created&order=desc&x=1')
    await page.getByRole('table').waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    assert.equal(await page.getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort'), 'descending')
    await page.getByRole('searchbox').fill('no such person')
    await press(page, 'Clear search and filters')
    await page.getByRole('link', { name: 'Katherine Johnson' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), null)
    assert.deepEqual(complaints, [])
  })

  test('reads it in German and in the dark, and signs out', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users')
    await chooseInUserMenu(page, 'Dark')
    await chooseInUserMenu(page, 'Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    await page.getByRole('button', { name: /^Menü von/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.waitForURL(/\/ui\/login/)
    assert.deepEqual(complaints, [])
  })

  test('is told when the connection is lost, and continues when it is back', options, async () => {
    const { page } = await world.openAs('root', '/users')
    await page.getByRole('table').waitFor()
    await page.route('**/signet.*/**', (route) => route.abort())
    await page.getByRole('searchbox').fill('ada')
    const notice = page.getByRole('alert').filter({ hasText: 'Your changes aren’t saved.' })
    await notice.waitFor()
    const asksAgain = page.waitForRequest('**/signet.*/**')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await asksAgain
    // From here on it may find the server by itself at any moment, and the button goes away with the notice.
    await page.unroute('**/signet.*/**')
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('table').waitFor()
  })

  test('gets everything again when the connection is back, also what had given up by then', options, async () => {
    const { page } = await world.openAs('root', '/users')
    await page.getByRole('table').waitFor()
    const gaveUp = Promise.withResolvers<void>()
    let phase: 'lost' | 'half back' | 'back' = 'lost'
    let tries = 0
    await page.route('**/signet.*/**', async (route) => {
      if (phase === 'lost') return route.abort()
      // The list is tried three times; all others are answered after that.
      if (phase === 'half back' && /ListUsers|SearchUsers/.test(route.request().url())) {
        if (++tries === 3) phase = 'back'
        await route.abort()
        if (phase === 'back') gaveUp.resolve()
        return
      }
      await gaveUp.promise
      return route.continue()
    })
    await page.getByRole('searchbox').fill('ada')
    const notice = page.getByRole('alert').filter({ hasText: 'Your changes aren’t saved.' })
    await notice.waitFor()
    phase = 'half back'
    await gaveUp.promise
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('table').waitFor()
  })

  test('sees an unknown page and an unknown user explained', options, async () => {
    const { page } = await world.openAs('root', '/no/such/page')
    assert.equal(await heading(page), 'Page not found')
    await page.goto(`${world.url}/ui/console/users/1`)
    await page.getByRole('alert').filter({ hasText: 'Not found' }).waitFor()
  })

  test(
    'with the right to read alone has no buttons to change, and one without roles has no pages',
    options,
    async () => {
      const userId = await world.addAdministrator('viewer', ['IAM_OWNER_VIEWER'])
      const { page, complaints } = await world.openAs('viewer', `/users/${userId}`)
      await page.getByRole('tab', { name: 'Profile' }).waitFor()
      const tabs = await page.getByRole('tab').allTextContents()
      assert.ok(tabs.includes('Contact') && !tabs.includes('Password') && !tabs.includes('Lock and remove'))
      assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByRole('table').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Create user' }).count(), 0)
      await world.addAdministrator('guest', [])
      const guest = await world.openAs('guest', '/users')
      assert.equal(await heading(guest.page), 'No administrator role')
      assert.deepEqual([...complaints, ...guest.complaints], [])
    },
  )

  test('confirms who they are where a fresh sign-in is needed, and is back on the same page', options, async () => {
    const userId = await world.addPerson('confirmed')
    const { page } = await world.openAs('root', `/users/${userId}?tab=danger`)
    const detail = toBinary(ErrorDetailSchema, create(ErrorDetailSchema, { id: 'access.sign_in_again', message: 'x' }))
    const value = Buffer.from(detail).toString('base64')
    const body = { code: 'permission_denied', details: [{ type: 'signet.v1.ErrorDetail', value }] }
    await page.route('**/LockUser', (route) => route.fulfill({ status: 403, json: body }))
    await confirmed(page, 'Lock')
    await page.waitForURL(/\/ui\/login/)
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Continue')
    await seesNotice(page, 'You’re signed in again.')
    await page.getByRole('tab', { name: 'Lock and remove', selected: true }).waitFor()
    assert.equal(pathOf(page), `/ui/console/users/${userId}`)
    await page.unroute('**/LockUser')
    await confirmed(page, 'Lock')
    await page.getByText('Locked', { exact: true }).waitFor()
  })

  test('cannot lock or deactivate themselves', options, async () => {
    const userId = await world.addAdministrator('myself')
    const { page } = await world.openAs('myself', `/users/${userId}?tab=danger`)
    await page.getByText('You can’t lock or deactivate yourself.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Lock|Deactivate)$/ }).count(), 0)
  })

  test('continues when the token has expired, because it is renewed', options, async () => {
    const settings = { idTokenLifetime: '60s', refreshTokenIdleExpiration: '3600s', refreshTokenExpiration: '7200s' }
    await world.call('PUT', '/admin/v1/settings/oidc', { ...settings, accessTokenLifetime: '2s' })
    const { page, complaints } = await world.openAs('root', '/users')
    await page.getByRole('table').waitFor()
    await page.waitForTimeout(2500)
    const renewed = page.waitForRequest((request) => request.postData()?.includes('refresh_token') === true)
    await page.getByRole('searchbox').fill('ada')
    await renewed
    await page.getByRole('table').waitFor()
    assert.deepEqual(complaints, [])
  })
})
