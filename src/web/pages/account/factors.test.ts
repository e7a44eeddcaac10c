/** Turning second factors on and off on the account page, and what the page calls things. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, type NewUser, openHostedPages, TOTP_SECRET } from '../../../../test/support/hosted-pages.ts'
import { hiddenIn, holding, leadsTo, says, saysNot, tokenIn } from '../../../../test/support/page-client.ts'
import { type Person, passwordCheck, userCheck } from '../../../../test/support/session-world.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { findPerson } from '../../../features/sign-in/index.ts'

type Form = Readonly<Record<string, string>>

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

suite('second factors on the account page', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const newcomer = async (made?: NewUser) => {
    const user = await world.addUser(made)
    return { ...user, headers: holding((await world.signIn(user)).token) }
  }
  const sendAs = (headers: Form) => (path: string, form: Form) => world.ask(path, { form, headers })
  const sentCode = async ({ userId }: Pick<Person, 'userId'>, kind: 'mail' | 'sms') => {
    const sent = (await world.outbox()).filter((one) => one.kind === kind && one.data.userId === userId)
    return String(sent.at(-1)?.values.code)
  }

  test('codes by SMS cannot be turned on while no text message can be sent', async () => {
    const { headers } = await newcomer({ phone: '+41446681800' })
    says(await world.ask('/ui/account', { headers }), 'Code by SMS', 'Text messages are not available here')
    const mark = await world.mark()
    const answer = await sendAs(headers)('/ui/account/otp', { medium: 'sms', do: 'on' })
    assert.equal(answer.status, 400)
    assert.deepEqual(await world.eventsSince(mark), [])
    assert.equal((await world.ask('/ui/account', { headers })).status, 200)
  })

  test('a code by email is asked for before it becomes a factor, and then counts for this session', async () => {
    const user = await newcomer()
    const send = sendAs(user.headers)
    const asked = await send('/ui/account/otp', { medium: 'email', do: 'on' })
    assert.equal(asked.status, 200)
    assert.match(asked.text, /id="code"/)
    says(asked, 'user-', '@example.com')
    const factors = async () =>
      (await world.call(UserService.method.listAuthenticationFactors, user, world.owner)).result.length
    assert.equal(await factors(), 0)
    const wrong = await send('/ui/account/otp', { medium: 'email', do: 'verify', code: 'WRONG7' })
    assert.equal(wrong.status, 422)
    assert.equal(await factors(), 0)
    const code = await sentCode(user, 'mail')
    const done = await send('/ui/account/otp', { medium: 'email', do: 'verify', code })
    leadsTo(done, '/ui/account?done=otp')
    assert.equal(await factors(), 1)
    const token = tokenIn(done)
    assert.equal((await findPerson(world.app, token))?.step, 'none')
    assert.equal(await findPerson(world.app, user.headers.cookie.split('session=')[1] ?? ''), undefined)
    const again = await sendAs(holding(token))('/ui/account/otp', { medium: 'email', do: 'verify', code })
    assert.equal(again.status, 422)
    const other = (await world.signIn(user)).token
    assert.equal((await findPerson(world.app, other))?.step, 'second_factor')
  })

  test('with an SMS provider, the code that arrives turns codes by SMS on', async (t) => {
    const { addSMSProviderHTTP, activateSMSProvider, removeSMSProvider } = AdminService.method
    const { id } = await world.call(addSMSProviderHTTP, { endpoint: 'https://sms.example' }, world.owner)
    await world.call(activateSMSProvider, { id }, world.owner)
    t.after(() => world.call(removeSMSProvider, { id }, world.owner))
    const user = await newcomer({ phone: '+41446681801' })
    const send = sendAs(user.headers)
    says(await send('/ui/account/otp', { medium: 'sms', do: 'on' }), '+41446681801')
    const code = await sentCode(user, 'sms')
    leadsTo(await send('/ui/account/otp', { medium: 'sms', do: 'verify', code }), '/ui/account?done=otp')
  })

  test('the code that sets up an authenticator app counts for this session', async () => {
    const { headers } = await newcomer()
    const send = sendAs(headers)
    const page = await send('/ui/account/totp', { do: 'start' })
    const kept = { do: 'verify', uri: hiddenIn(page, 'uri'), secret: hiddenIn(page, 'secret') }
    const code = totpCode(kept.secret, totpStep(world.clock.now))
    const done = await send('/ui/account/totp', { ...kept, code })
    leadsTo(done, '/ui/account?done=app')
    const shown = await world.ask('/ui/account?done=app', { headers: holding(tokenIn(done)) })
    assert.equal(shown.status, 200)
  })

  test('a factor that the organization does not allow does not count for the session', async () => {
    const organizationId = await world.addOrganization({ secondFactors: ['u2f'] })
    const user = await newcomer({ organizationId })
    const asked = await sendAs(user.headers)('/ui/account/otp', { medium: 'email', do: 'on' })
    assert.equal(asked.status, 200)
    const form = { medium: 'email', do: 'verify', code: await sentCode(user, 'mail') }
    const token = tokenIn(await sendAs(user.headers)('/ui/account/otp', form))
    const { sessionId = '' } = (await findPerson(world.app, token)) ?? {}
    assert.equal((await world.get(sessionId)).factors?.otpEmail, undefined)
  })

  test('removing a way to sign in asks first, and names it', async () => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET })
    await world.addKey(user, 'passkey')
    await world.addKey(user, 'second_factor')
    await world.call(UserService.method.addOTPEmail, user, world.owner)
    const held = await world.signIn(user)
    const code = totpCode(TOTP_SECRET, totpStep(world.clock.now))
    const { token } = await world.set(held, { checks: { totp: { code } } })
    const headers = holding(token)
    const page = await world.ask('/ui/account', { headers })
    assert.doesNotMatch(page.text, /name="do" value="(remove|off)"/)
    const links = [...page.text.matchAll(/href="(\/ui\/account\/remove\?[^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )
    assert.equal(links.length, 4)
    const mark = await world.mark()
    for (const [link, name] of [
      [links[0], 'A key'],
      [links[1], 'Authenticator app'],
      [links[2], 'Code by email'],
      [links[3], 'A key'],
    ] as const) {
      const question = await world.ask(link ?? '', { headers })
      assert.equal(question.status, 200)
      says(question, name)
      assert.match(question.text, /name="do" value="(remove|off)"/)
    }
    assert.deepEqual(await world.eventsSince(mark), [])
    const question = await world.ask(links[1] ?? '', { headers })
    const action = /<form method="post" action="([^"]+)"/.exec(question.text)?.[1] ?? ''
    leadsTo(await sendAs(headers)(action, { do: hiddenIn(question, 'do') }), '/ui/account?done=removed')
    assert.equal((await world.ask('/ui/account/remove?what=key&use=passkey&id=other', { headers })).status, 404)
    assert.equal((await world.ask('/ui/account/remove?what=else', { headers })).status, 404)
  })

  test('every button says what it acts on', async () => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET })
    await world.addKey(user, 'passkey')
    const signIn = async (agent: string) => {
      const form = { userName: user.loginName, password: 'correct horse battery staple' }
      const first = holding(tokenIn(await world.ask('/ui/login', { form, headers: { 'user-agent': agent } })))
      const at = (world.clock.now as number) + 30_000
      world.wait(30_000)
      const code = totpCode(TOTP_SECRET, totpStep(at as typeof world.clock.now))
      return tokenIn(await world.ask('/ui/login/second-factor', { form: { with: 'totp', code }, headers: first }))
    }
    await signIn(CHROME)
    const headers = holding(await signIn('curl/8'))
    const { text } = await world.ask('/ui/account', { headers })
    assert.match(text, /<button[^>]*aria-label="Sign out of Chrome on Linux"[^>]*>Sign out<\/button>/)
    assert.match(text, /aria-label="Remove Authenticator app"/)
    const main = text.slice(text.indexOf('<main>'), text.indexOf('</main>'))
    const actions = main.matchAll(/<(button|a class="button[^"]*")([^>]*)>([^<]*)</g)
    const names = [...actions].map(([, , attributes = '', own]) => /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? own)
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
  })

  test('a sign-in that waits for its second factor is not a session, but ends with the others', async () => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET })
    const done = await world.signIn(user)
    const code = totpCode(TOTP_SECRET, totpStep(world.clock.now))
    const headers = holding((await world.set(done, { checks: { totp: { code } } })).token)
    const half = await world.signIn(user)
    const named = await world.create({ checks: userCheck(user) })
    const page = await world.ask('/ui/account', { headers })
    for (const { sessionId } of [half, named]) assert.ok(!page.text.includes(sessionId))
    saysNot(page, 'Sign out of all other sessions')
    await sendAs(headers)('/ui/account/sessions', { do: 'others' })
    for (const { sessionId } of [half, named]) await assert.rejects(world.get(sessionId))
    await world.create({ checks: { ...userCheck(user), ...passwordCheck() } })
  })

  test('signing out of all other sessions says so', async () => {
    const user = await newcomer()
    await world.signIn(user)
    const ended = await sendAs(user.headers)('/ui/account/sessions', { do: 'others' })
    leadsTo(ended, '/ui/account?done=others')
    const page = await world.ask('/ui/account?done=others', { headers: user.headers })
    says(page, 'You have been signed out of all other sessions.')
    const one = await world.signIn(user)
    const single = await sendAs(user.headers)('/ui/account/sessions', { do: 'end', id: one.sessionId })
    leadsTo(single, '/ui/account?done=session')
  })
})
