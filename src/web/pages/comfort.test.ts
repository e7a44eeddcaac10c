/** What pages offer beside what they are for: ways out, ways on, and help with typing. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, openHostedPages, TOTP_SECRET } from '../../../test/support/hosted-pages.ts'
import { holding, leadsTo, says, saysNot } from '../../../test/support/page-client.ts'
import { INBOX_KEY } from '../../../test/support/world.ts'
import { sendEmailCode } from '../../features/account/index.ts'
import { listInboxMails } from '../../features/mail/index.ts'
import { textsIn } from '../language.ts'

const en = textsIn('en')

const [SECOND_FACTOR, SET_UP] = ['/ui/login/second-factor', '/ui/login/set-up']

suite('hosted pages', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const session = async (made: Parameters<HostedPages['addUser']>[0]) =>
    holding((await world.signIn(await world.addUser(made))).token)

  test('a person at the second factor can use another account, and continues to the same place', async () => {
    const organizationId = await world.addOrganization({ requiresSecondFactor: true })
    const steps = [
      { path: SECOND_FACTOR, headers: await session({ totpSecret: TOTP_SECRET }) },
      { path: SET_UP, headers: await session({ organizationId }) },
      { path: SET_UP, headers: await session({ organizationId }), form: { do: 'app', next: '/ui/account/keys' } },
      { path: '/ui/login/new-password', headers: await session({ mustChangePassword: true }) },
    ]
    for (const { path, headers, form } of steps) {
      const page = await world.ask(form === undefined ? `${path}?next=/ui/account/keys` : path, {
        headers,
        ...(form !== undefined && { form }),
      })
      assert.equal(page.status, 200, path)
      const out = /<form[^>]* action="\/ui\/logout".*?<\/form>/s.exec(page.text)?.[0] ?? assert.fail(path)
      assert.match(out, /name="next" value="\/ui\/account\/keys"/)
      assert.ok(out.includes(en.toApplication.other))
      const done = await world.ask('/ui/logout', { form: { other: 'yes', next: '/ui/account/keys' }, headers })
      leadsTo(done, '/ui/login?next=%2Fui%2Faccount%2Fkeys')
      assert.match(done.header('set-cookie') ?? '', /signet_session=;/)
    }
  })

  test('a person who sets up an app at their account can go back there', async () => {
    const headers = await session({})
    const page = await world.ask('/ui/account/totp', { form: { do: 'start' }, headers })
    assert.match(page.text, /href="\/ui\/account">Back to your account/)
  })

  test('“Create account” is offered where visitors can register, and nowhere else', async () => {
    const link = `href="/ui/register"`
    assert.ok(!(await world.ask('/ui/login')).text.includes(link))
    await world.setLogin(world.app.instanceId, { allowsRegistration: true })
    const page = await world.ask('/ui/login')
    assert.ok(page.text.includes(link))
    says(page, en.toApplication.register)
    says(await world.ask('/ui/register'), en.register.title)
    // Registration of the default organization decides: that is where an account without an application is created.
    await world.setLogin(world.defaultOrganizationId, { allowsRegistration: false })
    assert.ok(!(await world.ask('/ui/login')).text.includes(link))
    await world.setLogin(world.defaultOrganizationId, { allowsRegistration: true })
    saysNot(await world.ask(`/ui/login?orgId=${await world.addOrganization()}`), en.toApplication.register)
  })

  test('an address that is not verified can be verified on the account page', async () => {
    const user = await world.addUser({ isVerified: false })
    const headers = holding((await world.signIn(user)).token)
    const target = `${user.loginName}@example.com`
    const page = await world.ask('/ui/account', { headers })
    const row = /<form(?:(?!<\/form>).)*name="target"(?:(?!<\/form>).)*<\/form>/s.exec(page.text)?.[0] ?? assert.fail()
    assert.ok(row.includes(`value="${target}"`) && row.includes(en.profile.verify))
    const form = { kind: 'email', do: 'send', target }
    leadsTo(await world.ask('/ui/account/contact', { form, headers }), '/ui/account/contact?kind=email')
    await world.runJobs()
    const { mails } = await listInboxMails(world.app, { limit: 10 })
    const code = /Your code: (\S+)/.exec(mails.find(({ to }) => to === target)?.text ?? '')?.[1] ?? ''
    const confirm = { kind: 'email', do: 'confirm', target, code }
    leadsTo(await world.ask('/ui/account/contact', { form: confirm, headers }), '/ui/account?done=saved')
    assert.doesNotMatch((await world.ask('/ui/account', { headers })).text, /name="target"/)
  })

  test('a password reset is mailed in the language of the page, unless the user prefers another one', async () => {
    const ask = async (lang: string, path: string, form: Record<string, string>) => {
      await world.ask(path, { form: { ...form, lang } })
    }
    const user = await world.addUser()
    await ask('de', '/forgot-password', { userName: user.loginName })
    const [mail] = await world.mailsTo(user, 'password_reset', 1)
    assert.equal(new URL(mail?.link ?? '').searchParams.get('lang'), 'de')
    await world.runJobs()
    const { mails } = await listInboxMails(world.app, { limit: 10 })
    const sent = mails.find(({ to }) => to === `${user.loginName}@example.com`)
    assert.match(sent?.text ?? '', /Passwort/)
    const { updateHumanUser } = UserService.method
    const french = await world.addUser()
    const profile = { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'fr' }
    await world.call(updateHumanUser, { userId: french.userId, profile }, world.owner)
    await ask('de', '/forgot-password', { userName: french.loginName })
    const [own] = await world.mailsTo(french, 'password_reset', 1)
    assert.equal(new URL(own?.link ?? '').searchParams.get('lang'), 'fr')
    const again = await world.addUser()
    await ask('fr', '/set-password', { userId: again.userId, again: 'yes' })
    const [other] = await world.mailsTo(again, 'password_reset', 1)
    assert.equal(new URL(other?.link ?? '').searchParams.get('lang'), 'fr')
  })

  test('recovery codes can be downloaded without a script, and copied with one', async () => {
    const headers = await session({})
    const { text } = await world.ask('/ui/account/recovery-codes', { form: { do: 'make' }, headers })
    const codes = [...text.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code)
    const file = /download="recovery-codes.txt" href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(text)?.[1] ?? ''
    assert.ok(codes.length > 0)
    assert.equal(decodeURIComponent(file), `${codes.join('\n')}\n`)
    assert.match(text, /<button[^>]* data-copy="codes"[^>]* hidden/)
  })

  test('a typed password can be shown by a script, and without one there is no button', async () => {
    const headers = await session({})
    for (const page of [await world.ask('/ui/login'), await world.ask('/ui/account/password', { headers })]) {
      assert.match(page.text, /<button[^>]* data-reveal="password"[^>]* title="Show password"[^>]* hidden>/)
      const script = /<script type="module" src="(\/assets\/[^"]+)">/.exec(page.text)?.[1] ?? ''
      assert.equal((await world.ask(script)).header('content-type'), 'text/javascript; charset=utf-8')
    }
  })

  test('fields for addresses and numbers have their keyboards', async () => {
    const headers = await session({})
    const contact = (kind: string) => world.ask(`/ui/account/contact?kind=${kind}`, { headers })
    assert.match((await contact('email')).text, /type="email" autocomplete="email"/)
    assert.match((await contact('phone')).text, /type="tel" autocomplete="tel"/)
  })

  test('the inbox leads back with an arrow', async () => {
    const user = await world.addUser({ isVerified: false })
    await sendEmailCode(world.app, user.userId)
    await world.runJobs()
    const [mail] = (await listInboxMails(world.app, { limit: 1 })).mails
    const page = await world.ask(`/inbox?mail=${mail?.id}`, { headers: { cookie: `signet_inbox=${INBOX_KEY}` } })
    assert.doesNotMatch(page.text, /&amp;larr;/)
  })
})
