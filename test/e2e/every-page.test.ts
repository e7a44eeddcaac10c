/**
 * Every page, console and hosted: axe finds nothing in light and dark, nothing is cut off on a phone and at 200 % zoom, and
 * a lost connection is explained. Names and texts contain markup, which must appear as text.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWindow, type ConsoleWorld, startConsole } from '../support/console.ts'
import { addressesOf, CANARY, declaredRoutes, startTour, type Tour } from './console-pages.ts'
import { DESKTOP, NARROW, unreachableOn, violationsOn } from './page-checks.ts'
import { linkIn } from './people.ts'

const options = { timeout: 900_000, skip: withoutBrowser() }

suite('every page', { ...options, timeout: 1_800_000 }, () => {
  let world: ConsoleWorld
  let window: ConsoleWindow
  let tour: Tour
  let addresses: Readonly<Record<string, readonly string[]>>

  before(async () => {
    world = await startConsole()
    const userId = await world.addAdministrator('root')
    addresses = await addressesOf(world, userId)
    window = await world.openAs('root', '', { deviceScaleFactor: 2, viewport: DESKTOP })
    tour = startTour(window.page)
  })
  after(() => world.close())

  test('of the console is in this list', options, async () => {
    assert.deepEqual(Object.keys(addresses).sort(), await declaredRoutes())
  })

  test(
    'of the console has no violation, and all of it can be reached at 200 % zoom and on a phone',
    options,
    async () => {
      const { page, complaints } = window
      const found: string[] = []
      const look = async (name: string, part?: string) => {
        found.push(...(await violationsOn(page, name, part)))
        for (const [size, viewport] of Object.entries(NARROW)) {
          await page.setViewportSize(viewport)
          await tour.settle()
          found.push(...(await unreachableOn(page, `${name} (${size})`)))
        }
        await page.setViewportSize(DESKTOP)
      }
      for (const path of Object.values(addresses).flat()) {
        await tour.visit(path)
        await look(path)
        const [, ...tabs] = await tour.tabs()
        for (const tab of tabs) {
          await tour.visitTab(path, tab)
          await look(`${path} ${tab}`, '[role=tabpanel]')
        }
      }
      assert.deepEqual(found, [])
      assert.deepEqual(complaints, [])
    },
  )

  test('of the console explains a lost connection, and works again when it is back', options, async () => {
    const { page, complaints } = window
    await page.setViewportSize(DESKTOP)
    // Nothing of the pages is in the memory of the console.
    await page.goto(`${world.url}/ui/console/no-such-page`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    const areas = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    assert.equal(areas.length, 20)
    const notice = page.getByRole('alert').filter({ hasText: 'Your changes aren’t saved.' })
    const main = page.getByRole('main')
    for (const area of areas) {
      const path = area.replace('/ui/console', '')
      await page.route('**/signet.*/**', (route) => route.abort())
      await tour.visit(path)
      await notice.waitFor()
      assert.notEqual((await main.textContent())?.replace((await notice.textContent()) ?? '', ''), '', path)
      await page.unroute('**/signet.*/**')
      // It may have found the server by itself.
      await notice
        .getByRole('button', { name: 'Try again' })
        .click({ timeout: 2000 })
        .catch(() => {})
      await notice.waitFor({ state: 'detached' })
      await main.getByText('Try again').first().waitFor({ state: 'detached' })
      await tour.settle()
      await main.getByRole('heading', { level: 1 }).waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  test(
    'that is hosted has no violation, and all of it can be reached at 200 % zoom and on a phone',
    options,
    async () => {
      const { page, complaints } = window
      const found: string[] = []
      const visit = async (path: string) => {
        await page.setViewportSize(DESKTOP)
        await page.goto(path.startsWith('http') ? path : `${world.url}${path}`)
        const name = path.replace(world.url, '').replace(/\?.*/, '')
        found.push(...(await violationsOn(page, name)))
        for (const [size, viewport] of Object.entries(NARROW)) {
          await page.setViewportSize(viewport)
          found.push(...(await unreachableOn(page, `${name} (${size})`)))
        }
      }
      await world.addPerson('invited', { profile: { firstName: CANARY, lastName: 'Canary' } })
      const mail = await world.nextMail('invited@example.com')
      const account = ['', '/profile', '/contact?kind=email', '/contact?kind=phone', '/picture', '/delete', '/password']
      await visit(world.inboxUrl)
      for (const path of [
        ...account.map((path) => `/ui/account${path}`),
        ...['/ui/account/keys?use=passkey', '/ui/account/keys?use=second_factor'],
        ...['/ui/login/accounts', '/device', '/ui/logout', '/inbox', `/inbox?mail=${mail.id}`],
        ...['/no-such-page', '/oauth/v2/authorize'],
      ]) {
        await visit(path)
      }
      await page.context().clearCookies()
      for (const path of [
        ...[
          '/',
          '/ui/login',
          '/forgot-password',
          '/ui/register',
          '/verify-email',
          '/reset-password',
          '/ui/logout/done',
        ],
        ...[world.setupUrl, linkIn(mail)],
      ]) {
        await visit(path)
      }
      assert.deepEqual(found, [])
      assert.deepEqual(complaints, [])
    },
  )
})
