/**
 * What connects a server with others, at the console in a real Chromium. Webhooks with a real receiver: add, test, deliver,
 * fail, send again, remove. Directory sync with real requests: a token, what was refused and why, the end of the token.
 * Actions: a target, its key, and when it is called.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { openReceiver } from '../support/receiver.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('an administrator connects the server at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole({ SIGNET_ALLOW_PRIVATE_NETWORK: 'true' })
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('adds a webhook, which is tested, gets events, and gets one again on request', options, async (t) => {
    const receiver = await openReceiver()
    t.after(() => receiver.close())
    const { page, complaints } = await world.openAs('root', '/webhooks')
    await page.getByRole('link', { name: 'Add webhook' }).click()
    // The list that is left has a field to search by name.
    await page.getByRole('heading', { level: 1, name: 'Add webhook' }).waitFor()
    await page.getByLabel('Name').fill('Audit')
    await page.getByLabel('URL').fill('ftp://hooks.example')
    await press(page, 'Add webhook')
    await page.getByText('must be an https URL').first().waitFor()
    await page.getByLabel('URL').fill(receiver.url)
    const types = page.getByRole('combobox', { name: 'Event types' })
    await types.fill('project was created')
    await page.getByRole('option', { name: /\(project\.added\)$/ }).waitFor()
    await types.fill('project.*')
    await page.getByRole('option', { name: 'project.*', exact: true }).click()
    await types.press('Escape')
    await press(page, 'Add webhook')
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
    assert.match(secret, /^whsec_/)
    await page.getByRole('link', { name: 'Continue' }).click()

    await press(page, 'Send test')
    await page.getByText('The endpoint accepted the test (HTTP 204).').waitFor()
    receiver.answer = () => ({ status: 500, body: 'out of order' })
    await press(page, 'Send test')
    await page.getByText('The endpoint did not accept the test: HTTP 500').waitFor()
    receiver.answer = () => 200

    await world.call('POST', '/management/v1/projects', { name: 'Told' })
    await receiver.count(3)
    const { body, headers } = receiver.received.at(-1) ?? assert.fail()
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { readonly type: string }
    assert.match(event.type, /^project\./)

    const row = page.getByRole('row').filter({ hasText: event.type }).first()
    await row.getByRole('button', { name: 'Request' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Told').first().waitFor()
    const before = receiver.received.length
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await seesNotice(page, 'The events are being sent again.')
    await receiver.count(before + 1)
    assert.equal(receiver.received.at(-1)?.headers['webhook-id'], headers['webhook-id'])

    await press(page, 'Pause')
    await seesNotice(page, 'Webhook paused.')
    await press(page, 'Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Webhook removed.')
    assert.deepEqual(complaints, [])
  })

  test('connects a directory, sees why a request was refused, and revokes the token', options, async () => {
    const { page, complaints } = await world.openAs('root', '/directory-sync')
    await page.getByRole('heading', { level: 1, name: 'Directory sync' }).waitFor()
    const address = await page.getByRole('textbox', { name: 'SCIM base URL' }).inputValue()
    const tokens = page.getByRole('region', { name: 'Tokens' })
    await tokens.getByLabel('Directory').fill('Okta of the group')
    await tokens.getByRole('button', { name: 'Create token' }).click()
    const token = await tokens.getByRole('textbox', { name: 'Token' }).inputValue()
    const send = async (path: string, body?: unknown) =>
      (
        await fetch(`${address}${path}`, {
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        })
      ).status
    const user = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...{ userName: 'synced', name: { givenName: 'Ada', familyName: 'Synced' } },
      emails: [{ value: 'synced@example.com', primary: true }],
    }
    assert.deepEqual([await send('/Users', user), await send('/Users', user)], [201, 409])
    const requests = page.getByRole('table', { name: 'Last requests' })
    const refused = requests.getByRole('row').filter({ hasText: '409 uniqueness' })
    await refused.getByText('The username is already taken.').waitFor()
    await refused.getByText('Okta of the group').waitFor()

    const connect = page.getByRole('region', { name: 'Connect your directory' })
    await connect.getByRole('combobox', { name: 'Directory' }).selectOption('Microsoft Entra ID')
    await connect.getByText('“Tenant URL”').waitFor()

    await tokens.getByRole('button', { name: 'Remove: Okta of the group' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Token revoked.')
    await tokens.getByText('No token yet.').waitFor()
    assert.equal(await send('/Users'), 401)
    await requests.getByRole('row').filter({ hasText: '401' }).getByText('No valid token').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('adds a target, says when it is called, and replaces its key', options, async (t) => {
    const receiver = await openReceiver()
    t.after(() => receiver.close())
    const { page, complaints } = await world.openAs('root', '/actions')
    await page.getByRole('link', { name: 'Add target' }).click()
    // The list that is left has a field to search by name.
    await page.getByRole('heading', { level: 1, name: 'Add target' }).waitFor()
    await page.getByLabel('Name').fill('Billing')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Type').selectOption('Asynchronous: do not wait')
    await press(page, 'Add target')
    const first = await page.getByRole('textbox', { name: 'Signing key' }).inputValue()
    assert.match(first, /^whsec_/)
    await page.getByRole('link', { name: 'Continue' }).click()
    await press(page, 'Create new signing key')
    await seesNotice(page, 'New signing key created.')
    const key = await page.getByRole('textbox', { name: 'Signing key' }).inputValue()
    assert.notEqual(key, first)

    await page.getByRole('link', { name: '← Actions' }).click()
    await press(page, 'Add execution')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Which').selectOption('Event types that begin with')
    await dialog.getByLabel('Event types that begin with').fill('project')
    await dialog.getByRole('combobox', { name: 'Targets' }).fill('Billing')
    await page.getByRole('option', { name: 'Billing' }).click()
    // The list stays open over the button as long as its field has the focus.
    await dialog.getByRole('combobox', { name: 'Targets' }).press('Tab')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await seesNotice(page, 'Execution saved.')
    await page.getByText('After the event project').waitFor()
    await world.call('POST', '/management/v1/projects', { name: 'Called' })
    await receiver.count(1)
    const { body, headers } = receiver.received[0] ?? assert.fail()
    new Webhook(key).verify(body, headers as Record<string, string>)

    const row = page.getByRole('row').filter({ hasText: 'After the event project' })
    await row.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Execution removed.')
    await page.getByRole('link', { name: 'Billing' }).click()
    await press(page, 'Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Target removed.')
    assert.deepEqual(complaints, [])
  })
})
