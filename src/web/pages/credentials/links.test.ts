/** Invitations and password resets: a password or a passkey, and then signed in. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import {
  APPLICATION,
  type HostedPages,
  type NewUser,
  openHostedPages,
  TOTP_SECRET,
} from '../../../../test/support/hosted-pages.ts'
import { answerWithNewKey, leadsTo, says, signInWithPasskey, tokenIn } from '../../../../test/support/page-client.ts'
import { passwordCheck, userCheck } from '../../../../test/support/session-world.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

const PASSWORD = 'sturdy umbrella lagoon'
const chosen = { password: PASSWORD }
const json = { accept: 'application/json' }
const returnCode = { case: 'returnCode', value: {} } as const

suite('a link from a mail', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const reset = async (made?: NewUser) => {
    const { userId, loginName } = await world.addUser(made)
    const { passwordReset } = UserService.method
    const { verificationCode: code = '' } = await world.call(passwordReset, { userId, medium: returnCode }, world.owner)
    return { path: '/set-password', loginName, given: { userId, code } }
  }
  const invitation = async (made?: NewUser) => {
    const { userId, loginName } = await world.addUser({ password: undefined, ...made })
    const { createInviteCode } = UserService.method
    const { inviteCode: code = '' } = await world.call(
      createInviteCode,
      { userId, verification: returnCode },
      world.owner,
    )
    return { path: '/accept-invitation', loginName, given: { userId, code } }
  }
  const both = async (made?: NewUser) => [await reset(made), await invitation(made)]

  test('in the mail carries the user name, which the page shows without looking it up', async () => {
    const user = await world.addUser()
    await world.ask('/forgot-password', { form: { userName: user.loginName } })
    const [mail] = await world.mailsTo(user, 'password_reset', 1)
    const link = new URL(mail?.link ?? '')
    assert.equal(link.searchParams.get('loginName'), user.loginName)
    const page = await world.ask(`${link.pathname}${link.search}`)
    says(page, user.loginName)
    link.searchParams.set('loginName', '<b>x')
    assert.match((await world.ask(`${link.pathname}${link.search}`)).text, /&lt;b>x/)
  })

  test('is not sent where users cannot reset their password by themselves', async () => {
    const organizationId = await world.addOrganization({ allowsPasswordReset: false })
    const user = await world.addUser({ organizationId })
    const form = { userName: user.loginName, orgId: organizationId }
    for (const asked of [{}, { form }]) {
      const page = await world.ask(`/forgot-password?orgId=${organizationId}`, asked)
      assert.equal(page.status, 403)
      says(page, en.forgotten.closed)
      assert.doesNotMatch(page.text, /name="userName"/)
    }
    // Without the organization, the answer does not tell which users there are.
    const other = await world.addUser()
    const answers = [user, other].map(({ loginName }) =>
      world.ask('/forgot-password', { form: { userName: loginName } }),
    )
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200],
    )
    await world.mailsTo(other, 'password_reset', 1)
    assert.deepEqual(await world.mailsTo(user, 'password_reset', 0), [])
    assert.doesNotMatch((await world.ask(`/ui/login?orgId=${organizationId}`)).text, /forgot-password/)
  })

  test('sets a password, and the person is signed in', async () => {
    for (const { path, given, loginName } of await both()) {
      const done = await world.ask(path, { form: { ...given, ...chosen } })
      leadsTo(done, '/ui/account?done=password')
      const person = await findPerson(world.app, tokenIn(done))
      assert.deepEqual([person?.userName, person?.step], [loginName, 'none'])
    }
    const organizationId = await world.addOrganization({ defaultRedirectUri: APPLICATION })
    for (const { path, given } of await both({ organizationId })) {
      leadsTo(await world.ask(path, { form: { ...given, ...chosen } }), '/ui/login/done')
    }
  })

  test('does not replace the second factor', async () => {
    const { path, given } = await reset({ totpSecret: TOTP_SECRET })
    leadsTo(await world.ask(path, { form: { ...given, ...chosen } }), '/ui/login/second-factor')
    const organizationId = await world.addOrganization({ requiresSecondFactor: true })
    const invited = await invitation({ organizationId })
    leadsTo(await world.ask(invited.path, { form: { ...invited.given, ...chosen } }), '/ui/login/set-up')
  })

  test('registers a passkey in place of a password, once, and the person signs in with it', async () => {
    for (const { path, given, loginName } of await both()) {
      const page = await world.ask(`${path}?${new URLSearchParams(given)}`)
      assert.match(page.text, /data-key="create"/)
      const old = await world.signIn({ userId: given.userId, loginName }).catch(() => undefined)
      const asked = await world.ask(path, { form: given, headers: json })
      const authenticator = newAuthenticator()
      const form = { ...given, ...answerWithNewKey(authenticator, asked) }
      const wrong = await world.ask(path, { form: { ...form, code: 'WRONG7' } })
      assert.equal(wrong.status, 400)
      const done = await world.ask(path, { form })
      assert.equal(done.status, 200, done.text)
      says(done, loginName)
      assert.match(done.text, /action="\/ui\/login\/passkey" data-key="get" data-begin="now"/)
      const person = await findPerson(world.app, await signInWithPasskey(world.ask, authenticator))
      assert.deepEqual([person?.userName, person?.step], [loginName, 'none'])
      if (old !== undefined) {
        await assert.rejects(world.get(old.sessionId))
        // An attacker who knows the old password does not get in with it.
        await assert.rejects(world.signIn({ userId: given.userId, loginName }), { code: 'password.wrong' })
      }
      // The link counts once.
      assert.equal((await world.ask(path, { form: given, headers: json })).status, 422)
      assert.equal((await world.ask(path, { form: { ...given, ...chosen } })).status, 400)
    }
  })

  test('an invitation with a passkey verifies the address', async () => {
    const { path, given } = await invitation({ isVerified: false })
    const asked = await world.ask(path, { form: given, headers: json })
    await world.ask(path, { form: { ...given, ...answerWithNewKey(newAuthenticator(), asked) } })
    const { user } = await world.call(UserService.method.getUserByID, { userId: given.userId }, world.owner)
    assert.ok(user?.type.case === 'human' && user.type.value.email?.isVerified === true)
  })

  test('that does not count says the same for every user, also to the script', async () => {
    for (const { path, given } of await both()) {
      const texts = new Set<string>()
      for (const wrong of [{ code: 'WRONG7' }, { userId: 'unknown', code: 'WRONG7' }]) {
        const answer = await world.ask(path, { form: { ...given, ...wrong }, headers: json })
        assert.equal(answer.status, 422)
        texts.add(answer.text)
      }
      assert.equal(texts.size, 1)
    }
  })

  test('that does not count says so when it is opened, the same for every user, and guessing is counted', async () => {
    const verification = async () => {
      const { userId, emailCode: code } = await world.addUser({ isVerified: false })
      return { path: '/verify-email', given: { userId, code } }
    }
    for (const { path, given } of [...(await both()), await verification()]) {
      const open = async (asked: Record<string, string>) => {
        const page = await world.ask(`${path}?${new URLSearchParams(asked)}`)
        return { ...page, text: page.text.replaceAll(asked.userId ?? '', 'whose') }
      }
      const unknown = await open({ userId: 'unknown', code: 'WRONG7' })
      assert.equal(unknown.status, 400, path)
      says(unknown, en.stale.title)
      assert.doesNotMatch(unknown.text, /type="password"|data-key/)
      assert.equal((await open(given)).status, 200)
      // Opened as often as one likes.
      assert.equal((await open(given)).status, 200)
      for (let tries = 0; tries < 8; tries++) {
        assert.equal((await open({ ...given, code: 'WRONG7' })).text, unknown.text)
      }
      // The right one among many guesses is none.
      assert.equal((await open(given)).text.replaceAll(given.code, 'WRONG7'), unknown.text)
    }
    const { path, given } = await invitation()
    await world.ask(path, { form: { ...given, ...chosen } })
    const used = await world.ask(`${path}?${new URLSearchParams(given)}`)
    assert.equal(used.status, 400)
    says(used, en.stale.title)
  })

  test('that was tried too often is answered like a wrong one', async () => {
    for (const { path, given } of await both()) {
      const unknown = await world.ask(path, { form: { userId: 'unknown', code: 'WRONG7', ...chosen } })
      for (let tries = 0; tries < 8; tries++) {
        const answer = await world.ask(path, { form: { ...given, code: 'WRONG7', ...chosen } })
        assert.equal(answer.text.replaceAll(given.userId, 'unknown'), unknown.text)
      }
      const script = await world.ask(path, { form: given, headers: json })
      assert.equal(script.status, 422)
    }
  })

  test('offers no passkey where the organization allows none', async () => {
    const organizationId = await world.addOrganization({ allowsPasskeys: false })
    for (const { path, given } of await both({ organizationId })) {
      const page = await world.ask(`${path}?${new URLSearchParams({ ...given, orgId: organizationId })}`)
      assert.doesNotMatch(page.text, /data-key/)
      assert.equal((await world.ask(path, { form: given, headers: json })).status, 422)
    }
  })

  test('an old session of another person ends when the new one begins', async () => {
    const other = await world.addUser()
    const { token, sessionId } = await world.signIn(other)
    const { path, given } = await reset()
    const headers = { cookie: `signet_session=${token}` }
    const done = await world.ask(path, { form: { ...given, ...chosen }, headers })
    assert.equal((await findPerson(world.app, tokenIn(done)))?.userId, given.userId)
    await assert.rejects(world.get(sessionId))
    await world.create({ checks: { ...userCheck(given), ...passwordCheck(PASSWORD) } })
  })
})
