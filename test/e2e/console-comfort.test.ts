/** What makes the console hard to use wrongly: unsaved changes, the organization in the address, several tabs, own texts. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, chooseInUserMenu, seesNotice, startConsole } from '../support/console.ts'
import { pathOf, press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

const orgOf = (page: Page) => new URL(page.url()).searchParams.get('org')

function navigate(page: Page, name: string): Promise<void> {
  return page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click()
}

suite('an administrator at the console, comfortably', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('changes the texts of the hosted pages, sees them before, and takes them back', options, async () => {
    const { page, complaints } = await world.openAs('root', '/branding/texts')
    const heading = page.getByLabel('Heading: Sign in', { exact: true })
    await heading.fill('Welcome to ACME')
    await page.getByRole('figure', { name: /Welcome to ACME/ }).waitFor()
    const lead = page.getByLabel('Heading: Sign in to {{.ApplicationName}}', { exact: true })
    await lead.fill('Nice to see you.')
    await press(page, 'Save')
    await page.getByText('Must contain {{.ApplicationName}}').waitFor()
    assert.equal(await lead.getAttribute('aria-invalid'), 'true')
    await lead.fill('On to {{.ApplicationName}}, then.')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')

    const visitor = await world.open({ javaScriptEnabled: true })
    await visitor.page.goto(`${world.url}/ui/login?lang=en`)
    await visitor.page.getByRole('heading', { level: 1, name: 'Welcome to ACME' }).waitFor()
    await page.getByRole('button', { name: 'Reset all texts' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset all texts' }).click()
    await seesNotice(page, 'Texts reset.')
    assert.equal(await heading.inputValue(), '')
    await visitor.page.reload()
    await visitor.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

    await page.getByLabel('Language', { exact: true }).selectOption('ja')
    await page
      .getByLabel(/^Heading: /)
      .first()
      .waitFor()
    assert.equal(new URL(page.url()).searchParams.get('language'), 'ja')
    assert.deepEqual([...complaints, ...visitor.complaints], [])
  })

  test('is asked before unsaved changes are lost, and not after they are saved', options, async () => {
    const userId = await world.addPerson('unsaved')
    const { page, complaints } = await world.openAs('root', `/users/${userId}`)
    const nickname = page.getByLabel('Nickname')
    await nickname.fill('Changed')
    await navigate(page, 'Projects')
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(pathOf(page), `/ui/console/users/${userId}`)
    assert.equal(await nickname.inputValue(), 'Changed')
    // The tab asks too; whoever stays keeps what they typed.
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    // Pause: no wait: after this script, because the page is gone then.
    await page.evaluate(() => void setTimeout(() => location.reload(), 0))
    assert.equal(await asked, 'beforeunload')
    await page.getByRole('tab', { name: 'Contact' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('tab', { name: 'Contact', selected: true }).waitFor()

    await page.getByRole('tab', { name: 'Profile' }).click()
    await nickname.fill('Kept')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await navigate(page, 'Projects')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    // A form that creates something leads on by itself.
    await page.goto(`${world.url}/ui/console/projects/new`)
    await page.getByLabel('Name').fill('Saved project')
    await press(page, 'Create project')
    await page.getByRole('heading', { level: 1, name: 'Saved project' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('has the chosen organization in the address', options, async () => {
    const { organizationId } = await world.call('POST', '/v2/organizations', { name: 'Address Ltd' })
    const { page, complaints } = await world.openAs('root', `/users?org=${organizationId}`)
    const chosen = page.getByRole('combobox', { name: 'Organization' })
    const shows = (name: string) =>
      page.waitForFunction(
        ([label, value]) => document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)?.value === value,
        ['Organization', name] as const,
      )
    await shows('Address Ltd')
    assert.equal(orgOf(page), organizationId)
    await navigate(page, 'Projects')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    assert.equal(orgOf(page), organizationId)
    await page.reload()
    await shows('Address Ltd')
    assert.equal(orgOf(page), organizationId)
    await chosen.click()
    await page.getByRole('option', { name: 'All organizations' }).click()
    await page.waitForURL((url) => !url.searchParams.has('org'))
    await shows('All organizations')
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get('org') === organizationId)
    await shows('Address Ltd')
    assert.deepEqual(complaints, [])
  })

  test('is led to the sign-in page in one tab after signing out in another', options, async () => {
    const { page } = await world.openAs('root', '/users')
    const other = await page.context().newPage()
    await other.goto(`${world.url}/ui/console/projects`)
    await other.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await chooseInUserMenu(other, 'Sign out')
    await other.waitForURL((url) => !url.pathname.startsWith('/ui/console'))
    await navigate(page, 'Organizations')
    await page.waitForURL(/\/ui\/login/)
    await page.getByLabel('Password').waitFor()
  })

  test('invites a person, whose invitation is in the inbox, and sees that they are invited', options, async () => {
    const { page, complaints } = await world.openAs('root', '/users/invite')
    await page.getByLabel('First name').fill('Ines')
    await page.getByLabel('Last name').fill('Invited')
    await page.getByRole('textbox', { name: 'Email' }).fill('ines@example.com')
    await press(page, 'Invite user')
    await page.getByText('No mail server is set up').waitFor()
    await page.getByRole('link', { name: 'Open the user' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()
    await navigate(page, 'Users')
    await page
      .getByRole('row', { name: /ines@example.com/ })
      .getByText('Invited', { exact: true })
      .waitFor()
    await page.goto(`${world.url}/ui/console/users/invite`)
    assert.deepEqual(complaints, [])
  })

  test('locks several users at once, and reads which of them could not be locked', options, async () => {
    for (const name of ['bulk-one', 'bulk-two']) await world.addPerson(name)
    const { page, complaints } = await world.openAs('root', '/users?q=bulk')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByText('2 users selected').waitFor()
    await press(page, 'Lock')
    await page.getByRole('dialog', { name: 'Lock 2 users?' }).getByRole('button', { name: 'Lock' }).click()
    const result = page.getByRole('dialog', { name: 'Done' })
    await result.getByText('2 users locked.').waitFor()
    await result.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('cell', { name: 'Locked' }).nth(1).waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await press(page, 'Lock')
    await page.getByRole('dialog', { name: 'Lock 2 users?' }).getByRole('button', { name: 'Lock' }).click()
    await result.getByText('2 users were not changed').waitFor()
    await result
      .getByText(/: The user is not active\./)
      .first()
      .waitFor()
    await result.getByRole('button', { name: 'Close' }).last().click()
    await press(page, 'Remove')
    await page.getByRole('dialog', { name: 'Remove 2 users?' }).getByRole('button', { name: 'Remove' }).click()
    await result.getByText('2 users removed.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('gives a token a name, and finds it by that', options, async () => {
    const machine = { userName: 'named', name: 'Named' }
    const { userId } = await world.call('POST', '/management/v1/users/machine', machine)
    const { page, complaints } = await world.openAs('root', `/users/${userId}?tab=keys`)
    const form = page.getByRole('form', { name: 'Add token' })
    await form.getByLabel('Name').fill('Backup script')
    await form.getByRole('button', { name: 'Add token' }).click()
    await seesNotice(page, 'Token added.')
    await page.getByRole('cell', { name: 'Backup script', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove: Backup script' }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
