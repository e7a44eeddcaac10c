/** The pages of one's own account. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type Authenticator, newAuthenticator } from '../../../../test/support/authenticator.ts'
import {
  HOUR,
  type HostedPages,
  type NewUser,
  openHostedPages,
  TOTP_SECRET,
} from '../../../../test/support/hosted-pages.ts'
import {
  answerWithNewKey,
  hiddenIn,
  holding,
  leadsTo,
  optionsIn,
  says,
  saysNot,
  signInWithPasskey,
  tokenIn,
} from '../../../../test/support/page-client.ts'
import { PASSWORD, type Person, passwordCheck, userCheck } from '../../../../test/support/session-world.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { openSessionsOf } from '../../../features/sessions/index.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { instant } from '../../../kernel/instant.ts'
import { textsIn } from '../../language.ts'

const [de, en] = [textsIn('de'), textsIn('en')]

type Form = Readonly<Record<string, string>>

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

suite('one’s own account', () => {
  let world: HostedPages
  let acme: string
  /** A signed-in user with a passkey and an account at a provider. */
  let ada: Person & { readonly headers: { readonly cookie: string }; readonly passkey: Authenticator; keyId: string }
  before(async () => {
    world = await openHostedPages()
    acme = await world.addProvider({ name: 'Acme <b>' })
    const user = await world.addUser({ displayName: 'Ada <Lovelace>' })
    const { headers } = await signIn(user)
    await world.linkAccount(user, acme, { id: 'sub-1', name: 'ada@acme' })
    const { authenticator, keyId } = await addKey(headers, 'passkey', 'My <phone>')
    const token = await signInWithPasskey(world.ask, authenticator, { 'user-agent': FIREFOX })
    ada = { ...user, headers: holding(token), passkey: authenticator, keyId }
  })
  after(() => world.close())

  const signIn = async (user: Person) => ({ headers: holding((await world.signIn(user)).token) })
  const newcomer = async (made?: NewUser) => {
    const user = await world.addUser(made)
    return { ...user, ...(await signIn(user)) }
  }
  /** A user who has signed in with their passkey. */
  const keyHolder = async (made?: NewUser) => {
    const user = await world.addUser(made)
    const authenticator = await world.addKey(user, 'passkey')
    const [passkey] = (await world.call(UserService.method.listPasskeys, user, world.owner)).result
    const headers = holding(await signInWithPasskey(world.ask, authenticator))
    return { ...user, authenticator, keyId: passkey?.id ?? '', headers }
  }
  const sendAs = (headers: Form) => (path: string, form: Form) => world.ask(path, { form, headers })
  const addKey = async (headers: Form, use: 'passkey' | 'second_factor', name: string) => {
    const authenticator = newAuthenticator()
    const asked = await sendAs(headers)('/ui/account/keys', { do: 'add', use })
    const answered = answerWithNewKey(authenticator, asked)
    leadsTo(await sendAs(headers)('/ui/account/keys', { do: 'add', use, name, ...answered }), '/ui/account?done=key')
    return { authenticator, keyId: answered.keyId }
  }
  const codeNow = (secret: string) => totpCode(secret, totpStep(world.clock.now))

  test('says when a session was last used, to the day', async () => {
    const user = await world.addUser()
    const { token } = await world.signIn(user)
    const headers = holding(token)
    const { sessionId: id } = (await findPerson(world.app, token)) ?? assert.fail('nobody is signed in')
    const uses = async () =>
      (await world.store.events({ kinds: ['session'], id, limit: 100 })).filter(
        ({ type }) => type === 'session.used.v1',
      )
    const start = world.clock.now
    try {
      await world.ask('/ui/account', { headers })
      assert.equal((await uses()).length, 0, 'a session of today has been used today')
      world.clock.now = instant(start + 25 * HOUR)
      await Promise.all([1, 2, 3].map(() => world.ask('/ui/account', { headers })))
      while ((await uses()).length === 0) await setImmediate()
      await world.ask('/ui/account', { headers })
      assert.equal((await uses()).length, 1)
      const [session] = await openSessionsOf(world.app, user.userId, world.clock.now, 10)
      assert.equal(session?.changedAt, world.clock.now)
    } finally {
      world.clock.now = start
    }
  })

  test('shows who one is, sessions, keys and factors, as text', async () => {
    const { headers, userId } = ada
    await world.call(UserService.method.generateRecoveryCodes, { userId, count: 3 }, world.owner)
    const page = await world.ask('/ui/account', { headers })
    assert.match(page.text, /<h1>Ada &lt;Lovelace><\/h1>/)
    assert.match(page.text, /My &lt;phone>/)
    says(page, `Firefox on Linux${en.account.thisDevice}`, en.account.unknownDevice)
    says(page, en.account.noPhone, en.account.recoveryLeft({ count: 3 }))
    assert.match(page.text, /data-signal="{&quot;rpId&quot;:&quot;localhost&quot;/)
    assert.doesNotMatch(page.text, /removed&quot;/)
    const german = await world.ask('/ui/account?lang=de&done=password', { headers })
    assert.match(german.text, /role="status"[^>]*>/)
    says(german, de.account.done.password, de.account.sessions)
    assert.doesNotMatch((await world.ask('/ui/account?done=__proto__', { headers })).text, /class="done"/)
  })

  test('is there for no one who is not signed in', async () => {
    for (const headers of [{}, { cookie: 'signet_session=unknown' }, { cookie: 'signet_session="; x' }]) {
      leadsTo(await world.ask('/ui/account?lang=fr', { headers }), '/ui/login?next=%2Fui%2Faccount%3Flang%3Dfr&lang=fr')
      const mark = await world.mark()
      leadsTo(await world.ask('/ui/account/sessions', { form: { do: 'others' }, headers }), '/ui/login')
      assert.deepEqual(await world.eventsSince(mark), [])
    }
  })

  test('each action is done for the person of the session, and leads back', async () => {
    const user = await keyHolder({ phone: '+41446681800' })
    const { userId, headers } = user
    const send = sendAs(headers)
    await world.linkAccount(user, acme, { id: 'sub-2', name: 'user@acme' })
    await world.call(UserService.method.addOTPSMS, { userId }, world.owner)
    const first = await world.signIn(user)
    const second = await world.signIn(user)
    const key = await addKey(headers, 'second_factor', 'Key')
    const added = answerWithNewKey(newAuthenticator(), await send('/ui/account/keys', { do: 'add', use: 'passkey' }))
    const secret = hiddenIn(await send('/ui/account/totp', { do: 'start' }), 'secret')
    let now = headers
    for (const [path, form, type, id, done] of [
      ['sessions', { do: 'end', id: first.sessionId }, 'session.ended.v1', first.sessionId, 'session'],
      ['sessions', { do: 'others' }, 'session.ended.v1', second.sessionId, 'others'],
      [
        'keys',
        { do: 'rename', id: key.keyId, use: 'second_factor', name: ' New ' },
        'passkey.renamed.v1',
        key.keyId,
        'renamed',
      ],
      ['keys', { do: 'add', use: 'passkey', name: 'P', ...added }, 'passkey.registered.v1', added.keyId, 'key'],
      ['links', { do: 'remove', idp: acme, account: 'sub-2' }, 'identity_link.removed.v1', undefined, 'removed'],
      ['totp', { do: 'verify', code: codeNow(secret) }, 'totp.verified.v1', userId, 'app'],
      ['totp', { do: 'remove' }, 'totp.removed.v1', userId, 'removed'],
      ['otp', { medium: 'sms', do: 'off' }, 'otp.removed.v1', userId, 'otp'],
    ] as const) {
      const mark = await world.mark()
      const answer = await sendAs(now)(`/ui/account/${path}`, form)
      leadsTo(answer, `/ui/account?done=${done}`)
      if (answer.header('set-cookie') !== undefined) now = holding(tokenIn(answer))
      const events = await world.store.events({ from: mark, limit: 10 })
      const event = events.find((one) => one.type === type)
      assert.deepEqual([event?.actor, id === undefined || event?.id === id], [{ user: userId }, true], type)
      assert.equal(events.filter((one) => one.type === type).length, 1)
    }
    assert.equal((await findPerson(world.app, now.cookie.split('signet_session=')[1] ?? ''))?.userId, userId)
    const factors = await world.call(UserService.method.listAuthenticationFactors, { userId }, world.owner)
    assert.deepEqual(
      factors.result.flatMap(({ type }) => (type.case === 'u2f' ? [type.value.name] : [])),
      ['New'],
    )
  })

  test('a removed passkey is told to password managers, by this answer only', async () => {
    const { authenticator, keyId, headers } = await keyHolder()
    const send = sendAs(headers)
    const answer = await send('/ui/account/keys', { do: 'remove', id: keyId, use: 'passkey' })
    assert.equal(answer.status, 200)
    says(answer, en.account.done.removed)
    const signals = [...answer.text.matchAll(/data-signal="([^"]*)"/g)].map(([, json = '']) =>
      JSON.parse(json.replaceAll('&quot;', '"')),
    )
    const { userHandle: userId, credentialId: removed } = authenticator
    assert.deepEqual(signals, [{ rpId: 'localhost', userId, accepted: [], removed }])
    const gone = await send('/ui/account/keys', { do: 'remove', id: keyId, use: 'passkey' })
    assert.equal(gone.status, 400)
    says(gone, en.notDone.title)
    assert.doesNotMatch(gone.text, /data-signal/)
    assert.doesNotMatch((await world.ask('/ui/account', { headers })).text, /data-signal/)
  })

  test('ways to sign in are changed only by who has signed in lately', async () => {
    const user = await world.addUser()
    const { headers } = await world.before(HOUR, () => signIn(user))
    await signIn(user)
    const mark = await world.mark()
    leadsTo(
      await world.ask('/ui/account/keys?use=second_factor', { headers }),
      '/ui/login?again=yes&next=%2Fui%2Faccount%2Fkeys%3Fuse%3Dsecond_factor',
    )
    for (const path of ['keys', 'links', 'totp', 'otp', 'recovery-codes']) {
      const answer = await world.ask(`/ui/account/${path}`, { form: { do: 'remove', id: 'key-1' }, headers })
      leadsTo(answer, '/ui/login?again=yes&next=%2Fui%2Faccount')
    }
    assert.deepEqual(await world.eventsSince(mark), [])
    await world.ask('/ui/account/sessions', { form: { do: 'others' }, headers })
    assert.deepEqual(await world.eventsSince(mark), ['session.ended.v1'])
  })

  test('a key is added by name, a wrong answer of it says so', async () => {
    const { headers } = ada
    const send = sendAs(headers)
    const page = await world.ask('/ui/account/keys?use=second_factor', { headers })
    says(page, en.newKey.key)
    assert.match(page.text, /data-key="create"/)
    const { keyId, publicKey } = optionsIn(await send('/ui/account/keys', { do: 'add', use: 'second_factor' }))
    assert.match(keyId, /^\d{18}$/)
    assert.equal((publicKey.user as { readonly name: string }).name, ada.loginName)
    const wrong = await send('/ui/account/keys', { do: 'add', use: 'second_factor', keyId, credential: '{}' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /role="alert"/)
    assert.match((await world.ask(`/ui/account/keys?rename=${ada.keyId}`, { headers })).text, /value="My &lt;phone>"/)
    assert.equal((await world.ask('/ui/account/keys?rename=other', { headers })).status, 404)
  })

  test('an app is shown as a picture and as text, and a wrong code does not lose it', async () => {
    const { headers } = await newcomer()
    const send = sendAs(headers)
    const page = await send('/ui/account/totp', { do: 'start' })
    assert.match(page.text, /<svg class="qr"/)
    const kept = { do: 'verify', uri: hiddenIn(page, 'uri'), secret: hiddenIn(page, 'secret') }
    says(page, kept.secret.match(/.{1,4}/g)?.join(' ') ?? '')
    assert.match((await send('/ui/account/totp', { ...kept, code: '1' })).text, /role="alert".*<svg class="qr"/s)
    const strange = await send('/ui/account/totp', { ...kept, uri: 'https://evil.example', code: '1' })
    assert.doesNotMatch(strange.text, /evil/)
    for (let tries = 2; tries < 5; tries++) await send('/ui/account/totp', { ...kept, code: '1' })
    assert.equal((await send('/ui/account/totp', { ...kept, code: '1' })).status, 429)
  })

  test('accounts elsewhere are listed and linked by name, as text', async () => {
    const page = await world.ask('/ui/account?lang=en', { headers: ada.headers })
    assert.match(page.text, /Acme &lt;b><\/strong><span>ada@acme/)
    assert.ok(page.text.includes(`href="/ui/login/provider?idp=${acme}&amp;link=yes&amp;lang=en"`))
    says(page, en.external.account.link({ providerName: 'Acme <b>' }))
    assert.equal((await sendAs(ada.headers)('/ui/account/links', { idp: acme, account: 'none' })).status, 400)
  })

  test('a person with another account signs out and in again', async () => {
    const { headers, userId } = await newcomer()
    says(await world.ask('/ui/account', { headers }), en.external.account.other)
    const mark = await world.mark()
    const answer = await sendAs(headers)('/ui/logout', { other: 'yes', lang: 'de' })
    leadsTo(answer, '/ui/login?lang=de')
    assert.match(answer.header('set-cookie') ?? '', /^signet_session=; .*Max-Age=0$/)
    const [ended, ...more] = await world.store.events({ from: mark, limit: 10 })
    assert.deepEqual([ended?.type, ended?.actor, more], ['session.ended.v1', { user: userId }, []])
  })

  test('recovery codes are shown once, by the answer that made them', async () => {
    const { headers, userId } = await keyHolder({ totpSecret: TOTP_SECRET })
    const made = await sendAs(headers)('/ui/account/recovery-codes', {})
    const codes = [...made.text.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code)
    assert.equal(new Set(codes).size, 10)
    const held = await world.create({ checks: { ...userCheck({ userId }), ...passwordCheck() } })
    await world.set(held, { checks: { recoveryCode: { code: codes[1] ?? '' } } })
    leadsTo(await world.ask('/ui/account/recovery-codes', { headers }), '/ui/account')
  })

  test('the last way in cannot be taken away', async () => {
    const show = (headers: Form) => world.ask('/ui/account', { headers })
    const alone = await keyHolder({ password: undefined })
    const { keyId } = await addKey(alone.headers, 'second_factor', 'Key')
    const page = await show(alone.headers)
    says(page, en.account.lastWay)
    assert.ok(!page.text.includes(`remove?what=key&amp;id=${alone.keyId}`))
    assert.ok(page.text.includes(`remove?what=key&amp;id=${keyId}`))
    const removal = { do: 'remove', id: alone.keyId, use: 'passkey' }
    assert.equal((await sendAs(alone.headers)('/ui/account/keys', removal)).status, 400)

    const linked = await keyHolder({ password: undefined })
    await world.linkAccount(linked, acme, { id: 'sub-3', name: 'linked@acme' })
    await sendAs(linked.headers)('/ui/account/keys', { ...removal, id: linked.keyId })
    const elsewhere = await show(linked.headers)
    says(elsewhere, 'linked@acme', en.account.lastWay)
    assert.doesNotMatch(elsewhere.text, /account=sub-3/)
    assert.equal((await sendAs(linked.headers)('/ui/account/links', { idp: acme, account: 'sub-3' })).status, 400)

    const closed = await world.addProvider({ name: 'Closed' })
    const unusable = await keyHolder({ password: undefined })
    await world.linkAccount(unusable, closed, { id: 'sub-4', name: 'unusable@closed' })
    await world.call(AdminService.method.deactivateIDP, { idpId: closed }, world.owner)
    const off = await show(unusable.headers)
    says(off, en.account.lastWay, en.external.account.off)
    assert.match(off.text, /account=sub-4/)

    const plain = await newcomer({ organizationId: await world.addOrganization({ allowsExternal: false }) })
    const none = await show(plain.headers)
    saysNot(none, en.external.account.title)
    saysNot(none, en.account.lastWay)
  })

  test('a password is changed with the current one', async () => {
    const chosen = { password: 'a new sturdy one' }
    const user = await newcomer()
    const send = sendAs(user.headers)
    says(await send('/ui/account/password', chosen), en.changePassword.currentMissing)
    const other = sendAs((await newcomer()).headers)
    for (let tries = 0; tries < 5; tries++) {
      says(await other('/ui/account/password', { current: 'wrong', ...chosen }), en.changePassword.wrong)
    }
    assert.equal((await other('/ui/account/password', { current: PASSWORD, ...chosen })).status, 429)
    leadsTo(await send('/ui/account/password', { current: PASSWORD, ...chosen }), '/ui/account?done=password')
    await world.create({ checks: { ...userCheck(user), ...passwordCheck(chosen.password) } })
  })
})
