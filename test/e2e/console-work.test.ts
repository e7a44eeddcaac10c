/** Organizations, projects, applications, identity providers and administrators at the console, in a real Chromium. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, openForm, seesNotice, startConsole } from '../support/console.ts'
import { CLIENT, openUpstream, type Upstream } from '../support/upstream.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

async function pick(page: Page | Locator, label: string, text: string, option: RegExp): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(text)
  const list = 'page' in page ? page.page() : page
  await list.getByRole('option', { name: option }).first().click()
}

async function seesTitle(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
}

async function confirmRemoval(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Remove “${name}”?` })
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
}

suite('an administrator manages the work of the server at the console', options, () => {
  let world: ConsoleWorld
  let upstream: Upstream
  before(async () => {
    world = await startConsole({ SIGNET_ALLOW_PRIVATE_NETWORK: 'true' })
    upstream = await openUpstream({
      redirectUri: `${world.url.replace('127.0.0.1', 'localhost')}/idps/callback`,
      fetch: (address, init) => fetch(address, { ...init, redirect: 'manual' }),
    })
    upstream.people.set('radia', { name: 'Radia <b>Perlman</b>', preferred_username: 'radia', email: 'r@corp.example' })
    await world.addAdministrator('root')
    await world.addPerson('grace', { profile: { firstName: 'Grace', lastName: 'Hopper' } })
  })
  after(async () => {
    await upstream?.close()
    await world?.close()
  })

  const addProject = async (name: string): Promise<string> => {
    const { id } = await world.call('POST', '/management/v1/projects', { name })
    return id as string
  }

  test('creates, renames, deactivates and removes an organization by typing its name', options, async () => {
    const { page, complaints } = await world.openAs('root', '/organizations')
    await openForm(page, 'Create organization')
    await press(page, 'Create organization')
    await page.getByText('This field is required.').waitFor()
    await page.getByLabel('Name').fill('Acme')
    await press(page, 'Create organization')
    await seesNotice(page, 'Organization created.')
    await seesTitle(page, 'Acme')
    await page.getByLabel('Name').fill('Acme <i>North</i>')
    await press(page, 'Save')
    await seesTitle(page, 'Acme <i>North</i>')
    await openTab(page, 'Deactivate and remove')
    await press(page, 'Deactivate')
    await page.getByText('Deactivated', { exact: true }).waitFor()
    await press(page, 'Activate')
    await page.getByText('Active', { exact: true }).waitFor()
    await press(page, 'Remove')
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Remove', exact: true })
    assert.ok(await button.isDisabled())
    await dialog.getByRole('textbox').fill('Acme <i>North</i>')
    await button.click()
    await seesNotice(page, 'Organization removed.')
    await page.waitForURL(/\/organizations$/)
    assert.deepEqual(complaints, [])
  })

  test('adds a domain and sees what to publish, and edits metadata', options, async () => {
    const { organizationId } = await world.call('POST', '/v2/organizations', { name: 'Domains' })
    const { page, complaints } = await world.openAs('root', `/organizations/${organizationId}?tab=domains`)
    await press(page, 'Add domain')
    const dialog = page.getByRole('dialog', { name: 'Add domain' })
    await dialog.getByLabel('Domain').fill('not a domain')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByText('Must be a domain name').waitFor()
    await dialog.getByLabel('Domain').fill('work.invalid')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    const proof = page.getByRole('dialog', { name: 'Verify work.invalid' })
    await proof.getByRole('button', { name: 'Generate token' }).click()
    await proof.getByLabel('TXT record name', { exact: true }).waitFor()
    assert.equal(
      await proof.getByLabel('TXT record name', { exact: true }).inputValue(),
      '_signet-challenge.work.invalid',
    )
    await proof.getByRole('button', { name: 'Verify', exact: true }).click()
    await proof.getByText('Token not found').waitFor()
    await proof.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Remove work.invalid' }).click()
    await confirmRemoval(page, 'work.invalid')
    await page.getByRole('button', { name: 'Remove work.invalid' }).waitFor({ state: 'detached' })

    await openTab(page, 'Metadata')
    await press(page, 'Add entry')
    await page.getByRole('dialog').getByLabel('Key').fill('contract')
    await page.getByRole('dialog').getByLabel('Value').fill('No. 7')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'No. 7' }).waitFor()
    await page.getByRole('button', { name: 'Remove contract' }).click()
    await confirmRemoval(page, 'contract')
    await page.getByText('No metadata yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('makes a user a member, changes the roles and takes them away', options, async () => {
    const { organizationId } = await world.call('POST', '/v2/organizations', { name: 'Members' })
    const { page, complaints } = await world.openAs('root', `/organizations/${organizationId}?tab=members`)
    await page.getByRole('link', { name: 'Add member' }).click()
    await press(page, 'Add member')
    await page.getByText('Choose at least one role.').waitFor()
    await pick(page, 'User', 'grace', /Grace Hopper/)
    await page.getByRole('checkbox', { name: 'Organization viewer' }).check()
    await press(page, 'Add member')
    await seesNotice(page, 'Roles assigned.')
    await seesTitle(page, 'Grace Hopper')
    await page.getByRole('checkbox', { name: 'Organization owner' }).check()
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await openTab(page, 'Remove')
    await press(page, 'Remove roles')
    await confirmRemoval(page, 'Grace Hopper')
    await page.getByRole('link', { name: 'Administrator (machine)' }).waitFor()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' })
    await page.goto(`${world.url.replace('127.0.0.1', 'localhost')}/ui/console/administrators?where=instance&q=root`)
    await page.getByRole('table', { name: 'Administrators' }).waitFor()
    await page.getByRole('cell', { name: 'This server' }).first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('creates a project with a role, a grant and an authorization', options, async () => {
    await world.call('POST', '/v2/organizations', { name: 'Partner' })
    const { page, complaints } = await world.openAs('root', '/projects')
    await openForm(page, 'Create project')
    await page.getByLabel('Name').fill('Portal')
    await press(page, 'Create project')
    await seesTitle(page, 'Portal')
    await openTab(page, 'Roles')
    await press(page, 'Add role')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Key').fill('editor')
    await dialog.getByRole('button', { name: 'Add role' }).click()
    await page.getByRole('button', { name: 'Edit: editor' }).click()
    await dialog.getByLabel('Display name').fill('Editor in chief')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Editor in chief' }).waitFor()

    await openTab(page, 'Grants')
    await press(page, 'Grant project')
    await pick(dialog, 'Granted to', 'Part', /^Partner$/)
    await pick(dialog, 'Roles', 'editor', /editor/)
    await dialog.getByRole('button', { name: 'Grant project' }).click()
    await page.getByRole('button', { name: 'Deactivate: Partner' }).click()
    await page.getByRole('cell', { name: 'Deactivated' }).waitFor()
    await page.getByRole('button', { name: 'Remove: Partner' }).click()
    await confirmRemoval(page, 'Partner')
    await page.getByText('This project isn’t granted to other organizations.').waitFor()

    await openTab(page, 'Authorizations')
    await press(page, 'Authorize user')
    await pick(dialog, 'User', 'grace', /Grace Hopper/)
    await pick(dialog, 'Roles', 'editor', /editor/)
    await dialog.getByRole('button', { name: 'Authorize user' }).click()
    await page.getByRole('button', { name: 'Remove: Grace Hopper' }).click()
    await confirmRemoval(page, 'Grace Hopper')
    await seesNotice(page, 'Authorization removed.')

    await openTab(page, 'Settings')
    await page.getByLabel('Only users with an authorization can sign in').check()
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await openTab(page, 'Deactivate and remove')
    await press(page, 'Remove')
    await confirmRemoval(page, 'Portal')
    await seesNotice(page, 'Project removed.')
    assert.deepEqual(complaints, [])
  })

  test('creates a web application with a checked address, and sees its secret once', options, async () => {
    const projectId = await addProject('Shop')
    const { page, complaints } = await world.openAs('root', `/projects/${projectId}`)
    await openForm(page, 'Create application')
    await page.getByLabel('Name').fill('Storefront')
    await press(page, 'Create application')
    await page.getByText('Add at least one URI.').waitFor()
    const uri = page.getByRole('textbox', { name: 'Redirect URIs 1', exact: true })
    for (const [typed, sentence] of [
      ['shop.example/callback', '“shop.example/callback” has no scheme. Write https://shop.example/callback.'],
      ['localhost:3000/callback', '“localhost:3000/callback” has no scheme. Write http://localhost:3000/callback.'],
      ['https://shop.example/call back', '“https://shop.example/call back” contains a space.'],
      ['https://shop.example/callback#x', '“https://shop.example/callback#x” contains a fragment.'],
      ['https://*.shop.example/callback', 'contains a wildcard (*). Write it out, or turn on development mode.'],
      ['https://shop.example/callback,', '“https://shop.example/callback,” ends with ,. Remove it.'],
      ['com.example.shop:/callback', '“com.example.shop:” is a custom scheme, which only native applications can use.'],
    ] as const) {
      await uri.fill(typed)
      await page.getByText(sentence).waitFor()
    }
    await uri.fill('https://shop.example/callback')
    await page.getByText('is a custom scheme').waitFor({ state: 'detached' })
    await press(page, 'Create application')
    await seesTitle(page, 'Storefront is ready')
    const secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue()
    assert.ok(secret.length > 20)
    const settings = (await page.getByRole('region', { name: '.env' }).textContent()) ?? ''
    assert.match(settings, /^REDIRECT_URI=https:\/\/shop\.example\/callback$/m)
    assert.ok(settings.includes(`CLIENT_SECRET=${secret}`))
    const snippet = (await page.getByRole('region', { name: 'app.js' }).textContent()) ?? ''
    assert.doesNotMatch(snippet, new RegExp(secret))
    await page.getByRole('link', { name: 'Open application' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await seesTitle(page, 'Storefront')

    await openTab(page, 'Settings')
    await page.getByLabel('Access tokens', { exact: true }).selectOption('jwt')
    await page.getByRole('textbox', { name: 'Additional origins 1', exact: true }).fill('https://shop.example')
    // The access to the API has a form of its own below.
    const save = page.getByRole('button', { name: 'Save', exact: true }).first()
    await save.click()
    await seesNotice(page, 'Saved.')
    await page.getByRole('button', { name: 'Remove Additional origins 1' }).click()
    await save.click()
    await page.getByRole('button', { name: 'Save', disabled: true }).first().waitFor()
    await page.reload()
    await page.getByRole('textbox', { name: 'Additional origins 1', exact: true }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Additional origins 1', exact: true }).inputValue(), '')
    assert.equal(await page.getByLabel('Access tokens', { exact: true }).inputValue(), 'jwt')

    await openTab(page, 'Credentials')
    await press(page, 'Generate new secret')
    await page.getByRole('dialog').getByRole('button', { name: 'Generate new secret' }).click()
    await page.getByRole('textbox', { name: 'Client secret' }).waitFor()
    assert.notEqual(await page.getByRole('textbox', { name: 'Client secret' }).inputValue(), secret)
    await page.getByRole('tab', { name: 'Deactivate and remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await openTab(page, 'Deactivate and remove')
    await press(page, 'Remove')
    await confirmRemoval(page, 'Storefront')
    await page.getByText('No applications yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('switches FAPI 2.0 on, sees what is missing, and adds a public key', options, async () => {
    const projectId = await addProject('Bank')
    const { page, complaints } = await world.openAs('root', `/projects/${projectId}`)
    await openForm(page, 'Create application')
    await page.getByLabel('Name').fill('Payments')
    await page.getByRole('textbox', { name: 'Redirect URIs 1', exact: true }).fill('https://bank.example/callback')
    await press(page, 'Create application')
    await page.getByRole('link', { name: 'Open application' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await openTab(page, 'Settings')
    const section = page.getByRole('region', { name: 'High assurance' })
    const unmet = section.getByRole('listitem').filter({ hasText: 'Not met:' })
    await unmet.first().waitFor()
    assert.equal(await unmet.count(), 6)
    await section.getByRole('switch').check()
    await section.getByText('The settings meet all requirements of FAPI 2.0.').waitFor()
    await section.getByLabel('Require PKCE').uncheck()
    await section.getByText('Not met: PKCE is required.').waitFor()
    await section.getByRole('switch').check()
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await seesNotice(page, 'Saved.')
    await page.reload()
    await section.getByText('The settings meet all requirements of FAPI 2.0.').waitFor()
    assert.equal(await page.getByLabel('Algorithm of the signature').inputValue(), 'PS256')

    await openTab(page, 'Credentials')
    const dialog = page.getByRole('dialog')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await press(page, 'Add key')
    await dialog.getByLabel('Your own public key').fill(publicKey.export({ type: 'spki', format: 'pem' }).toString())
    await dialog.getByRole('button', { name: 'Add key' }).click()
    await seesNotice(page, 'Key added.')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('creates an API with a key that is downloaded once, and reads what a machine is', options, async () => {
    const projectId = await addProject('Data')
    const { page, complaints } = await world.openAs('root', `/projects/${projectId}/applications/new`)
    await page.getByRole('radio', { name: 'Machine' }).check()
    await page.getByText('A machine is a user').waitFor()
    await page.getByRole('radio', { name: 'API' }).check()
    await page.getByLabel('Name').fill('Data API')
    await page.getByLabel('Client authentication').selectOption('key')
    await press(page, 'Create application')
    await page.getByRole('link', { name: 'Open application' }).click()
    await openTab(page, 'Credentials')
    await press(page, 'Add key')
    await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click()
    const coming = page.waitForEvent('download')
    await press(page, 'Download')
    const file = JSON.parse(await readFile(await (await coming).path(), 'utf8')) as { keyId: string; key: string }
    assert.match(file.key, /PRIVATE KEY/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: `Remove: ${file.keyId}` }).click()
    await confirmRemoval(page, file.keyId)
    await page.getByText('No keys yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test(
    'adds an identity provider, tries it out and sees the claims, then the reason of a failure',
    options,
    async () => {
      const { page, complaints } = await world.openAs('root', '/identity-providers')
      await page.getByRole('link', { name: 'Add identity provider' }).click()
      await page.getByRole('link', { name: 'OpenID Connect' }).click()
      await page.getByLabel('Name').fill('Corp')
      await press(page, 'Add OpenID Connect')
      assert.equal(await page.getByText('This field is required.').count(), 3)
      await page.getByLabel('Issuer').fill(upstream.issuer)
      await page.getByLabel('Client ID').fill(CLIENT.id)
      await page.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.secret)
      await press(page, 'Add OpenID Connect')
      await seesTitle(page, 'Corp')

      const signIn = async (result: string) => {
        await press(page, 'Start test')
        const login = page.getByPlaceholder('Enter any login')
        const consent = page.getByRole('button', { name: 'Continue' })
        const shown = page.getByRole('heading', { name: result })
        await login.or(consent).or(shown).waitFor()
        if (await login.isVisible()) {
          await login.fill('radia')
          await page.getByPlaceholder('and password').fill('anything')
          await page.getByRole('button', { name: 'Sign-in' }).click()
          await consent.or(shown).waitFor()
        }
        if (await consent.isVisible()) await consent.click()
        await shown.waitFor()
      }
      await page.getByRole('link', { name: 'Test sign-in' }).click()
      await signIn('The sign-in works')
      assert.match((await page.getByRole('region', { name: 'Returned claims' }).textContent()) ?? '', /<b>Perlman<\/b>/)
      assert.equal(new URL(page.url()).search, '')

      await page.getByRole('link', { name: '← Corp' }).click()
      await page.getByRole('textbox', { name: 'Client secret' }).fill('wrong')
      await press(page, 'Save')
      await seesNotice(page, 'Saved.')
      await openTab(page, 'Sign-in page')
      await press(page, 'Hide')
      await page.getByText('Hidden', { exact: true }).waitFor()
      await press(page, 'Show')
      await page.getByText('Shown', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Test sign-in' }).click()
      await signIn('Sign-in failed')
      await page.getByText(/refused to exchange the code.*code_refused/).waitFor()

      await page.getByRole('link', { name: '← Corp' }).click()
      await openTab(page, 'Deactivate and remove')
      await press(page, 'Remove')
      await confirmRemoval(page, 'Corp')
      await seesNotice(page, 'Identity provider removed.')
      assert.deepEqual(complaints, [])
    },
  )

  test('with the right to read alone sees no button that changes anything', options, async () => {
    const projectId = await addProject('Read only')
    await world.addAdministrator('reader', ['IAM_OWNER_VIEWER'])
    const { page, complaints } = await world.openAs('reader', `/projects/${projectId}`)
    await seesTitle(page, 'Read only')
    assert.equal(await page.getByRole('link', { name: 'Create application' }).count(), 0)
    assert.equal(await page.getByRole('tab', { name: 'Deactivate and remove' }).count(), 0)
    for (const [area, button] of [
      ['Organizations', 'Create organization'],
      ['Projects', 'Create project'],
      ['Identity providers', 'Add identity provider'],
      ['Administrators', 'Add administrator'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name: area }).click()
      await seesTitle(page, area)
      assert.equal(await page.getByRole('link', { name: button }).count(), 0)
    }
    await page.goto(`${world.url.replace('127.0.0.1', 'localhost')}/ui/console/organizations/new`)
    await page.getByLabel('Name').fill('Forbidden')
    await press(page, 'Create organization')
    await seesNotice(page, 'You don’t have permission to do this.')
    assert.deepEqual(complaints, [])
  })
})
