/** The documentation in a browser: everything from this server, nothing inline, and every link that leads to it arrives. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { DOCUMENTATION, documentationFor } from '../../console/src/shell/documentation.ts'
import { withoutBrowser } from '../support/browser.ts'
import { needDocumentation } from '../support/console.ts'
import { declaredRoutes } from './console-pages.ts'
import type { People } from './people.ts'
import { startPublicly } from './signing-in.ts'

const options = { timeout: 300_000, skip: withoutBrowser() }

suite('the documentation', options, () => {
  let people: People
  before(async () => {
    await needDocumentation()
    people = await startPublicly()
  })
  after(() => people.close())

  test('every area of the console has a page in it', options, async () => {
    const areas = new Set((await declaredRoutes()).map((route) => `/${route.split('/')[1]}`))
    assert.deepEqual(
      [...areas].filter((area) => DOCUMENTATION[area] === undefined),
      [],
    )
    for (const path of Object.keys(DOCUMENTATION)) {
      const answer = await fetch(people.url + documentationFor(path))
      assert.equal(answer.status, 200, `${path} leads to ${answer.url}`)
    }
    assert.equal(documentationFor('/users/123'), documentationFor('/users'))
    assert.notEqual(documentationFor('/users/import'), documentationFor('/users'))
  })

  test('an error of the API leads to its explanation', options, async () => {
    const { details } = (await (await fetch(`${people.url}/v2/users/1`)).json()) as {
      readonly details: readonly { readonly '@type': string; readonly links?: readonly { readonly url: string }[] }[]
    }
    const help = details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.Help')
    const { page, complaints } = await people.open({ javaScriptEnabled: true })
    await page.goto(people.url + (help?.links?.[0]?.url ?? assert.fail()))
    const row = page.getByRole('row').filter({ has: page.locator(':target') })
    await row.getByText('A valid access token is required.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test(
    'is searched without another host, in light and dark and on a phone, and axe finds nothing',
    options,
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const viewport = colorScheme === 'light' ? { width: 1280, height: 800 } : { width: 390, height: 844 }
        const { page, complaints } = await people.open({ javaScriptEnabled: true, colorScheme, viewport })
        const hosts = new Set<string>()
        page.on('request', (request) => hosts.add(new URL(request.url()).origin))
        for (const path of ['/', '/how-to/run-in-production', '/reference/configuration']) {
          await page.goto(`${people.url}/ui/docs${path}`)
          await page
            .locator('html')
            .and(page.locator(colorScheme === 'dark' ? '.dark' : ':not(.dark)'))
            .waitFor()
          const beside = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement
            return scrollWidth - clientWidth
          })
          assert.equal(beside, 0, `${path} is too wide`)
          const { violations } = await new AxeBuilder({ page }).analyze()
          assert.deepEqual(
            violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
            [],
            path,
          )
        }
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('searchbox').fill('reverse proxy')
        await page.getByRole('option').first().click()
        await page.waitForURL(/\/ui\/docs\/(how-to|guides|explanation|reference)\//)
        assert.deepEqual([...hosts], [people.url])
        assert.deepEqual(complaints, [])
        await page.context().close()
      }
    },
  )

  test('explains every error that the server can answer with, and has no machine paths', options, async () => {
    const source = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
    const codes = [...source.matchAll(/<a id="([^"]+)">/g)].map(([, code]) => code)
    assert.ok(codes.length > 300)
    const html = await (await fetch(`${people.url}/ui/docs/reference/errors`)).text()
    assert.deepEqual(
      codes.filter((code) => !html.includes(`id="${code}"`)),
      [],
    )
    assert.doesNotMatch(html, /file:\/\/|\/home\/|\/work\//)
  })
})
