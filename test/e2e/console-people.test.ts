/** The first page, the audit and the rest of the pages of users at the console, in a real Chromium. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { heading, press, signInWith } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

/** Presses "Remove" in the dialog that names something. */
async function confirmRemoval(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Remove “${name}”?` })
  await dialog.getByRole('button', { name: 'Remove' }).click()
}

async function downloadBy(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await download.path(), 'utf8')
}

suite('an administrator looks after people at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('sees the last days on the first page, and what is not set up', options, async () => {
    const visitor = await world.open({ javaScriptEnabled: true })
    await signInWith(world, visitor.page, 'root', 'a wrong password')
    const { page, complaints } = await world.openAs('root')
    await page.getByRole('heading', { level: 1, name: 'Welcome, Ada Lovelace' }).waitFor()
    const figure = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd')
    assert.ok(Number(await figure('Users').textContent()) >= 2)
    assert.ok(Number(await figure('Sign-ins, last 7 days').textContent()) >= 1)
    assert.ok(Number(await figure('Failures, last 7 days').textContent()) >= 1)
    const list = page.getByRole('region', { name: 'Before you go live' })
    await list.getByText('To do: Mail server').waitFor()
    await list.getByText('To do: Public address').waitFor()
    await list.getByText('To do: Second administrator').waitFor()
    assert.match((await list.getByRole('link', { name: 'Your passkey' }).getAttribute('href')) ?? '', /\/ui\/account/)
    await page.getByRole('region', { name: 'Server' }).getByText('Ready', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('ends the sessions of a person, one and then all', options, async () => {
    const userId = await world.addAdministrator('busy', [])
    for (let count = 0; count < 3; count++) {
      const window = await world.open({ javaScriptEnabled: true })
      await signInWith(world, window.page, 'busy')
      await window.page.waitForURL(/\/ui\/account/)
    }
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=sessions`)
    const ends = page.getByRole('button', { name: /^End session on/ })
    await ends.first().waitFor()
    assert.equal(await ends.count(), 3)
    await ends.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await seesNotice(page, 'Session ended.')
    await press(page, 'End all sessions')
    const dialog = page.getByRole('dialog', { name: 'End all sessions of “Ada Lovelace”?' })
    await dialog.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('The user isn’t signed in anywhere.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('removes a second factor, and passes on a link for a passkey and an invitation', options, async () => {
    const userId = await world.addPerson('factors', { email: { email: 'factors@example.com', isVerified: true } })
    await world.call('POST', `/v2/users/${userId}/otp_email`, {})
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=methods`)
    await page.getByText('No passkeys.').waitFor()
    await page.getByRole('button', { name: 'Remove: Code by email' }).click()
    await confirmRemoval(page, 'Code by email')
    await seesNotice(page, 'Second factor removed.')
    await page.getByText('No second factors.').waitFor()
    await press(page, 'Show registration link')
    const link = await page.getByLabel('Registration link', { exact: true }).inputValue()
    await press(page, 'Show invitation link')
    const invitation = await page.getByLabel('Invitation link', { exact: true }).inputValue()
    const visitor = await world.open({ javaScriptEnabled: true })
    for (const address of [link, invitation]) {
      const answer = await visitor.page.goto(address)
      assert.equal(answer?.status(), 200, address)
    }
    assert.deepEqual(complaints, [])
  })

  test('gives, changes and takes roles of a project and of an administrator', options, async () => {
    const userId = await world.addPerson('roles')
    const { id: projectId } = await world.call('POST', '/management/v1/projects', { name: 'Shop' })
    for (const key of ['buyer', 'seller']) {
      await world.call('POST', `/management/v1/projects/${projectId}/roles`, { roleKey: key, displayName: key })
    }
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=authorizations`)
    await page.getByText('This user has no authorizations.').waitFor()
    await press(page, 'Add authorization')
    await press(page, 'Add')
    await page.getByText('This field is required.').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Add authorization' })
    await dialog.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await dialog.getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: 'buyer (buyer)' }).click()
    await page.keyboard.press('Escape')
    await press(page, 'Add')
    await seesNotice(page, 'Authorization added.')
    await page.getByRole('cell', { name: 'buyer' }).waitFor()
    await press(page, 'Edit: Shop')
    await page.getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: 'seller (seller)' }).click()
    await page.keyboard.press('Escape')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await page.getByRole('cell', { name: 'buyer seller' }).waitFor()
    await press(page, 'Remove: Shop')
    await confirmRemoval(page, 'Shop')
    await page.getByText('This user has no authorizations.').waitFor()

    await page.getByRole('tab', { name: 'Administrator roles' }).click()
    await press(page, 'Add administrator role')
    await press(page, 'Add')
    await page.getByText('Choose at least one role.').waitFor()
    await page.getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: 'IAM_OWNER_VIEWER' }).click()
    await page.keyboard.press('Escape')
    await press(page, 'Add')
    await seesNotice(page, 'Roles added.')
    await press(page, 'Remove: The whole server')
    await confirmRemoval(page, 'The whole server')
    await page.getByText('This user has no administrator roles.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('makes a group with users and roles, which its users have through it', options, async () => {
    const userId = await world.addPerson('grouped')
    const { id: projectId } = await world.call('POST', '/management/v1/projects', { name: 'Warehouse' })
    await world.call('POST', `/management/v1/projects/${projectId}/roles`, { roleKey: 'packer', displayName: 'packer' })
    const { page, complaints } = await world.openAs('root', '/groups')
    await page.getByText('No groups yet.').waitFor()
    await page.getByRole('link', { name: 'Create group' }).click()
    // The list that is left has a field to search by name.
    await page.getByRole('heading', { level: 1, name: 'Create group' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Packers')
    await page.getByRole('textbox', { name: 'Description' }).fill('Pack things')
    await press(page, 'Create group')
    await page.getByRole('heading', { level: 1, name: 'Packers' }).waitFor()
    await press(page, 'Add user')
    const adding = page.getByRole('dialog', { name: 'Add user' })
    await adding.getByRole('combobox', { name: 'User' }).fill('grouped')
    await page.getByRole('option', { name: /grouped/ }).click()
    await adding.getByRole('button', { name: 'Add user' }).click()
    await seesNotice(page, 'User added to the group.')
    await page.getByRole('tab', { name: 'Roles' }).click()
    await page.getByText('This group has no authorizations.').waitFor()
    await press(page, 'Add authorization')
    const dialog = page.getByRole('dialog', { name: 'Add authorization' })
    await dialog.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: 'Warehouse' }).click()
    await dialog.getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: 'packer (packer)' }).click()
    await page.keyboard.press('Escape')
    await press(page, 'Add')
    await seesNotice(page, 'Authorization added.')

    const person = await world.openAs('root', `/users/${userId}?tab=authorizations`)
    await person.page.getByRole('cell', { name: 'packer', exact: true }).waitFor()
    await person.page.getByRole('cell', { name: 'Packers', exact: true }).waitFor()
    assert.equal(await person.page.getByRole('button', { name: 'Remove: Warehouse' }).count(), 0)
    await person.page.getByRole('tab', { name: 'Groups' }).click()
    await person.page.getByRole('button', { name: 'Remove: Packers' }).click()
    await confirmRemoval(person.page, 'Packers')
    await seesNotice(person.page, 'User removed from the group.')
    await person.page.getByText('This user isn’t in any group.').waitFor()
    assert.deepEqual([...complaints, ...person.complaints], [])
  })

  test('sets, changes and removes metadata, also binary, and reads it all in the history', options, async () => {
    const userId = await world.addPerson('noted')
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=metadata`)
    await page.getByText('No metadata.').waitFor()
    const form = page.getByRole('region', { name: 'Set metadata' })
    await press(page, 'Set metadata')
    assert.equal(await form.getByText('This field is required.').count(), 2)
    await form.getByLabel('Key').fill('blob')
    await form.getByRole('textbox', { name: 'Value' }).fill('not base64!')
    await form.getByLabel('Binary value (base64)').check()
    await press(page, 'Set metadata')
    await form.getByText('This isn’t valid base64.').waitFor()
    await form.getByRole('textbox', { name: 'Value' }).fill('AP8=')
    await press(page, 'Set metadata')
    await seesNotice(page, 'Metadata saved.')
    await page.getByRole('cell', { name: 'AP8=' }).waitFor()
    await form.getByLabel('Key').fill('color')
    await form.getByRole('textbox', { name: 'Value' }).fill('<b>grün</b>')
    await press(page, 'Set metadata')
    await page.getByRole('cell', { name: '<b>grün</b>' }).waitFor()
    await press(page, 'Edit: color')
    assert.equal(await form.getByRole('textbox', { name: 'Value' }).inputValue(), '<b>grün</b>')
    await press(page, 'Remove: color')
    await confirmRemoval(page, 'color')
    await seesNotice(page, 'Metadata removed.')

    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('button', { name: /created the user Ada Lovelace$/ }).click()
    const drawer = page.getByRole('dialog', { name: 'user.human_added.v1' })
    assert.match((await drawer.locator('pre').textContent()) ?? '', /"userName": "noted"/)
    assert.deepEqual(complaints, [])
  })

  test('gives a machine a key, a token and a secret, each shown once, and takes them back', options, async () => {
    const { userId } = await world.call('POST', '/management/v1/users/machine', { userName: 'robot', name: 'Robot' })
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=keys`)
    await page.getByLabel('Token expires on').fill('2001-01-01')
    await press(page, 'Add token')
    await page.getByText('This date is in the past.').waitFor()
    await page.getByLabel('Token expires on').fill('2099-12-31')
    await press(page, 'Add token')
    const token = await page.getByLabel('Token', { exact: true }).inputValue()
    const asMachine = await fetch(`${world.url}/v2/users/${userId}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(asMachine.status, 200)
    await press(page, 'Add key')
    await seesNotice(page, 'Key added.')
    const file = JSON.parse(await downloadBy(page, () => press(page, 'Download key file')))
    assert.equal(file.userId, userId)
    assert.match(file.key, /PRIVATE KEY/)
    await press(page, 'Generate secret')
    assert.ok((await page.getByRole('textbox', { name: 'Client secret' }).inputValue()).length > 20)
    await page.reload()
    await press(page, 'Remove: Client secret')
    await confirmRemoval(page, 'Client secret')
    await seesNotice(page, 'Secret removed.')
    assert.equal(await page.getByLabel('Token', { exact: true }).count(), 0)
    for (const [title, empty] of [
      ['Keys', 'No keys.'],
      ['Personal access tokens', 'No tokens.'],
    ] as const) {
      const section = page.getByRole('region', { name: title, exact: true })
      await section.getByRole('button', { name: /^Remove:/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await section.getByText(empty).waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  test('is reminded of tokens with all power that never expire, and renews one', options, async () => {
    const machine = { userName: 'keeper', name: 'Keeper' }
    const { userId } = await world.call('POST', '/management/v1/users/machine', machine)
    await world.call('POST', '/admin/v1/members', { userId, roles: ['IAM_OWNER'] })
    const { token: old } = await world.call('POST', `/management/v1/users/${userId}/pats`, {})
    const { page, complaints } = await world.openAs('root')
    const notice = page.getByRole('region', { name: 'Administrator tokens that never expire' })
    const row = notice.getByRole('row').filter({ hasText: 'Keeper' })
    await row.getByText('Not yet').waitFor()
    // The tests themselves use the token of the first start, which was made a moment ago.
    const first = notice.getByRole('row').filter({ hasNotText: 'Keeper' }).last()
    await first.locator('time').nth(1).waitFor()
    const status = async (token: unknown) =>
      (await fetch(`${world.url}/v2/users/${userId}`, { headers: { authorization: `Bearer ${token}` } })).status
    assert.equal(await status(old), 200)
    await page.reload()
    await row.locator('time').nth(1).waitFor()
    await row.getByRole('link', { name: 'Renew or remove' }).click()
    await page.getByText('Never', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Renew: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Renew', exact: true }).click()
    await seesNotice(page, 'Token removed.')
    const renewed = await page.getByLabel('Token', { exact: true }).inputValue()
    assert.deepEqual([await status(old), await status(renewed)], [401, 200])
    await page.getByText('Never', { exact: true }).waitFor({ state: 'detached' })
    await page.goto(`${world.url}/ui/console`)
    await notice.getByRole('row').first().waitFor()
    assert.equal(await row.count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('invites a person by email or with a link', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users/invite')
    await page.getByLabel('First name').fill('Grace')
    await press(page, 'Invite user')
    assert.equal(await page.getByText('This field is required.').count(), 2)
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
    await press(page, 'Invite user')
    await page.getByText('the invitation is in the inbox of this server').waitFor()
    const mail = await world.nextMail('grace@example.com')
    assert.match(mail.text, /accept-invitation/)
    await press(page, 'Invite another one')
    await page.getByLabel('First name').fill('Joan')
    await page.getByLabel('Last name').fill('Clarke')
    await page.getByRole('textbox', { name: 'Email' }).fill('joan@example.com')
    await page.getByLabel('shown to me, so that I pass the link on').check()
    await press(page, 'Invite user')
    const link = await page.getByLabel('Invitation link', { exact: true }).inputValue()
    const visitor = await world.open()
    await visitor.page.goto(link)
    assert.doesNotMatch(await heading(visitor.page), /not valid|error/i)
    assert.deepEqual(complaints, [])
  })

  test('imports a file, and gets the lines that failed', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users/import')
    const line = (number: number, more = {}) =>
      JSON.stringify({
        userId: `import-${number}`,
        username: `import-${number}`,
        profile: { givenName: 'Import', familyName: String(number) },
        email: { email: `import-${number}@example.com`, isVerified: true },
        ...more,
      })
    const lines = Array.from({ length: 450 }, (_, index) => line(index + 1))
    const bad = line(300, { email: { email: 'no address' } })
    lines[299] = bad
    lines[10] = ''
    const file = { name: 'people.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) }
    assert.ok(await page.getByRole('button', { name: 'Start import' }).isDisabled())
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'NDJSON file' }).click(),
    ])
    await chooser.setFiles(file)
    await press(page, 'Start import')
    await page.getByText('450 lines: 448 created, 0 existed already, 1 failed').waitFor({ timeout: 60_000 })
    await page.getByRole('table', { name: 'Failed lines' }).getByRole('cell', { name: '300' }).waitFor()
    assert.equal(await downloadBy(page, () => press(page, 'Download failed lines')), `${bad}\n`)
    const reasons = JSON.parse(await downloadBy(page, () => press(page, 'Download reasons')))
    assert.equal(reasons.line, 300)
    await press(page, 'Start import')
    await page.getByText('450 lines: 0 created, 448 existed already, 1 failed').waitFor({ timeout: 60_000 })
    assert.deepEqual(complaints, [])
  })

  test('filters the audit, follows it live, opens an event and exports what is shown', options, async () => {
    const userId = await world.addPerson('watched')
    const { page, complaints } = await world.openAs(
      'root',
      `/audit/events?aggregate=${userId}&type=user.human_added.v1`,
    )
    await page.getByRole('button', { name: / created the user Ada Lovelace$/ }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await page.getByRole('combobox', { name: 'Type of event' }).fill('')
    await page.keyboard.press('Tab')
    await page.goto(`${world.url}/ui/console/audit/events?aggregate=${userId}`)
    await page.getByRole('switch', { name: 'Live' }).check()
    await page.getByText('Waiting for new events …').waitFor()
    await world.call('POST', `/v2/users/${userId}/lock`, {})
    await page.getByRole('button', { name: / locked Ada Lovelace$/ }).click()
    await page.getByRole('dialog', { name: 'user.locked.v1' }).waitFor()
    await page.keyboard.press('Escape')
    const exportAs = async (form: string) => {
      await press(page, 'Export')
      return downloadBy(page, () => page.getByRole('menuitem', { name: `Export as ${form}` }).click())
    }
    const exported = await exportAs('NDJSON')
    assert.match(await exportAs('CSV'), /^sequence,time,actorId,.*\r\n\d+,\d{4}-.*user\.human_added\.v1/)
    const events = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(events[0].type.type, 'user.human_added.v1')
    assert.ok(events.some(({ type }) => type.type === 'user.locked.v1'))
    assert.ok(events.every(({ aggregate }) => aggregate.id === userId))
    await page.getByRole('combobox', { name: 'About' }).fill('no-such-object')
    await page.getByRole('option', { name: 'Use ID “no-such-object”' }).click()
    await press(page, 'Clear search and filters')
    await page.getByRole('row').nth(5).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('without the rights has no buttons, no log and no figures', options, async () => {
    const userId = await world.addAdministrator('reader', ['IAM_OWNER_VIEWER'])
    const reader = await world.openAs('reader', `/users/${userId}?tab=metadata`)
    await reader.page.getByText('No metadata.').waitFor()
    assert.equal(await reader.page.getByRole('button', { name: 'Set metadata' }).count(), 0)
    await reader.page.getByRole('tab', { name: 'Sign-in methods' }).click()
    await reader.page.getByText('No passkeys.').waitFor()
    assert.equal(await reader.page.getByRole('button', { name: /link|Remove/ }).count(), 1)
    await reader.page.getByRole('tab', { name: 'Administrator roles' }).click()
    await reader.page.getByRole('cell', { name: 'IAM_OWNER_VIEWER' }).waitFor()
    assert.equal(await reader.page.getByRole('button', { name: /^(Add|Edit|Remove)/ }).count(), 0)

    await world.addAdministrator('manager', ['IAM_USER_MANAGER'])
    const manager = await world.openAs('manager')
    await manager.page.getByText('To do: Your passkey').waitFor()
    assert.equal(await manager.page.getByText('Mail server').count(), 0)
    // They may end sessions, and hence see sign-ins, but not the log.
    await manager.page.getByRole('link', { name: 'Audit' }).click()
    await manager.page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor()
    assert.equal(await manager.page.getByRole('link', { name: 'All events' }).count(), 0)
    await manager.page.goto(`${world.url}/ui/console/audit/events`)
    await manager.page.getByRole('alert').filter({ hasText: 'No permission' }).waitFor()
    assert.deepEqual([...reader.complaints, ...manager.complaints], [])
  })
})
