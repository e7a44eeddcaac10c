/**
 * Shared signals at the console in a real Chromium: a stream that a receiver has set up, and a transmitter that is added,
 * paused, changed and removed.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('an administrator looks after shared signals at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('sees who set up a stream and how it is, and removes it', options, async () => {
    const { userId } = await world.call('POST', '/management/v1/users/machine', { userName: 'siem', name: 'The SIEM' })
    await world.call('POST', '/admin/v1/members', { userId, roles: ['IAM_SIGNAL_RECEIVER'] })
    const { token } = await world.call('POST', `/management/v1/users/${userId}/pats`, {})
    const send = (path: string, body: object) =>
      fetch(`${world.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const created = await send('/ssf/v1/streams', { description: 'Alarms' })
    assert.equal(created.status, 201)
    const { stream_id } = (await created.json()) as { readonly stream_id: string }
    await send('/ssf/v1/status', { stream_id, status: 'paused', reason: 'Maintenance' })

    const { page, complaints } = await world.openAs('root', '/signals')
    const row = page.getByRole('table', { name: 'Streams' }).getByRole('row').filter({ hasText: 'Alarms' })
    await row.getByRole('link', { name: 'The SIEM' }).waitFor()
    await row.getByText('Fetched by the receiver').waitFor()
    await row.getByText('Paused').waitFor()
    await row.getByText('Maintenance').waitFor()
    await row.getByRole('button', { name: 'Remove: Alarms' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Stream removed.')
    await page.getByText('No receiver has set up a stream yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('adds a transmitter, pauses it, changes it and removes it', options, async () => {
    const idp = { name: 'Partner', issuer: 'https://idp.partner.example', clientId: 'x', clientSecret: 'y' }
    await world.call('POST', '/admin/v1/idps/generic_oidc', idp)
    const { page, complaints } = await world.openAs('root', '/signals')
    await press(page, 'Add transmitter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Partner signals')
    await dialog.getByLabel('Identity provider').selectOption('Partner')
    await dialog.getByLabel('Issuer').fill('http://idp.partner.example')
    await dialog.getByLabel('URL of its keys').fill('https://idp.partner.example/keys')
    await dialog.getByRole('button', { name: 'Add transmitter' }).click()
    await dialog.getByText('must be an https URL').first().waitFor()
    await dialog.getByLabel('Issuer').fill('https://idp.partner.example')
    await dialog.getByRole('button', { name: 'Add transmitter' }).click()
    const token = await dialog.getByRole('textbox', { name: 'Token' }).inputValue()
    const endpoint = await dialog.getByRole('textbox', { name: 'URL for signals' }).inputValue()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const send = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/secevent+jwt' }
      const answer = await fetch(endpoint, { method: 'POST', headers, body: 'no token' })
      return ((await answer.json()) as { readonly err: string }).err
    }
    assert.equal(await send(), 'invalid_request')

    const row = page
      .getByRole('table', { name: 'Trusted transmitters' })
      .getByRole('row')
      .filter({ hasText: 'Partner' })
    await row.getByText('Trusted').waitFor()
    await row.getByRole('button', { name: 'Pause: Partner signals' }).click()
    await seesNotice(page, 'Transmitter paused. Its signals are refused.')
    await row.getByText('Paused').waitFor()
    assert.equal(await send(), 'access_denied')
    await row.getByRole('button', { name: 'Resume: Partner signals' }).click()
    await row.getByText('Trusted').waitFor()

    await row.getByRole('button', { name: 'Edit: Partner signals' }).click()
    await dialog.getByLabel('When an account is disabled').selectOption('Sign the user out and deactivate them')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Sign the user out and deactivate them').waitFor()
    await row.getByRole('button', { name: 'Remove: Partner signals' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await seesNotice(page, 'Transmitter removed.')
    await page.getByText('No trusted transmitters yet.').waitFor()
    assert.equal(await send(), 'authentication_failed')
    assert.deepEqual(complaints, [])
  })
})
