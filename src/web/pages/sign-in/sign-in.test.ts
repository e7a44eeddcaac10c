/** The pages for signing in. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import {
  APPLICATION,
  HOUR,
  type HostedPages,
  openHostedPages,
  signInToEachStep,
  TOTP_SECRET,
} from '../../../../test/support/hosted-pages.ts'
import {
  answerWithKey,
  answerWithNewKey,
  hiddenIn,
  holding,
  leadsTo,
  optionsIn,
  says,
  tokenIn,
} from '../../../../test/support/page-client.ts'
import { PASSWORD, type Person, passwordCheck, userCheck } from '../../../../test/support/session-world.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { ownPath } from '../../addresses.ts'
import { SCRIPT } from '../../assets.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SECOND_FACTOR = '/ui/login/second-factor'

/** The cookie that marks a browser as known, the last one of an answer. */
const KNOWN_BROWSER =
  /, ?signet_known=signed1[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000, ?signet_last_way=password; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/

suite('signing in', () => {
  let world: HostedPages
  let ada: Person
  /** What she types. */
  let typed: { readonly userName: string; readonly password: string }
  before(async () => {
    world = await openHostedPages()
    ada = await world.addUser()
    typed = { userName: ada.loginName, password: PASSWORD }
  })
  after(() => world.close())

  const signIn = async (user: Person) => (await world.signIn(user)).token
  const codeNow = () => totpCode(TOTP_SECRET, totpStep(world.clock.now))

  test('with user name and password sets a cookie that only this server sees, and leads on', async () => {
    for (const [version, ask] of world.clients) {
      const old = await signIn(ada)
      const headers = { 'user-agent': FIREFOX, ...holding(old) }
      const answer = await ask('/ui/login', { form: typed, headers })
      leadsTo(answer, '/ui/account')
      const token = tokenIn(answer)
      const lifetime = 30 * 24 * 60 * 60
      assert.equal(
        answer.header('set-cookie')?.replace(KNOWN_BROWSER, ''),
        `signet_session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime}`,
        version,
      )
      const person = await findPerson(world.app, token)
      assert.deepEqual([person?.userId, person?.step], [ada.userId, 'none'])
      const { userAgent } = await world.get(person?.sessionId ?? '')
      assert.equal(userAgent?.description, 'Firefox, Linux')
      assert.equal(await findPerson(world.app, old), undefined)
    }
  })

  test('over https the cookie is locked to the host', async () => {
    const secure = await world.serve({ externalUrl: 'https://id.example.com' })
    const answer = await secure.ask('/ui/login', { form: typed })
    assert.match(answer.header('set-cookie') ?? '', /^__Host-signet_session=[\w-]+; .*Secure; /)
    const token = tokenIn(answer)
    const open = await secure.ask('/ui/account', { headers: holding(token) })
    leadsTo(open, '/ui/login?next=%2Fui%2Faccount')
    const locked = await secure.ask('/ui/account', { headers: { cookie: `__Host-signet_session=${token}` } })
    assert.equal(locked.status, 200)
  })

  test('on plain http of another machine it is not possible, and the page says why', async () => {
    const { askHttp2 } = await world.serve({ externalUrl: 'http://192.0.2.7:8080' })
    const page = await askHttp2('/ui/login', { headers: { host: '192.0.2.7:8080' } })
    says(page, en.insecure.title)
    const proxied = await askHttp2('/ui/login', { headers: { host: '192.0.2.7:8080', 'x-forwarded-proto': 'https' } })
    assert.equal(proxied.status, 200)
  })

  test('says one sentence whatever was wrong, keeps the name and never the password', async () => {
    const { loginName: userName } = await world.addUser()
    const texts = new Set<string>()
    for (const password of ['wrong', 'x'.repeat(5_000), 'nul\0']) {
      const answer = await world.ask('/ui/login', { form: { userName, password } })
      assert.equal(answer.status, 422)
      assert.equal(answer.header('set-cookie'), undefined)
      assert.match(answer.text, /role="alert"/)
      says(answer, en.signIn.refused)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1)
    const [text = ''] = texts
    assert.ok(text.includes(`value="${userName}"`))
    assert.doesNotMatch(text, /value="wrong/)
    const unknown = await world.ask('/ui/login', { form: { userName: 'unknown', password: 'wrong' } })
    assert.equal(unknown.text.replaceAll('"unknown"', `"${userName}"`), text)
    const empty = await world.ask('/ui/login', { form: { userName: ' ', password: '' } })
    says(empty, en.signIn.nameMissing, en.signIn.passwordMissing)
  })

  test('too many tries: how long to wait; too much to do: try again', async (t) => {
    const { loginName: userName } = await world.addUser()
    const form = { userName, password: 'wrong' }
    for (let tries = 0; tries < 5; tries++) await world.ask('/ui/login', { form })
    const late = await world.ask('/ui/login', { form: { userName, password: PASSWORD } })
    assert.deepEqual([late.status, late.header('retry-after')], [429, '1'])
    says(late, en.wait.seconds({ count: 1 }))
    const server = await world.serveBusy()
    t.after(() => server.close())
    const busy = await server.ask('/ui/login', { form: typed })
    assert.deepEqual([busy.status, busy.header('retry-after')], [429, '5'])
  })

  test('leads to pages of ours only', async () => {
    const headers = holding(await signIn(ada))
    for (const [next, location] of [
      ['/ui/account/password?a=1', '/ui/account/password?a=1'],
      ['//evil.example', '/ui/account'],
      ['/\\evil.example', '/ui/account'],
      ['https://evil.example', '/ui/account'],
      ['/\t/evil.example', '/ui/account'],
      ['javascript:alert(1)', '/ui/account'],
      ['', '/ui/account'],
    ] as const) {
      leadsTo(await world.ask('/ui/login', { form: { ...typed, next } }), location)
      const query = new URLSearchParams({ next })
      leadsTo(await world.ask(`/ui/login?${query}`, { headers }), location)
      const page = await world.ask(`/ui/login?${query}`)
      assert.ok(!page.text.includes('value="//') && !page.text.includes('value="http'))
    }
    for (const trick of ['/a\\b', '/%0d%0a', '/\u2028x', `/${'x'.repeat(3000)}`, '/ /x', '/..//evil.example']) {
      const path = ownPath(trick)
      assert.ok(path === undefined || new URL(path, 'https://own.example').origin === 'https://own.example', trick)
      assert.ok(!path?.startsWith('//'), trick)
    }
  })

  test('offers what the organization allows', async () => {
    const usual = await world.ask('/ui/login')
    assert.match(usual.text, /data-begin="offer".*autocomplete="username webauthn".*href="\/forgot-password"/s)
    const passkeys = await world.ask(`/ui/login?orgId=${await world.addOrganization({ allowsPassword: false })}`)
    assert.doesNotMatch(passkeys.text, /name="password"|forgot-password/)
    const passwords = await world.ask(`/ui/login?orgId=${await world.addOrganization({ allowsPasskeys: false })}`)
    assert.doesNotMatch(passwords.text, new RegExp(`webauthn|${SCRIPT.path}|data-key`))
    const noReset = await world.ask(`/ui/login?orgId=${await world.addOrganization({ hidesPasswordReset: true })}`)
    assert.doesNotMatch(noReset.text, /forgot-password/)
  })

  test('again: a signed-in user shows only that it is still them', async () => {
    const user = await world.addUser()
    const passkey = await world.addKey(user, 'passkey')
    const stale = await world.before(HOUR, () => signIn(user))
    const page = await world.ask('/ui/login?again=yes&next=/ui/account/keys', { headers: holding(stale) })
    says(page, en.again.title)
    assert.doesNotMatch(page.text, /id="userName"/)
    const form = { again: 'yes', password: PASSWORD, next: '/ui/account/keys', userName: ada.loginName }
    const shown = await world.ask('/ui/login', { form, headers: holding(stale) })
    leadsTo(shown, '/ui/account/keys')
    const before = await findPerson(world.app, tokenIn(shown))
    assert.deepEqual([before?.userId, before?.isFresh], [user.userId, true])
    const asked = await world.ask('/ui/login/passkey', { form: { again: 'yes' }, headers: holding(tokenIn(shown)) })
    const allowed = optionsIn(asked).publicKey.allowCredentials as unknown as readonly { readonly id: string }[]
    assert.deepEqual(
      allowed.map(({ id }) => id),
      [passkey.credentialId],
    )
    // Who has not finished signing in begins anew.
    const half = await signIn(await world.addUser({ totpSecret: TOTP_SECRET }))
    for (const others of [{}, holding(half)]) {
      const page = await world.ask('/ui/login?again=yes', { headers: others })
      assert.match(page.text, /id="userName"/)
    }
  })

  test('each step has its page, and no one gets past it', async () => {
    const tokens = await signInToEachStep(world)
    for (const [token, path] of [
      [tokens.second, SECOND_FACTOR],
      [tokens.setUp, '/ui/login/set-up'],
      [tokens.change, '/ui/login/new-password'],
    ] as const) {
      const headers = holding(token)
      for (const page of ['/ui/account', '/ui/account/keys', '/ui/account/password', '/ui/login/done']) {
        leadsTo(await world.ask(page, { headers }), `${path}?next=${encodeURIComponent(page)}`)
      }
      for (const page of ['/ui/account/sessions', '/ui/account/keys', '/ui/account/totp', '/ui/account/otp']) {
        const mark = await world.mark()
        leadsTo(await world.ask(page, { form: { do: 'remove', id: 'key-1' }, headers }), path)
        assert.deepEqual(await world.eventsSince(mark), [], page)
      }
      assert.equal((await world.ask(path, { headers })).status, 200)
      assert.equal((await world.ask(path, { headers: holding(tokens.done) })).status, 303)
    }
  })

  /** A user with every second factor that there is. */
  const addCautious = async () => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET, phone: '+41446681800' })
    const { addOTPEmail, addOTPSMS, generateRecoveryCodes } = UserService.method
    await world.call(addOTPEmail, user, world.owner)
    await world.call(addOTPSMS, user, world.owner)
    const { recoveryCodes } = await world.call(generateRecoveryCodes, { ...user, count: 1 }, world.owner)
    return { ...user, key: await world.addKey(user, 'second_factor'), recoveryCodes }
  }
  const allowTexts = async () => {
    const { addSMSProviderHTTP, activateSMSProvider } = AdminService.method
    const { id } = await world.call(addSMSProviderHTTP, { endpoint: 'https://sms.example' }, world.owner)
    await world.call(activateSMSProvider, { id }, world.owner)
  }
  /** The newest code that waits to be sent to a user. */
  const sentCode = async ({ userId }: Person, kind: 'mail' | 'sms') => {
    const sent = (await world.outbox()).filter((one) => one.kind === kind && one.data.userId === userId)
    return String(sent.at(-1)?.values.code)
  }

  test('a second factor: the handiest first, others beside it, and a mistake says nothing about why', async () => {
    await allowTexts()
    const user = await addCautious()
    const first = holding(await signIn(user))
    const page = await world.ask(`${SECOND_FACTOR}?next=/ui/account/keys`, { headers: first })
    says(page, en.secondFactor.useKey, en.secondFactor.others)
    assert.match(page.text, /with=totp.*with=otp_email.*with=otp_sms.*with=recovery_code/s)
    const wrong = await world.ask(SECOND_FACTOR, { form: { with: 'totp', code: '000000' }, headers: first })
    says(wrong, en.secondFactor.refused)
    assert.doesNotMatch(wrong.text, /000000/)
    for (const [factor, code] of [
      ['totp', async () => codeNow()],
      ['otp_sms', () => sentCode(user, 'sms')],
      ['otp_email', () => sentCode(user, 'mail')],
      ['recovery_code', async () => user.recoveryCodes[0] ?? ''],
    ] as const) {
      let headers = holding(await signIn(user))
      if (factor.startsWith('otp_')) {
        const sent = await world.ask(SECOND_FACTOR, { form: { with: factor, send: 'yes' }, headers })
        headers = holding(tokenIn(sent))
      }
      const form = { with: factor, code: ` ${await code()} `, next: '/ui/account/keys' }
      const shown = await world.ask(SECOND_FACTOR, { form, headers })
      leadsTo(shown, '/ui/account/keys')
      assert.equal((await findPerson(world.app, tokenIn(shown)))?.step, 'none', factor)
    }
    const asked = await world.ask(SECOND_FACTOR, { form: { with: 'u2f' }, headers: holding(await signIn(user)) })
    const form = { with: 'u2f', ...answerWithKey(user.key, asked) }
    leadsTo(await world.ask(SECOND_FACTOR, { form, headers: holding(tokenIn(asked)) }), '/ui/account')
    const another = await addCautious()
    const headers = holding(await signIn(another))
    says(await world.ask(SECOND_FACTOR, { form: { with: 'totp', code: '' }, headers }), en.secondFactor.missing)
    const tryWrong = () => world.ask(SECOND_FACTOR, { form: { with: 'totp', code: '000000' }, headers })
    for (let tries = 0; tries < 5; tries++) assert.equal((await tryWrong()).status, 422)
    assert.equal((await tryWrong()).status, 429)
    await world.ask('/ui/logout', { form: {}, headers })
    leadsTo(await tryWrong(), '/ui/login')
  })

  test('a code is sent when it is asked for, and the page then takes it', async () => {
    const user = await addCautious()
    const headers = holding(await signIn(user))
    const before = await world.ask(`${SECOND_FACTOR}?with=otp_email`, { headers })
    assert.doesNotMatch(before.text, /id="code"/)
    const form = { with: 'otp_email', send: 'yes', next: '/ui/account/keys' }
    const sent = await world.ask(SECOND_FACTOR, { form, headers })
    assert.equal((await world.mailsTo(user, 'one_time_code', 1)).length, 1)
    says(sent, en.secondFactor.sent.otp_email, en.secondFactor.code.otp_email, en.secondFactor.sendAgain)
    assert.match(sent.text, /id="code"/)
    assert.match(sent.text, /name="next" value="\/ui\/account\/keys"/)
    const now = holding(tokenIn(sent))
    assert.match((await world.ask(`${SECOND_FACTOR}?with=otp_email`, { headers: now })).text, /id="code"/)
    assert.doesNotMatch((await world.ask(`${SECOND_FACTOR}?with=otp_sms`, { headers: now })).text, /id="code"/)
  })

  test('where a second factor is required and there is none, it is set up, and a key is then shown', async () => {
    const organizationId = await world.addOrganization({ requiresSecondFactor: true })
    const path = '/ui/login/set-up'
    const headers = holding(await signIn(await world.addUser({ organizationId })))
    const app = await world.ask(path, { form: { do: 'app', next: '/ui/account/keys' }, headers })
    assert.ok(app.text.includes(`role="img" aria-label="${en.app.picture}"`))
    assert.match(app.text, /<svg class="qr"/)
    const kept = { do: 'verify', uri: hiddenIn(app, 'uri'), secret: hiddenIn(app, 'secret') }
    says(app, kept.secret.match(/.{1,4}/g)?.join(' ') ?? '')
    const wrong = await world.ask(path, { form: { ...kept, code: '1' }, headers })
    says(wrong, en.app.refused)
    assert.match(wrong.text, /<svg class="qr"/)
    const code = totpCode(kept.secret, totpStep(world.clock.now))
    const right = await world.ask(path, { form: { ...kept, code, next: '/ui/account' }, headers })
    leadsTo(right, '/ui/account')
    const others = holding(await signIn(await world.addUser({ organizationId })))
    const asked = await world.ask(path, { form: { do: 'key' }, headers: others })
    const form = { do: 'key', ...answerWithNewKey(newAuthenticator(), asked) }
    leadsTo(await world.ask(path, { form, headers: others }), SECOND_FACTOR)
  })

  test('a password that has to be changed is changed before anything else', async () => {
    const user = await world.addUser({ mustChangePassword: true })
    const headers = holding(await signIn(user))
    const path = '/ui/login/new-password'
    const chosen = { password: 'a new sturdy one' }
    const old = holding((await world.before(HOUR, () => world.signIn(user))).token)
    const wrong = await world.ask(path, { form: { current: 'wrong', ...chosen }, headers: old })
    assert.match(wrong.text, /role="alert".*href="#current"/s)
    says(wrong, en.changePassword.wrong)
    const right = await world.ask(path, { form: { ...chosen, next: '/ui/account/keys' }, headers })
    leadsTo(right, '/ui/account/keys')
    await world.create({ checks: { ...userCheck(user), ...passwordCheck(chosen.password) } })
    assert.equal((await world.ask('/ui/account', { headers })).status, 200)
  })

  test('afterwards the organization leads people where it wants them', async () => {
    const organizationId = await world.addOrganization({ defaultRedirectUri: APPLICATION })
    const headers = holding(await signIn(await world.addUser({ organizationId })))
    leadsTo(await world.ask('/ui/login', { headers }), '/ui/login/done')
    const page = await world.ask('/ui/login/done', { headers })
    assert.equal(page.header('refresh'), `0; url=${APPLICATION}`)
    leadsTo(await world.ask('/ui/login?next=/ui/account', { headers }), '/ui/account')
  })

  test('signing out ends the session and takes the cookie away', async () => {
    const token = await signIn(ada)
    const mark = await world.mark()
    const answer = await world.ask('/ui/logout', { form: {}, headers: holding(token) })
    assert.deepEqual(await world.eventsSince(mark), ['session.ended.v1'])
    assert.equal(await findPerson(world.app, token), undefined)
    assert.equal(answer.header('set-cookie'), 'signet_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    const other = await signIn(ada)
    const strange = await world.ask('/ui/logout', {
      form: {},
      headers: { ...holding(other), 'sec-fetch-site': 'cross-site' },
    })
    assert.equal(strange.status, 403)
    assert.equal((await findPerson(world.app, other))?.userId, ada.userId)
  })

  test('a form of another site signs no one in or out', async () => {
    const headers = { ...holding(await signIn(ada)), 'sec-fetch-site': 'cross-site' }
    const mark = await world.mark()
    for (const path of world.pages.keys()) {
      if (!path.startsWith('/ui/')) continue
      const { status } = await world.ask(path, { form: { ...typed, do: 'make' }, headers })
      assert.ok(status === 403 || status === 405, path)
    }
    assert.deepEqual(await world.eventsSince(mark), [])
  })
})
