/** Webhooks at the console, in a real Chromium, with a real receiver: add, test, deliver, fail, send again, remove. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { openReceiver } from '../support/receiver.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('an administrator adds a webhook at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole({ SIGNET_ALLOW_PRIVATE_NETWORK: 'true' })
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('which is tested, gets events, and gets one again on request', options, async (t) => {
    const receiver = await openReceiver()
    t.after(() => receiver.close())
    const { page, complaints } = await world.openAs('root', '/webhooks')
    await page.getByRole('link', { name: 'Add webhook' }).click()
    await page.getByLabel('Name').fill('Audit')
    await page.getByLabel('URL').fill('ftp://hooks.example')
    await press(page, 'Add webhook')
    await page.getByText('must be an https URL').first().waitFor()
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Event types').fill('project.*')
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
})
