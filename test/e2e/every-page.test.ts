/**
 * Every page, console and hosted: axe finds nothing in light and dark, nothing is cut off on a phone and at 200 % zoom, and
 * a lost connection is explained. Names and texts contain markup, which must appear as text.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWindow, type ConsoleWorld, startConsole } from '../support/console.ts'
import { addressesOf, CANARY, declaredRoutes, startTour, type Tour } from './console-pages.ts'
import { linkIn } from './people.ts'

const options = { timeout: 900_000, skip: withoutBrowser() }

const ofPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE = readFileSync(ofPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

const DESKTOP = { width: 1280, height: 800 }
const NARROW = {
  '200 % zoom': { width: 640, height: 400 },
  phone: { width: 390, height: 844 },
}

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds on a page or in a part of it, in both color schemes. Only contrast depends on the scheme. */
async function violationsOn(page: Page, name: string, part = 'html'): Promise<readonly string[]> {
  const found: string[] = []
  // Once for each document: reading axe takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await page.evaluate(
      async ({ selector, rules }) => {
        const { axe } = globalThis as unknown as {
          axe: { run(...given: unknown[]): Promise<{ violations: Finding[] }> }
        }
        const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) }
        // Colors change slowly; they start with the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        await Promise.allSettled(
          document
            .getAnimations()
            .map(({ effect, finished }) =>
              effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY ? undefined : finished,
            ),
        )
        const { violations: all } = await axe.run(document.querySelector(selector), options)
        return all.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) }))
      },
      { selector: part, rules: colorScheme === 'dark' ? ['color-contrast'] : undefined },
    )
    for (const { id, nodes } of violations) found.push(`${name} (${colorScheme}): ${id}: ${nodes.join(' | ')}`)
  }
  return found
}

/** What cannot be reached on a page as wide as the window: parts beside it, a hidden tab, covered buttons and links. */
function unreachableOn(page: Page, name: string): Promise<readonly string[]> {
  return page.evaluate(async (place) => {
    const problems: string[] = []
    // The navigation closes slowly when the window becomes narrow.
    await Promise.allSettled(
      document
        .getAnimations()
        .map(({ effect, finished }) =>
          effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY ? undefined : finished,
        ),
    )
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) problems.push(`${place}: ${scrollWidth} pixels wide`)
    const isBeside = ({ left, right }: DOMRect) => left < -1 || right > clientWidth + 1
    const tab = document.querySelector('.scrolling-tabs :is([aria-selected=true], [aria-current])')
    if (tab !== null && isBeside(tab.getBoundingClientRect())) problems.push(`${place}: ${tab.textContent} is hidden`)
    for (const control of document.querySelectorAll('main :is(button, a[href])')) {
      if (!control.checkVisibility() || control.closest('.scrolling-tabs') !== null) continue
      control.scrollIntoView({ block: 'center', behavior: 'instant' })
      // A link of several lines is not in the middle of its box.
      const [box] = control.getClientRects()
      if (box === undefined || box.width === 0) continue
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
      const isOnTop = top !== null && (control.contains(top) || top.contains(control))
      if (isBeside(box) || !isOnTop) problems.push(`${place}: ${control.outerHTML.slice(0, 160)}`)
    }
    window.scrollTo(0, 0)
    return problems
  }, name)
}

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
      for (const path of Object.values(addresses).flat()) {
        await page.setViewportSize(DESKTOP)
        await tour.visit(path)
        found.push(...(await violationsOn(page, path)))
        const [, ...tabs] = await tour.tabs()
        for (const tab of tabs) {
          await tour.visitTab(path, tab)
          found.push(...(await violationsOn(page, `${path} ${tab}`, '[role=tabpanel]')))
        }
        for (const [size, viewport] of Object.entries(NARROW)) {
          await page.setViewportSize(viewport)
          await tour.visit(path)
          found.push(...(await unreachableOn(page, `${path} (${size})`)))
          for (const tab of tabs) {
            await tour.visitTab(path, tab)
            found.push(...(await unreachableOn(page, `${path} ${tab} (${size})`)))
          }
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
    assert.equal(areas.length, 13)
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
