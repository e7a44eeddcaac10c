/**
 * Agents at the console, in a real Chromium: a project becomes an API, the instance and the project let clients in that
 * nobody prepared, they ask, and administrators see them, approve them and end their access.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { CALLBACK, CLIENT, metadataOf, openRequest, openWeb, redeemCode, tokensFor } from '../support/agents.ts'
import { openBrowser, withoutBrowser } from '../support/browser.ts'
import { needConsole, seesNotice } from '../support/console.ts'
import { ask, introspect } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { MCP } from '../support/resources.ts'
import { DESKTOP, NARROW, unreachableOn, violationsOn } from './page-checks.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }
const REQUEST = { resource: MCP, scope: 'offline_access tools:read' }

suite('agents at the console', options, () => {
  const web = openWeb()
  let world: OpenIdWorld
  let browser: Browser
  let page: Page
  let api: Application
  let projectId: string
  const complaints: string[] = []

  const visit = async (path: string, headline: string) => {
    await page.goto(`${world.url}/ui/console${path}`)
    await page.getByRole('heading', { name: headline, exact: true }).first().waitFor()
  }
  const isActive = async (token: string) => (await introspect(world, api, token)).body.active
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })

  /** Nothing on the page as it is breaks a rule or cannot be reached. */
  const passes = async (name: string) => {
    // Notices leave by themselves; until then they cover a corner of a phone.
    await page.waitForFunction(() => document.querySelector('.mantine-Notification-root') === null)
    const found = [...(await violationsOn(page, name))]
    for (const [size, viewport] of Object.entries(NARROW)) {
      await page.setViewportSize(viewport)
      await page.waitForFunction((width) => window.innerWidth === width, viewport.width)
      found.push(...(await unreachableOn(page, `${name} (${size})`)))
    }
    await page.setViewportSize(DESKTOP)
    assert.deepEqual(found, [])
  }

  before(async () => {
    await needConsole()
    world = await openOpenIdWorld({ fetchOutside: web.fetchOutside })
    web.publish(CLIENT, metadataOf(CLIENT))
    await world.addPerson('ada')
    await world.addPerson('bo')
    const userId = await world.addPerson('root')
    await world.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
    projectId = await world.addProject()
    api = await world.addApi(projectId)
    browser = await openBrowser()
    const context = await browser.newContext({ locale: 'en', viewport: DESKTOP })
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${world.url}/ui/console/projects/${projectId}?tab=api`)
    await page.getByLabel('Username').fill('root')
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Sign in')
    await page.getByRole('heading', { name: 'Resources' }).waitFor()
  })

  after(async () => {
    await browser?.close()
    await world?.dispose()
    assert.deepEqual(world?.faults, [])
    assert.deepEqual(complaints, [])
  })

  test('a project gets a resource with its scopes, by keyboard alone', options, async () => {
    const { keyboard } = page
    await page.getByText('No resources yet.').waitFor()
    await page.getByRole('button', { name: 'Add resource' }).focus()
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add resource' }).waitFor()
    await page.getByLabel('Resource URI').and(page.locator(':focus')).waitFor()
    await keyboard.type(`${MCP}?query`)
    await keyboard.press('Tab')
    await keyboard.type('tools:read')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByText('This field is required.').waitFor()
    await keyboard.type('Read your files')
    await keyboard.press('Enter')
    await page.getByText('Must not have a query, a fragment or a wildcard').waitFor()
    await page.getByLabel('Resource URI').focus()
    await keyboard.press('Control+A')
    await keyboard.type(MCP)
    await keyboard.press('Enter')
    await seesNotice(page, 'Resource added.')
    await row(MCP).getByText('Read your files').waitFor()
  })

  test('a resource is changed, made the default, and removed', options, async () => {
    await press(page, `Edit: ${MCP}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add scope' }).click()
    await dialog.getByLabel('Scope 2', { exact: true }).fill('tools:read')
    await dialog.getByLabel('Description of scope 2').fill('Change your files')
    await dialog.getByLabel('Default resource').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This scope is already in the list.').waitFor()
    assert.deepEqual(await violationsOn(page, 'resource', '.mantine-Modal-body'), [])
    await dialog.getByLabel('Scope 2', { exact: true }).fill('tools:write')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(MCP).getByText('Default').waitFor()
    await row(MCP).getByText('Change your files').waitFor()
    await page.getByRole('button', { name: 'Add resource' }).click()
    await page.getByLabel('Resource URI').fill('https://other.example/api')
    await page.getByRole('dialog').getByRole('button', { name: 'Add resource' }).click()
    await press(page, 'Remove: https://other.example/api')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Resource removed.')
    await row('https://other.example/api').waitFor({ state: 'detached' })
    await row(MCP).getByText('Default').waitFor()
  })

  test('the project and the instance let clients in that nobody prepared', options, async () => {
    await page.getByLabel('Allow clients with a metadata document').check()
    await page.getByLabel('Allow clients that registered themselves').check()
    await page.getByLabel('Let agents act on behalf of users').check()
    await page.getByText('The instance doesn’t allow these clients').waitFor()
    await passes('API of a project')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    const { project } = await world.call(ProjectService.method.getProject, { projectId }, world.owner)
    const { clientIdMetadataDocuments, dynamicRegistration, onBehalfOf } = project?.agentAccess ?? assert.fail()
    assert.deepEqual([clientIdMetadataDocuments, dynamicRegistration, onBehalfOf], [true, true, true])
    await page.getByRole('link', { name: 'Agent settings of the instance' }).click()
    await page.getByRole('heading', { name: 'Agent settings', exact: true }).waitFor()
    await page.getByLabel('Allow clients with a metadata document').check()
    await page.getByRole('combobox', { name: 'Allowed domains' }).fill('not a domain')
    await page.getByRole('combobox', { name: 'Allowed domains' }).press('Enter')
    const form = page.getByRole('form', { name: 'Clients without setup' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form
      .getByText(/not a domain must/)
      .first()
      .waitFor()
    await page.getByRole('combobox', { name: 'Allowed domains' }).press('Backspace')
    await page.getByRole('combobox', { name: 'Allowed domains' }).fill('agent.example')
    await page.getByRole('combobox', { name: 'Allowed domains' }).press('Enter')
    await page.getByLabel('Allow clients to register themselves').check()
    await page.getByLabel('Registrations per hour').fill('5')
    await form.getByRole('button', { name: 'Save' }).click()
    await seesNotice(page, 'Saved.')
    await page.getByLabel('Let agents use this server at /mcp').check()
    const mcp = page.getByRole('form', { name: 'MCP server' })
    await mcp.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Address for MCP clients', { exact: true }).waitFor()
    await passes('agent settings')
    await page.reload()
    await page.getByLabel('Registrations per hour').waitFor()
    assert.equal(await page.getByLabel('Registrations per hour').inputValue(), '5')
    await page.getByText('agent.example', { exact: true }).waitFor()
  })

  test('a client by metadata document asks, appears, and loses its access', options, async () => {
    const { access_token: token } = await tokensFor(world, CLIENT, REQUEST)
    await visit('/agents', 'Agent access')
    for (const text of ['Agent (agent.example)', 'Verified host', 'ada', MCP, 'tools:read']) {
      await row('ada').getByText(text, { exact: true }).first().waitFor()
    }
    await passes('agent access')
    await press(page, 'Remove access: Agent (agent.example), ada')
    const dialog = page.getByRole('dialog', { name: /^Remove Agent \(agent\.example\)’s access to ada/ })
    await dialog.getByRole('button', { name: 'Remove access' }).click()
    await page.getByText('No agent has access to anyone’s account.').waitFor()
    assert.equal(await isActive(token), false)
  })

  test('an approved client asks nobody, until the approval is withdrawn', options, async () => {
    await tokensFor(world, CLIENT, REQUEST)
    await visit('/agents', 'Agent access')
    await press(page, 'Approve for everyone: Agent (agent.example), ada')
    const dialog = page.getByRole('dialog')
    assert.deepEqual(await violationsOn(page, 'approval', '.mantine-Modal-body'), [])
    await dialog.getByRole('button', { name: 'Approve for everyone' }).click()
    await seesNotice(page, 'Client approved.')
    const { page: unasked } = await openRequest(world, CLIENT, REQUEST, { name: 'bo' })
    assert.ok(unasked.url.startsWith(CALLBACK), 'bo was asked')
    const { body } = await redeemCode(world, CLIENT, unasked)
    assert.equal(await isActive(body.access_token), true)
    await page.getByRole('link', { name: 'Approved clients' }).click()
    await row('Agent (agent.example)').getByText('tools:read').waitFor()
    await passes('approved clients')
    await press(page, 'Withdraw approval: Agent (agent.example)')
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw approval' }).click()
    await page.getByText('No clients approved yet.').waitFor()
    assert.equal(await isActive(body.access_token), false)
  })

  test('the account page shows the agent, and ends its access', options, async () => {
    const { access_token: token } = await tokensFor(world, CLIENT, REQUEST)
    const context = await browser.newContext({ locale: 'en', viewport: NARROW.phone })
    const account = await context.newPage()
    await account.goto(`${world.url}/ui/account`)
    await account.getByLabel('Username').fill('ada')
    await account.getByLabel('Password').fill(PASSWORD)
    await press(account, 'Sign in')
    const agent = account.getByRole('listitem').filter({ hasText: 'Agent (agent.example)' })
    await agent.getByText('Read your files').waitFor()
    assert.deepEqual(await violationsOn(account, 'account'), [])
    await agent.getByRole('button', { name: 'Remove access: Agent (agent.example)' }).click()
    await agent.waitFor({ state: 'detached' })
    assert.equal(await isActive(token), false)
    await context.close()
  })

  test('clients register with a token that is shown once, are marked, and removed together', options, async () => {
    await visit(`/projects/${projectId}?tab=api`, 'Registration tokens')
    await press(page, 'Create registration token')
    const dialog = page.getByRole('dialog', { name: 'Registration token' })
    const token = await dialog.getByLabel('Registration token', { exact: true }).inputValue()
    await dialog.getByText(/^Valid until/).waitFor()
    await dialog.getByText('You won’t be able to see it again.', { exact: false }).waitFor()
    const { body: client, status } = await ask(`${world.url}/oauth/v2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        client_name: 'Robot',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      }),
    })
    assert.equal(status, 201)
    const { access_token: given } = await tokensFor(world, client.client_id, REQUEST)
    await visit('/agents', 'Agent access')
    await row('Robot').getByText('Unverified').waitFor()
    await visit(`/projects/${projectId}?agent=registered`, 'Applications')
    await row('Robot').getByText('Self-registered').waitFor()
    await passes('self-registered applications')
    await page.getByRole('link', { name: /^Robot/ }).click()
    await page.getByRole('heading', { level: 1, name: /^Robot/ }).waitFor()
    assert.equal(await page.getByRole('tab', { name: 'Get started' }).count(), 0)
    await passes('a self-registered application')
    await page.goBack()
    await press(page, 'Remove self-registered clients')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('No results match your search and filters.').waitFor()
    assert.equal(await isActive(given), false)
  })
})
