/** Mail, SMS, sign-in, web keys and settings at the console, and the API explorer, in a real Chromium. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, signInAtPage, startConsole } from '../support/console.ts'
import { startSmtp } from '../support/smtp.ts'
import { press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

function confirmRemoval(page: Page, name: string) {
  return page
    .getByRole('dialog', { name: `Remove “${name}”?` })
    .getByRole('button', { name: 'Remove' })
    .click()
}

function headline(page: Page, name: string | RegExp) {
  return page.getByRole('heading', { level: 1, name }).waitFor()
}

suite('an administrator at the console', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('adds a mail server, reads its answer to a test, activates and removes it', options, async (t) => {
    let answer: readonly [number, string] | undefined = [550, 'Not from here']
    const smtp = await startSmtp({ refuseMail: () => answer })
    t.after(() => smtp.close())
    const { page, complaints } = await world.openAs('root', '/mail')
    await page.getByText('No mail server is set up.').waitFor()
    await page.getByLabel('Host and port').fill(`127.0.0.1:${smtp.port}`)
    await press(page, 'Add mail server')
    assert.equal(await page.getByText('This field is required.').count(), 2)
    await page.getByLabel('Encrypted connection').uncheck()
    await page.getByLabel('Sender address').fill('not an address')
    await page.getByLabel('Sender name').fill('Signet')
    await press(page, 'Add mail server')
    await page
      .getByText(/email address$/i)
      .last()
      .waitFor()
    assert.equal(await page.getByLabel('Sender address').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Sender address').fill('noreply@example.com')
    await press(page, 'Add mail server')
    await seesNotice(page, 'Mail server added and activated.')
    // The form of the new server replaces the empty one, with all its fields.
    await page.getByText('Active', { exact: true }).waitFor()

    await page.getByLabel('Send to').fill('ada@example.com')
    await press(page, 'Send test mail')
    await page.getByText(/Not from here/).waitFor()
    answer = undefined
    await press(page, 'Send test mail')
    await seesNotice(page, 'The mail server accepted the email.')
    assert.equal(smtp.mails.length, 1)

    await page.getByLabel('Description').fill('The one in the cellar')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await press(page, 'Deactivate')
    await page.getByText('Not active', { exact: true }).waitFor()
    await press(page, 'Activate')
    await page.getByText('Active', { exact: true }).waitFor()
    await press(page, 'Remove')
    await confirmRemoval(page, `127.0.0.1:${smtp.port}`)
    await page.getByText('No mail server is set up.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('changes the text of a mail beside its preview, and goes back to the default one', options, async () => {
    const { page, complaints } = await world.openAs('root', '/mail/texts?q=invitation')
    await page.getByRole('link', { name: 'Invitation, English' }).click()
    await headline(page, 'Invitation (English)')
    await page.getByLabel('Title').fill('Good to see you, {{.FirstName}} <b>')
    await page.getByText('Good to see you, Ada <b>').waitFor()
    await page.getByLabel('Message text').fill('Your {{.Unknown}}')
    await press(page, 'Save')
    await page.getByText(/contains {{.Unknown}}/i).waitFor()
    await page.getByLabel('Message text').fill('Come in.')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await page.getByRole('link', { name: 'Email texts' }).click()
    await page.getByRole('searchbox').fill('invitation')
    const row = page.getByRole('row').filter({ hasText: 'English' })
    await row.getByText('Custom').waitFor()
    await page.getByRole('link', { name: 'Invitation, English' }).click()
    await press(page, 'Use default text')
    await confirmRemoval(page, 'Invitation (English)')
    await seesNotice(page, 'Default text restored.')
    await page.getByText('Built-in text').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Welcome')
    assert.deepEqual(complaints, [])
  })

  test('reads and removes mails of the development inbox', options, async () => {
    await world.addPerson('inbox-person')
    await world.nextMail('inbox-person@example.com')
    const { page, complaints } = await world.openAs('root', '/mail/inbox')
    await page.getByRole('link', { name: /inbox-person@example.com/ }).click()
    await headline(page, 'Verify your email address')
    await page.getByText('Please verify that this email address belongs to you.').waitFor()
    await press(page, 'Remove email to this recipient')
    await confirmRemoval(page, 'all email to inbox-person@example.com')
    await seesNotice(page, 'Email removed.')
    await headline(page, 'Development inbox')
    await page.getByRole('link', { name: /inbox-person@example.com/ }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('sees why a mail was not delivered, and sends it again', options, async (t) => {
    let answer: readonly [number, string] | undefined = [550, 'No such mailbox']
    const smtp = await startSmtp({ refuseRcpt: () => answer })
    t.after(() => smtp.close())
    const { id } = await world.call('POST', '/admin/v1/smtp', {
      senderAddress: 'noreply@example.com',
      senderName: 'Signet',
      host: `127.0.0.1:${smtp.port}`,
    })
    t.after(() => world.call('DELETE', `/admin/v1/smtp/${id}`))
    await world.addPerson('unreachable')
    const { page, complaints } = await world.openAs('root', '/mail/queue')
    await headline(page, 'Undelivered email')
    const row = page.getByRole('row').filter({ hasText: 'unreachable@example.com' })
    for (let attempt = 0; attempt < 120 && (await row.count()) === 0; attempt += 1) {
      await page.waitForTimeout(500)
      await page.reload()
      await headline(page, 'Undelivered email')
      await page
        .getByText(/were delivered|entr/)
        .first()
        .waitFor()
    }
    await row.getByText(/No such mailbox/).waitFor()
    answer = undefined
    await page.getByRole('button', { name: 'Retry: unreachable@example.com' }).click()
    await seesNotice(page, 'Sending again.')
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('adds an SMS provider whose key is shown once, changes, activates and removes it', options, async () => {
    const { page, complaints } = await world.openAs('root', '/sms')
    await page.getByRole('link', { name: 'Add SMS provider' }).click()
    await page.getByLabel('URL').fill('no address')
    await press(page, 'Add SMS provider')
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('URL').fill('https://sms.example.com/send')
    await page.getByLabel('Description').fill('Pigeons')
    await press(page, 'Add SMS provider')
    await page.getByText('You won’t be able to see it again.').waitFor()
    assert.notEqual(await page.getByRole('textbox', { name: 'Signing key' }).inputValue(), '')
    await page.getByRole('link', { name: 'Continue' }).click()
    await headline(page, 'Pigeons')
    await page.getByLabel('Description').fill('Carrier pigeons')
    await press(page, 'Save')
    await headline(page, 'Carrier pigeons')
    await press(page, 'Activate')
    await page.getByText('Active', { exact: true }).waitFor()
    await press(page, 'Create new key')
    await page.getByText('You won’t be able to see it again.').waitFor()
    await press(page, 'Deactivate')
    await page.getByText('Not active', { exact: true }).waitFor()
    await press(page, 'Remove')
    await confirmRemoval(page, 'Carrier pigeons')
    await page.getByText('No SMS providers yet.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('creates, activates and removes web keys', options, async () => {
    const { page, complaints } = await world.openAs('root', '/web-keys')
    const old = (await page.getByRole('row').nth(1).getByRole('link').textContent()) ?? ''
    await page.getByRole('link', { name: 'Create web key' }).click()
    await page.getByLabel('Type').selectOption('ECDSA')
    await page.getByLabel('Curve').selectOption('P-384')
    await press(page, 'Create web key')
    await page.getByText('ES384, P-384').waitFor()
    await press(page, 'Activate')
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0)
    await page.goto(`${world.url}/ui/console/web-keys/${old}`)
    await press(page, 'Activate')
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Web keys' }).last().click()
    await page.getByRole('row').filter({ hasText: 'ES384' }).getByRole('link').click()
    const id = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await press(page, 'Remove')
    await confirmRemoval(page, id)
    await headline(page, 'Web keys')
    await page.getByRole('row').nth(1).waitFor()
    // The list shows what it had until the server has answered.
    await page.getByText('ES384').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  test('changes how users sign in while the preview follows', options, async () => {
    const { page, complaints } = await world.openAs('root', '/sign-in')
    const preview = page.getByRole('figure', { name: /^Preview of the sign-in page/ })
    await preview.waitFor()
    await page.getByLabel('Registration').check()
    assert.match((await preview.getAttribute('aria-label')) ?? '', /Create account/)
    await page.getByLabel('Code by SMS').setChecked(!(await page.getByLabel('Code by SMS').isChecked()))
    await page.getByLabel('Redirect after signing in').fill('ftp://example.com')
    await press(page, 'Save')
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Redirect after signing in').fill('https://example.com/start')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    const { policy } = (await world.call('GET', '/admin/v1/policies/login')) as { policy: Record<string, unknown> }
    assert.equal(policy.allowRegister, true)
    assert.equal(policy.defaultRedirectUri, 'https://example.com/start')
    await page.getByLabel('Registration').uncheck()
    await page.getByLabel('Redirect after signing in').fill('')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    assert.deepEqual(complaints, [])
  })

  test('gives an organization password rules of its own, and takes them back', options, async () => {
    const { organizationId } = await world.call('POST', '/v2/organizations', { name: 'Strict Ltd' })
    const { page, complaints } = await world.openAs('root', '/sign-in/passwords')
    await page.getByText('Instance', { exact: true }).first().waitFor()
    await page.goto(`${world.url}/ui/console/sign-in/passwords?org=${organizationId}`)
    const rules = page.getByRole('region', { name: 'Rules' })
    await rules.getByText('From the instance').waitFor()
    await rules.getByLabel('Minimum length').fill('0')
    await rules.getByRole('button', { name: 'Save' }).click()
    await rules.locator('[aria-invalid=true]').waitFor()
    await rules.getByLabel('Minimum length').fill('14')
    await rules.getByText('at least 14 characters').waitFor()
    await rules.getByRole('button', { name: 'Save' }).click()
    await rules.getByText('Own settings').waitFor()
    await rules.getByRole('button', { name: 'Use those of the instance' }).click()
    await confirmRemoval(page, 'Rules')
    await rules.getByText('From the instance').waitFor()
    assert.notEqual(await rules.getByLabel('Minimum length').inputValue(), '14')
    await page.goto(`${world.url}/ui/console/sign-in/names?org=${organizationId}`)
    await page.getByLabel('Usernames only need to be unique within the organization').click()
    await seesNotice(page, 'Saved.')
    await press(page, 'Use default')
    await seesNotice(page, 'Default restored.')
    assert.deepEqual(complaints, [])
  })

  test('changes languages, security, lifetimes, links and features', options, async () => {
    const { page, complaints } = await world.openAs('root', '/settings')
    const security = page.getByRole('region', { name: 'Security' })
    await security.getByLabel('Allow other sites to embed').check()
    await security.getByLabel('Allowed sites').fill('no site')
    await security.getByLabel('Allowed sites').press('Enter')
    await security.getByRole('button', { name: 'Save' }).click()
    await security.locator('[aria-invalid=true]').waitFor()
    await security.getByLabel('Allow other sites to embed').uncheck()
    await security.getByLabel('Impersonation').check()
    await page.reload()
    await security.getByLabel('Users can delete their own account').check()
    await security.getByRole('button', { name: 'Save' }).click()
    await seesNotice(page, 'Saved.')
    const { settings: saved } = (await world.call('GET', '/v2/settings/security')) as {
      readonly settings: { readonly allowSelfDeletion?: boolean }
    }
    assert.equal(saved.allowSelfDeletion, true)
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()
    await page.getByLabel('ID tokens', { exact: true }).fill('0')
    await press(page, 'Save')
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('ID tokens', { exact: true }).fill('6')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await page.getByLabel('Terms of service').fill('javascript:alert(1)')
    await press(page, 'Save')
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Terms of service').fill('https://example.com/terms')
    await press(page, 'Save')
    await seesNotice(page, 'Saved.')
    await page.getByRole('link', { name: 'Features', exact: true }).click()
    await page.getByLabel('Use the separate login app for all applications').check()
    // What clients can store here without any effect is not shown.
    assert.equal(await page.getByRole('checkbox').count(), 1)
    await press(page, 'Save')
    await page.getByText('Changed', { exact: true }).waitFor()
    await press(page, 'Reset to defaults')
    await confirmRemoval(page, 'Feature flags')
    await seesNotice(page, 'Defaults restored.')
    assert.deepEqual(complaints, [])
  })

  test(
    'with the right to read alone has nothing to change, and one of an organization sees only its own',
    options,
    async () => {
      await world.addAdministrator('reader', ['IAM_OWNER_VIEWER'])
      const { page, complaints } = await world.openAs('reader', '/mail')
      await page.getByText('No mail server is set up.').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Development inbox' }).count(), 0)
      for (const path of ['/sms', '/web-keys', '/sign-in', '/sign-in/passwords', '/branding', '/settings']) {
        await page.goto(`${world.url}/ui/console${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        const buttons = page
          .getByRole('main')
          .getByRole('button', { name: /^(Save|Publish|Activate|Remove|Upload|Use )/ })
        assert.equal(await buttons.count(), 0, path)
        assert.equal(await page.getByRole('link', { name: /^(Add|Create)/ }).count(), 0, path)
      }
      const userId = await world.addAdministrator('org-owner', [])
      await world.call('POST', '/management/v1/orgs/me/members', { userId, roles: ['ORG_OWNER'] })
      const own = await world.openAs('org-owner', '/sign-in/passwords')
      await own.page.getByText('From the instance').first().waitFor()
      assert.equal(await own.page.getByRole('link', { name: 'Mail', exact: true }).count(), 0)
      await own.page.goto(`${world.url}/ui/console/mail`)
      await own.page.getByText('You don’t have permission to do this.').waitFor()
      assert.deepEqual([...complaints, ...own.complaints], [])
    },
  )

  test('explores the API with the token of the sign-in, and no other host is asked', options, async () => {
    const { page, complaints } = await world.open({ javaScriptEnabled: true })
    // The browser is busy with the explorer for a while.
    page.setDefaultTimeout(180_000)
    const hosts = new Set<string>()
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      if (protocol.startsWith('http')) hosts.add(host)
    })
    await page.goto(`${world.url}/ui/api`)
    await page.getByText('Sign in, or enter a token').waitFor()
    await press(page, 'Sign in')
    await signInAtPage(page, 'root')
    await page.getByText('Requests are sent with your token.').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.getByText('Everything that the console does goes through this API').first().waitFor()
    // Only what is chosen is loaded, and the choice is in the address.
    const service = page.getByRole('combobox', { name: 'Service' })
    const names = await service.locator('option').allTextContents()
    assert.deepEqual(names.slice(0, 3), ['Users', 'Sessions', 'Applications'])
    assert.ok(names.includes('Organization v2'))
    const sidebar = page.locator('aside').first()
    await sidebar.getByText('Users').first().waitFor()
    assert.equal(await sidebar.getByText('Organization v2').count(), 0)
    const read = page.waitForResponse((response) => response.url().includes('service=signet.org.v2'))
    await service.selectOption('Organization v2')
    assert.ok((await (await read).body()).length < 300_000)
    await sidebar.getByText('Organization v2').first().waitFor()
    await page.getByText('Requests are sent with your token.').waitFor()
    assert.match(new URL(page.url()).search, /service=signet\.org\.v2\.OrganizationService/)
    await page.waitForTimeout(2000)
    assert.deepEqual([...hosts], [new URL(world.url).host])
    // The explorer writes its own version to the console.
    assert.deepEqual(
      complaints.filter((line) => !line.startsWith('@scalar/api-reference@')),
      [],
    )
  })
})
