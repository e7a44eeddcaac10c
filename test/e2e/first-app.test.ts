/**
 * Protect an app, in a real Chromium: from the first page of the console to a sign-in at an app that really runs, in at most
 * 8 clicks and 3 minutes. Then with the keyboard alone, on a phone, zoomed, and with everything that can go wrong on the way.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, startConsole } from '../support/console.ts'
import { freePort } from '../support/free-port.ts'
import { serviceProvider } from '../support/service-provider.ts'
import { DESKTOP, NARROW, unreachableOn, violationsOn } from './page-checks.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }
const snippets = fileURLToPath(new URL('../../packages/create/frameworks/', import.meta.url))

suite('protecting an app', { ...options, timeout: 1_200_000 }, () => {
  let world: ConsoleWorld
  const apps: ChildProcess[] = []

  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(async () => {
    for (const app of apps) app.kill()
    await world.close()
  })

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

  /** The file that the page lets people download. */
  const downloadEnv = async (page: Page, button: () => Promise<void>): Promise<string> => {
    const coming = page.waitForEvent('download')
    await button()
    const download = await coming
    assert.equal(download.suggestedFilename(), 'app.env')
    return download.path()
  }

  const runSnippet = async (file: string, envFile: string, env: Readonly<Record<string, string>> = {}) => {
    const app = spawn(process.execPath, [`--env-file=${envFile}`, `${snippets}${file}`], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    apps.push(app)
    await once(app.stdout, 'data')
  }

  test('takes at most 8 clicks and 3 minutes, to the first real sign-in', options, async () => {
    const { page, complaints } = await world.openAs('root')
    const address = `http://localhost:${await freePort()}`
    const startedAt = Date.now()
    let clicks = 0
    const click = async (target: Locator) => {
      clicks += 1
      await target.click()
    }
    await click(page.getByRole('link', { name: 'Protect an app' }))
    await heading(page, 'Protect an app')
    await click(page.getByRole('link', { name: /^Node\.js/ }))
    await heading(page, 'Protect an app: Node.js')
    // The name has the focus; the address is reached with the keyboard.
    await page.keyboard.type('Photo album')
    await page.keyboard.press('Tab')
    await page.keyboard.type(address)
    const redirectUri = page.getByRole('textbox', { name: 'Redirect URIs 1', exact: true })
    assert.equal(await redirectUri.inputValue(), `${address}/callback`)
    await click(page.getByRole('button', { name: 'Create app' }))
    await heading(page, 'Photo album is ready')
    const file = await downloadEnv(page, () => click(page.getByRole('button', { name: 'Download .env' })))
    const shown = await page.getByRole('region', { name: 'app.js' }).textContent()
    assert.equal(`${shown}\n`, await readFile(`${snippets}node/files/app.js`, 'utf8'))

    await click(page.getByRole('button', { name: 'Try sign-in' }))
    await page.getByText('Sign-in works').waitFor()
    const userinfo = JSON.parse((await page.getByRole('region', { name: 'Userinfo' }).textContent()) ?? '')
    assert.equal(userinfo.preferred_username, 'root')
    // A trial is no sign-in to the app.
    await page.getByText('Waiting for the first sign-in from your app…').waitFor()

    await runSnippet('node/files/app.js', file)
    const app = await page.context().newPage()
    await app.goto(address)
    await click(app.getByRole('link', { name: 'Sign in' }))
    await heading(app, 'Hello Ada Lovelace')
    await page.bringToFront()
    await page.getByText('Your app works: Ada Lovelace signed in.').waitFor()
    assert.ok(clicks <= 8, `${clicks} clicks`)
    assert.ok(Date.now() - startedAt < 180_000, `${Date.now() - startedAt} ms`)
    console.log(`${clicks} clicks, ${Math.round((Date.now() - startedAt) / 1000)} s`)
    await app.getByRole('link', { name: 'Sign out' }).click()
    await heading(app, 'Please sign in')
    assert.deepEqual(complaints, [])
  })

  test('shows the secret in view and asks before it is lost', options, async () => {
    const { page, complaints } = await world.openAs('root', '/protect-an-app')
    await page.getByRole('link', { name: /^Express/ }).click()
    await page.setViewportSize({ width: 1280, height: 500 })
    await page.getByLabel('Name').fill('Ledger')
    await page.getByRole('button', { name: 'Create app' }).click()
    const secret = page.getByRole('textbox', { name: 'Client secret' })
    await secret.waitFor()
    const value = await secret.inputValue()
    const box = (await secret.boundingBox()) ?? assert.fail('the secret is not visible')
    assert.ok(box.y > 56 && box.y + box.height < 500, `the secret is at ${box.y}`)
    assert.ok(await secret.evaluate((field) => field === document.activeElement))
    const leave = () => page.getByRole('link', { name: 'Open application' }).click()
    await leave()
    const dialog = page.getByRole('dialog', { name: 'Leave without copying the secret?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await secret.inputValue(), value)
    await page.goBack()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await secret.inputValue(), value)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy Client secret' }).click()
    await leave()
    await heading(page, 'Ledger')
    // Later, everything is there but the secret.
    const env = (await page.getByRole('region', { name: '.env' }).textContent()) ?? ''
    assert.match(env, /^ISSUER_BASE_URL=/)
    assert.match(env, /\nCLIENT_SECRET=YOUR_CLIENT_SECRET\n/)
    assert.doesNotMatch(await page.content(), new RegExp(value))
    await page.getByLabel('Framework').selectOption('python')
    await page.getByRole('region', { name: 'app.py' }).waitFor()
    await page.getByRole('button', { name: 'Copy prompt' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const prompt = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(prompt, /^Add sign-in with Signet to this app\.[\s\S]*### app\.py/)
    assert.ok(!prompt.includes(value))
    assert.deepEqual(complaints, [])
  })

  test('says why a trial fails, and makes the project once', options, async () => {
    const { page, complaints } = await world.openAs('root', '/protect-an-app?framework=react')
    await page.getByLabel('Name').fill('Garden')
    await page.getByRole('button', { name: 'Create app' }).click()
    await heading(page, 'Garden is ready')
    const { result } = await world.call('POST', '/management/v1/projects/_search', {})
    const all = result as unknown as readonly { readonly id: string; readonly name: string }[]
    const [project, second] = all.filter(({ name }) => name === 'My apps')
    assert.equal(second, undefined, 'the project of the first app is used again')
    const change = (projectRoleCheck: boolean) =>
      world.call('PUT', `/management/v1/projects/${project?.id}`, { name: 'My apps', projectRoleCheck })
    await change(true)
    await page.getByRole('button', { name: 'Try sign-in' }).click()
    await page.getByRole('alert').filter({ hasText: 'The sign-in failed' }).waitFor()
    await change(false)
    await page.getByRole('button', { name: 'Try sign-in' }).click()
    await page.getByText('Sign-in works').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('works with the keyboard alone', options, async () => {
    const { page, complaints } = await world.openAs('root')
    const tabTo = async (target: Locator) => {
      for (let presses = 0; presses < 80; presses += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      assert.fail(`${target} is not reached with the keyboard`)
    }
    await tabTo(page.getByRole('link', { name: 'Protect an app' }))
    await page.keyboard.press('Enter')
    await heading(page, 'Protect an app')
    await tabTo(page.getByRole('link', { name: /^API/ }))
    await page.keyboard.press('Enter')
    await heading(page, 'Protect an app: API')
    const address = `http://localhost:${await freePort()}`
    await page.keyboard.type('Weather')
    await page.keyboard.press('Tab')
    await page.keyboard.type(address)
    await page.keyboard.press('Enter')
    await heading(page, 'Weather is ready')
    assert.equal(
      await page.evaluate(() => document.activeElement?.tagName),
      'INPUT',
      'the secret has the focus after the form was sent',
    )
    const download = page.getByRole('button', { name: 'Download .env' })
    const file = await downloadEnv(page, async () => {
      await tabTo(download)
      await page.keyboard.press('Enter')
    })
    await runSnippet('api/files/api.js', file)
    const userName = 'robot'
    const machine = await world.call('POST', '/management/v1/users/machine', {
      userName,
      name: 'R',
      accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
    })
    const { clientSecret } = await world.call('PUT', `/management/v1/users/${machine.userId}/secret`, {})
    const statusWith = async (method: string, asked: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${world.url}/oauth/v2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${userName}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...asked }),
      })
      const { access_token: token } = (await answer.json()) as { readonly access_token: string }
      const called = await fetch(address, { method, headers: { authorization: `Bearer ${token}` } })
      return [called.status, called.headers.get('www-authenticate')]
    }
    assert.deepEqual(await statusWith('GET', { resource: address }), [200, null])
    assert.deepEqual(
      await statusWith('POST', { resource: address }),
      [200, null],
      'it asks whether the token is active',
    )
    // A token for the whole project is none for this API.
    const { result } = await world.call('POST', '/management/v1/projects/_search', {})
    const [project] = result as unknown as readonly { readonly id: string }[]
    const scope = `openid urn:zitadel:iam:org:project:id:${project?.id}:aud`
    assert.deepEqual(await statusWith('GET', { scope }), [401, 'Bearer error="invalid_token"'])
    assert.equal((await fetch(address)).status, 401)
    assert.deepEqual(complaints, [])
  })

  test(
    'ends at a page without violations, all of which can be reached at 200 % zoom and on a phone',
    options,
    async () => {
      const { page, complaints } = await world.openAs('root', '/protect-an-app?framework=next', { viewport: DESKTOP })
      await page.getByLabel('Name').fill('Notes')
      await page.getByRole('button', { name: 'Create app' }).click()
      await heading(page, 'Notes is ready')
      await page.getByRole('region', { name: 'app/page.js' }).waitFor()
      await page.getByRole('button', { name: 'Try sign-in' }).click()
      await page.getByText('Sign-in works').waitFor()
      const found = [...(await violationsOn(page, 'ready'))]
      for (const [size, viewport] of Object.entries(NARROW)) {
        await page.setViewportSize(viewport)
        found.push(...(await unreachableOn(page, `ready (${size})`)))
      }
      const back = await page.context().newPage()
      await back.goto(`${world.url}/ui/console/try`)
      await heading(back, 'You’re done here')
      found.push(...(await violationsOn(back, 'the end of a trial')))
      assert.deepEqual(found, [])
      assert.deepEqual(complaints, [])
    },
  )

  test('with SAML is created from pasted metadata, says what the product needs, and is renamed', options, async () => {
    const { id: projectId } = await world.call('POST', '/management/v1/projects', { name: 'Products' })
    const { page, complaints } = await world.openAs('root', `/projects/${projectId}/applications/new`)
    await page.getByRole('radio', { name: 'SAML' }).check()
    await page.getByLabel('Name').fill('Wiki')
    await page.getByRole('radio', { name: 'Paste XML' }).check()
    const xml = page.getByLabel('Metadata XML')
    await xml.fill('<EntityDescriptor/>')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()
    // A product that publishes no metadata shows two values.
    const entityId = 'https://wiki.example.com/saml'
    await page.getByRole('radio', { name: 'Entity ID and ACS URL' }).check()
    await page.getByLabel('Entity ID of the product').fill(entityId)
    await page.getByRole('textbox', { name: 'ACS URL' }).fill('not a URL')
    await page.getByRole('button', { name: 'Create application' }).click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await page.getByRole('textbox', { name: 'ACS URL' }).fill(`${entityId}/first?a=1&b=2`)
    await page.getByRole('button', { name: 'Create application' }).click()
    await heading(page, 'Wiki')
    assert.equal(await page.getByRole('textbox', { name: 'ACS URL' }).inputValue(), `${entityId}/first?a=1&b=2`)
    assert.equal(await page.getByLabel('Entity ID of the service provider', { exact: true }).inputValue(), entityId)
    const values = page.getByRole('region', { name: 'What the service provider needs' })
    const field = (name: string) => values.getByLabel(name, { exact: true }).inputValue()
    const { issuer } = (await (await fetch(`${world.url}/ui/console/environment.json`)).json()) as { issuer: string }
    assert.equal(await field('Entity ID (issuer)'), `${issuer}/saml/v2/metadata`)
    assert.equal(await field('Logout URL (SLO)'), `${issuer}/saml/v2/SLO`)
    await values.getByLabel('Product', { exact: true }).selectOption('Salesforce')
    assert.equal(await field('Identity Provider Login URL'), `${issuer}/saml/v2/SSO`)
    assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Settings', 'Sign-ins', 'Deactivate and remove'])

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Handbook')
    await page.getByRole('radio', { name: 'Paste XML' }).check()
    await xml.fill(serviceProvider(entityId))
    await page.getByRole('checkbox', { name: /^Let users start here/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Handbook')
    await page.getByText(`${entityId}/acs`, { exact: true }).waitFor()
    assert.match(await page.getByLabel('Start URL', { exact: true }).inputValue(), /\/saml\/v2\/start\/\d+$/)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download certificate' }).click()
    assert.match(await readFile(await (await coming).path(), 'utf8'), /^-----BEGIN CERTIFICATE-----/)
    assert.deepEqual(complaints, [])
  })
})
