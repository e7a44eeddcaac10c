/** Identity providers without a client at the console, in a real Chromium. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

async function seesTitle(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

suite('an administrator of identity providers at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world?.close())

  test(
    'adds a directory and a page that signs tokens, reads what is wrong at its field, and changes them',
    options,
    async () => {
      const { page, complaints } = await world.openAs('root', '/identity-providers/new')
      await page.getByRole('link', { name: 'LDAP' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Staff directory')
      await press(page, 'Add LDAP')
      // Servers, base, bind DN and password; the others have usual values.
      assert.equal(await page.getByText('This field is required.').count(), 4)
      await page.getByRole('combobox', { name: 'Servers' }).fill('https://ldap.example.com')
      await page.getByRole('combobox', { name: 'Servers' }).press('Enter')
      await page.getByLabel('Base DN').fill('dc=example,dc=com')
      await page.getByLabel('Bind DN').fill('cn=reader,dc=example,dc=com')
      await page.getByRole('textbox', { name: 'Bind password' }).fill('secret')
      await page.getByLabel('First name').fill('no name')
      await press(page, 'Add LDAP')
      await page.getByText('Must be an ldap or ldaps URL of a host, without a path').waitFor()
      await page.getByText('Must be the name of an attribute').waitFor()
      await page.getByRole('combobox', { name: 'Servers' }).press('Backspace')
      await page.getByRole('combobox', { name: 'Servers' }).fill('ldaps://ldap.example.com')
      await page.getByRole('combobox', { name: 'Servers' }).press('Enter')
      await page.getByLabel('First name').fill('givenName')
      await press(page, 'Add LDAP')
      await seesTitle(page, 'Staff directory')
      assert.equal(await page.getByLabel('First name').inputValue(), 'givenName')
      await page.getByLabel('Base DN').fill('ou=people,dc=example,dc=com')
      await press(page, 'Save')
      await seesNotice(page, 'Saved.')

      await page.goto(new URL('new/jwt', `${page.url().split('/identity-providers')[0]}/identity-providers/`).href)
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Portal')
      await page.getByLabel('Issuer').fill('https://portal.example')
      await page.getByRole('textbox', { name: 'Sign-in page' }).fill('https://portal.example/signet')
      await page.getByLabel('Keys endpoint').fill('http://portal.example/keys')
      await page.getByLabel('Header').fill('X-Portal-Token')
      await press(page, 'Add JWT')
      await page.getByText('Must be an https URL unless it is on this machine').waitFor()
      await page.getByLabel('Keys endpoint').fill('https://portal.example/keys')
      await press(page, 'Add JWT')
      await seesTitle(page, 'Portal')
      assert.deepEqual(complaints, [])
    },
  )
})
