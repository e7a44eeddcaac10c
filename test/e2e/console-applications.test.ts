/** The page of all applications at the console, in a real Chromium: whichever project they belong to. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, startConsole } from '../support/console.ts'
import { pathOf } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('the applications and the areas of the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('shows what the chosen organization has, with projects, and creates one with one click', options, async () => {
    const add = async (path: string, body: unknown, id: string, organizationId?: string) =>
      (await world.call('POST', path, body, organizationId))[id] as string
    const other = await add('/v2/organizations', { name: 'Elsewhere' }, 'organizationId')
    for (const [project, name, organizationId] of [
      ['Shop', 'Orders API', undefined],
      ['Depot', 'Stock API', other],
    ] as const) {
      const projectId = await add('/management/v1/projects', { name: project }, 'id', organizationId)
      const api = { name, authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' }
      await add(`/management/v1/projects/${projectId}/apps/api`, api, 'appId', organizationId)
    }
    const { page, complaints } = await world.openAs('root')
    await page.getByRole('navigation').getByRole('link', { name: 'Applications', exact: true }).click()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Orders API').getByRole('link', { name: 'Shop' }).waitFor()
    await row('Stock API').getByRole('link', { name: 'Depot' }).waitFor()
    await page.goto(`${world.url}/ui/console/applications?org=${other}`)
    await row('Stock API').getByRole('link', { name: 'Depot' }).waitFor()
    assert.equal(await row('Orders API').count(), 0)
    await page.getByRole('link', { name: 'Create application' }).click()
    await page.getByRole('heading', { level: 1, name: 'Protect an app' }).waitFor()
    assert.equal(pathOf(page), '/ui/console/protect-an-app')
    assert.deepEqual(complaints, [])
  })

  test('has all areas in sight on a screen of 720 pixels, large enough to touch', options, async () => {
    const { page, complaints } = await world.openAs('root')
    await page.setViewportSize({ width: 1280, height: 720 })
    const areas = page.getByRole('navigation').getByRole('link')
    await areas.last().waitFor()
    const boxes = await areas.evaluateAll((links) =>
      links.map((link) => {
        const { bottom, height } = link.getBoundingClientRect()
        return { bottom, height }
      }),
    )
    assert.ok(boxes.length >= 20)
    for (const { bottom, height } of boxes) {
      assert.ok(bottom <= 720, `an area ends at ${bottom}`)
      assert.ok(height >= 24, `an area is ${height} high`)
    }
    assert.deepEqual(complaints, [])
  })
})
