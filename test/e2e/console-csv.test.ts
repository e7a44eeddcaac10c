/** Files in the console: what a CSV file of users, or a realm of Keycloak, would bring is shown before it is imported. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, startConsole } from '../support/console.ts'

const options = { timeout: 300_000, skip: withoutBrowser() }

async function chooseFile(page: Page, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'CSV or NDJSON file' }).click(),
  ])
  await chooser.setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

suite('a file', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test(
    'of users in CSV is shown with its errors before anything is written, imported, and exported',
    options,
    async () => {
      const { page, complaints } = await world.openAs('root', '/users/import')
      await chooseFile(page, 'given_name;emial\r\nAda;ada@example.com')
      await page.getByText('This file can’t be imported').waitFor()
      assert.ok(await page.getByRole('button', { name: 'Start import' }).isDisabled())

      await chooseFile(page, 'First Name,Last Name,Email Address,Last Sign In\r\nGo,Ogle,go@example.com,never')
      await page.getByText('This file can’t be imported').waitFor()
      const preset = page.getByRole('combobox', { name: 'Product that wrote the file' })
      await preset.click()
      await page.getByRole('option', { name: 'Google Workspace' }).click()
      await page.getByText('1 users can be imported, 0 rows have errors.').waitFor()
      await preset.click()
      await page.getByRole('option', { name: /^None/ }).click()

      const rows = [
        'csv-ada;=Ada;Lovelace;csv-ada@example.com;true',
        'csv-b;;B;b@example.com;',
        'csv-c;C;"C\r\nC";c@example.com;perhaps',
      ]
      await chooseFile(page, `username;given_name;family_name;email;email_verified\r\n${rows.join('\r\n')}`)
      await page.getByText('1 users can be imported, 2 rows have errors.').waitFor()
      const table = page.getByRole('table', { name: 'Errors in the file' })
      await table.getByRole('row').filter({ hasText: 'given_name' }).getByText('3', { exact: true }).waitFor()
      await table.getByRole('row').filter({ hasText: 'email_verified' }).getByText('4', { exact: true }).waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
      )

      await page.getByRole('button', { name: 'Start import' }).click()
      await page.getByText(/1 created, 0 existed already, 0 failed/).waitFor()
      await page.getByRole('link', { name: /← Users/ }).click()
      await page.getByRole('link', { name: '=Ada Lovelace' }).waitFor()

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      const [header = '', ...exported] = (await readFile(await download.path(), 'utf8')).split('\r\n')
      assert.match(header, /^\ufeffuser_id,organization_id,username,given_name,family_name,/)
      const row = exported.find((line) => line.includes('csv-ada')) ?? assert.fail()
      assert.match(row, /,csv-ada,'=Ada,Lovelace,,'=Ada Lovelace,csv-ada@example\.com,true,/)
      assert.deepEqual(complaints, [])
    },
  )

  test('of another product is tried on a copy first, then imported, with a report', options, async () => {
    const { page, complaints } = await world.openAs('root', '/settings/import')
    const people = ['ada', 'bob'].map((name) => ({
      ...{ id: `kc-${name}`, username: `kc-${name}`, enabled: true, email: `kc-${name}@example.com` },
      ...{ firstName: 'From', lastName: 'Keycloak', groups: ['/Team'] },
    }))
    const realm = { id: 'realm-walk', realm: 'walk', groups: [{ id: 'team-walk', name: 'Team' }], users: people }
    const upload = async (text: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: /^File of the realm/ }).click(),
      ])
      await chooser.setFiles({ name: 'walk.json', mimeType: 'application/json', buffer: Buffer.from(text) })
      await Promise.all([
        page.waitForResponse((response) => response.url().includes('/v2/import/files')),
        page.getByRole('button', { name: 'Upload', exact: true }).click(),
      ])
      await page.getByText(/^Uploaded: walk\.json/).waitFor()
    }
    await upload(JSON.stringify(realm).slice(0, -10))
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('alert').filter({ hasText: 'realm.json' }).waitFor()
    await upload(JSON.stringify(realm))
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('Nothing was changed. This is what the import would do.').waitFor()
    const report = page.getByRole('table', { name: 'What became of everything' })
    await report.getByRole('row', { name: /^People 2 0 0/ }).waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    )
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Everything was imported that could be. The files were removed.').waitFor()
    await page.reload()
    await report.getByRole('row', { name: /^Members of groups 2 0 0/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the report (JSON)' }).click(),
    ])
    const { source, kinds } = JSON.parse(await readFile(await download.path(), 'utf8'))
    assert.deepEqual([source, kinds.human.carried], ['keycloak', 2])
    await page.getByRole('button', { name: 'Discard everything' }).click()
    await report.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})
