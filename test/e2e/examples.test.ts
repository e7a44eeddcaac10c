/** The examples, as their README starts them: the web app and the single-page app in Chromium, the API and the machine. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { type People, startPeople } from './people.ts'
import { addPersonWithPassword, heading, PASSWORD, press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }
const folder = fileURLToPath(new URL('../../examples/', import.meta.url))
const run = promisify(execFile)

async function localhost(): Promise<string> {
  return `http://localhost:${await freePort()}`
}

suite('the examples', options, () => {
  let people: People
  let dataDir: string
  let settings: Readonly<Record<string, string | undefined>>
  const servers: ChildProcess[] = []

  const runExample = async (file: string): Promise<string> =>
    (await run(process.execPath, [join(folder, file)], { env: { ...process.env, ...settings } })).stdout

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'signet-examples-'))
    const own = await localhost()
    people = await startPeople({
      SIGNET_LISTEN: own.replace('http://', '').replace('localhost', '127.0.0.1'),
      SIGNET_EXTERNAL_URL: own,
      SIGNET_DATA_DIR: dataDir,
    })
    await addPersonWithPassword(people, 'ada')
    settings = {
      SIGNET_URL: own,
      SIGNET_DATA_DIR: dataDir,
      WEB_APP: await localhost(),
      SPA: await localhost(),
      API: await localhost(),
      MCP: await localhost(),
    }
    settings = parseEnv(await runExample('set-up.ts'))
    for (const file of ['web-app/server.ts', 'single-page-app/server.ts', 'api/server.ts']) {
      const server = spawn(process.execPath, [join(folder, file)], {
        env: { ...process.env, ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      servers.push(server)
      await once(server.stdout, 'data')
    }
  })

  after(async () => {
    for (const server of servers) server.kill()
    await people.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const signIn = async (page: Page) => {
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
  }

  test('the web app shows its page to a user who signed in, until they sign out', options, async () => {
    const home = `${settings.WEB_APP}/`
    const { page } = await people.open()
    await page.goto(home)
    assert.equal(await heading(page), 'Please sign in')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page)
    await page.waitForURL(home)
    assert.equal(await heading(page), 'Hello Ada Lovelace')
    assert.ok(await page.getByText('ada@example.com').isVisible())
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.waitForURL(home)
    assert.equal(await heading(page), 'Please sign in')
    // Signet has forgotten the user as well.
    await page.getByRole('link', { name: 'Sign in' }).click()
    assert.ok(await page.getByLabel('Username').isVisible())
  })

  test(
    'the single-page app signs a user in and calls the API with a token that the API verifies',
    options,
    async () => {
      const home = `${settings.SPA}/`
      const { page, complaints } = await people.open({ javaScriptEnabled: true })
      await page.goto(home)
      await press(page, 'Sign in')
      await signIn(page)
      await page.getByRole('heading', { name: 'Hello Ada Lovelace' }).waitFor()
      assert.equal(page.url(), home)
      await press(page, 'Call the API')
      await page.getByText('lake.jpg').waitFor()
      assert.match((await page.locator('#answer').textContent()) ?? '', /"how":"signature"/)
      await press(page, 'Sign out')
      await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
      assert.deepEqual(complaints, [])
    },
  )

  test('the machine calls the API with a token that the API asks about', options, async () => {
    const said = await runExample('machine/call.ts')
    assert.match(said, /^200 .*"how":"introspection"/)
  })

  test(
    'the API refuses calls without a token, with a wrong one, and with a token of another audience',
    options,
    async () => {
      const { accessToken } = await (async () => {
        const { userId } = await people.call('POST', '/management/v1/users/machine', {
          userName: 'other',
          name: 'Other',
        })
        const { clientSecret } = await people.call('POST', `/v2/users/${userId}/secret`, {})
        const answer = await fetch(`${settings.ISSUER}/oauth/v2/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`other:${clientSecret}`).toString('base64')}` },
          body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid' }),
        })
        return { accessToken: ((await answer.json()) as { readonly access_token: string }).access_token }
      })()
      for (const authorization of ['', 'Bearer wrong', 'Bearer a.b.c', `Bearer ${accessToken}`]) {
        const answer = await fetch(`${settings.API}/photos`, { headers: { authorization } })
        assert.equal(answer.status, 401, authorization)
      }
    },
  )
})
