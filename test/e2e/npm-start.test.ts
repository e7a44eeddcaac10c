/** The way of a new operator in the browser alone: from `npm start` to an example app that only signed-in users can open. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutBrowser } from '../support/browser.ts'
import { openForm, startConsole } from '../support/console.ts'
import { freePort } from '../support/free-port.ts'
import { heading, PASSWORD, press } from './signing-in.ts'

const WEB_APP = fileURLToPath(new URL('../../examples/web-app/server.ts', import.meta.url))

// The whole way takes less than three minutes, with a browser that waits for everything that it shows.
const options = { timeout: 600_000, skip: withoutBrowser() }

suite('from npm start to the example app', options, () => {
  test('a new operator sets up, creates a project and an application, and signs in at the app', options, async (t) => {
    const startedAt = performance.now()
    const world = await startConsole()
    t.after(() => world.close())
    const { page, complaints } = await world.open({ javaScriptEnabled: true })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.url })

    await page.goto(world.setupUrl)
    await page.getByLabel('Email address').fill('admin@example.com')
    await press(page, 'Use a password instead')
    await page.getByLabel('New password').fill(PASSWORD)
    await press(page, 'Set password')
    await page.getByRole('link', { name: 'Open the console' }).click()

    await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await openForm(page, 'Create project')
    await page.getByLabel('Name').fill('Examples')
    await press(page, 'Create project')
    await page.getByRole('heading', { level: 1, name: 'Examples' }).waitFor()
    const app = `http://localhost:${await freePort()}`
    await openForm(page, 'Create application')
    await page.getByLabel('Name').fill('Web app')
    await page.getByRole('textbox', { name: 'Redirect URIs 1', exact: true }).fill(`${app}/callback`)
    await page.getByRole('textbox', { name: 'Redirect URIs after sign-out 1', exact: true }).fill(`${app}/`)
    await press(page, 'Create application')

    const copied = async (label: string): Promise<string> => {
      await press(page, `Copy ${label}`)
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const example = spawn(process.execPath, [WEB_APP], {
      env: {
        ...process.env,
        ISSUER: world.url,
        WEB_APP: app,
        WEB_APP_CLIENT_ID: await copied('Client ID'),
        WEB_APP_CLIENT_SECRET: await copied('Client secret'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => example.kill())
    await once(example.stdout, 'data')

    await page.goto(app)
    assert.equal(await heading(page), 'Please sign in')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(`${app}/`)
    assert.equal(await heading(page), 'Hello Administrator')
    await page.getByText('admin@example.com').waitFor()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
    await page.getByRole('heading', { name: 'Hello Administrator' }).waitFor()
    assert.deepEqual(complaints, [])
    t.diagnostic(`from the start to the protected page: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  })
})
