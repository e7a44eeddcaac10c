/** The hosted pages as browsers and other clients ask for them, over both versions of HTTP. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, openHostedPages } from '../../test/support/hosted-pages.ts'
import { leadsTo, says, saysNot } from '../../test/support/page-client.ts'
import { passwordCheck, userCheck } from '../../test/support/session-world.ts'
import { DEFAULT_PASSWORD_POLICY } from '../crypto/passwords/index.ts'
import { SETUP_LINK_FILE } from '../features/onboarding/index.ts'
import { textsIn } from './language.ts'

const [de, en] = [textsIn('de'), textsIn('en')]

const PASSWORD = 'sturdy umbrella lagoon'
const chosen = { password: PASSWORD }
const returnCode = { case: 'returnCode', value: {} } as const

let world: HostedPages
/** An organization with rules of its own for passwords. */
let strictId: string
before(async () => {
  world = await openHostedPages()
  strictId = await world.addOrganization()
  const inStrict = { ...world.owner, organizationId: strictId }
  const rules = { minLength: 15, hasSymbol: true }
  await world.call(ManagementService.method.addCustomPasswordComplexityPolicy, rules, inStrict)
})
after(() => world.close())

async function newEmailCode() {
  const { userId, emailCode: code } = await world.addUser({ isVerified: false })
  return { userId, code }
}

async function newResetCode() {
  const { userId } = await world.addUser()
  const { passwordReset } = UserService.method
  const { verificationCode = '' } = await world.call(passwordReset, { userId, medium: returnCode }, world.owner)
  return { userId, code: verificationCode }
}

async function newInvitation() {
  const { userId } = await world.addUser({ password: undefined })
  const { createInviteCode } = UserService.method
  const { inviteCode = '' } = await world.call(createInviteCode, { userId, verification: returnCode }, world.owner)
  return { userId, code: inviteCode }
}

async function readSetUpLink() {
  const { searchParams } = new URL(await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8'))
  return { userId: searchParams.get('user') ?? '', code: searchParams.get('code') ?? '', email: 'ada@example.com' }
}

suite('hosted pages', () => {
  test('opening a link verifies nothing, pressing its button does', async () => {
    for (const [version, ask] of world.clients) {
      const right = await newEmailCode()
      const mark = await world.mark()
      const link = `/verify-email?${new URLSearchParams(right)}`
      const page = await ask(link)
      assert.equal(page.status, 200, version)
      assert.match(page.text, /<form method="post" action="\/verify-email"/)
      assert.ok(page.text.includes(`value="${right.code}"`))
      assert.equal((await ask(link, { method: 'HEAD' })).text, '')
      assert.deepEqual(await world.eventsSince(mark), [])
      const done = await ask('/verify-email', { form: right })
      assert.equal(done.status, 200)
      says(done, en.verifyEmail.done)
      const { user } = await world.call(UserService.method.getUserByID, right, world.owner)
      assert.ok(user?.type.case === 'human' && user.type.value.email?.isVerified === true)
    }
  })

  test('a link without its code asks for the code, one without its user says what is missing', async () => {
    assert.match((await world.ask('/verify-email?userId=u1')).text, /autocomplete="one-time-code"/)
    const empty = await world.ask('/verify-email', { form: { userId: 'u1', code: ' ' } })
    assert.equal(empty.status, 422)
    assert.match(empty.text, /role="alert".*href="#code"/s)
    for (const path of ['/verify-email', '/set-password?userId=u1', '/accept-invitation?code=X', '/setup?user=u1']) {
      const page = await world.ask(path)
      assert.equal(page.status, 400, path)
      says(page, en.incomplete.title)
    }
    const { userId, code } = await newEmailCode()
    const hostile = await world.ask('/verify-email', { form: { userId: `${userId}\0`, code } })
    assert.equal(hostile.status, 400)
  })

  test('a code that does not count leads to a new one, and the answer is the same for everybody', async () => {
    const invited = await world.addUser({ password: undefined })
    const sendCode = { case: 'sendCode', value: {} } as const
    const invitation = { userId: invited.userId, verification: sendCode }
    await world.call(UserService.method.createInviteCode, invitation, world.owner)
    for (const [path, user, type, mails] of [
      ['/verify-email', await newEmailCode(), 'verify_email', 1],
      ['/set-password', await world.addUser(), 'password_reset', 1],
      ['/accept-invitation', invited, 'invitation', 2],
    ] as const) {
      const { userId } = user
      const refused = await world.ask(path, { form: { userId, code: 'WRONG7', ...chosen } })
      assert.equal(refused.status, 400)
      says(refused, en.stale.title)
      assert.match(refused.text, /name="again"/)
      assert.ok(!refused.text.includes('WRONG7'))
      const sent = await world.ask(path, { form: { userId, again: 'yes' } })
      assert.equal(sent.status, 200)
      assert.equal((await world.mailsTo(user, type, mails)).length, mails)
      const other = await world.ask(path, { form: { userId: 'unknown', again: 'yes' } })
      assert.equal(other.text, sent.text)
    }
    const { userId } = await readSetUpLink()
    const setup = await world.ask('/setup', { form: { userId, code: 'WRONG7', ...chosen } })
    says(setup, en.stale.setupText)
    assert.doesNotMatch(setup.text, /name="again"/)
  })

  test('mails of a kind to one user are sent three times, then only after a while; the answer does not change', async () => {
    const user = await newEmailCode()
    const ask = () => world.ask('/verify-email', { form: { userId: user.userId, again: 'yes' } })
    const answers = [await ask(), await ask(), await ask(), await ask(), await ask()]
    assert.equal(new Set(answers.map(({ text, status }) => `${status}${text}`)).size, 1)
    await sendToAnotherUser()
    assert.equal((await world.mailsTo(user, 'verify_email', 3)).length, 3)
    world.wait(15 * 60 * 1000)
    await ask()
    assert.equal((await world.mailsTo(user, 'verify_email', 4)).length, 4)
  })

  test('a password is set when it is good; mistakes stand where they were made', async () => {
    for (const [path, right, title] of [
      ['/set-password', await newResetCode(), undefined],
      ['/accept-invitation', await newInvitation(), undefined],
      ['/setup', await readSetUpLink(), en.setupDone.title],
    ] as const) {
      const mark = await world.mark()
      const kept = { ...right, orgId: strictId }
      const common = await world.ask(path, { form: { ...kept, password: 'password1234' } })
      assert.equal(common.status, 422)
      assert.match(common.text, /role="alert".*href="#password"/s)
      says(common, en.flaws.common)
      // The field to correct has the focus, and is described by what is wrong with it.
      assert.match(
        common.text,
        /id="password"[^>]* autofocus[^>]*aria-invalid="true"[^>]*aria-describedby="password-mistake rules"/,
      )
      for (const value of Object.values(kept)) assert.ok(common.text.includes(`value="${value}"`), value)
      assert.ok(!common.text.includes('password1234'))
      const weak = await world.ask(path, { form: { ...right, password: 'qwerty' } })
      assert.equal(weak.status, 422)
      const { minLength } = DEFAULT_PASSWORD_POLICY
      says(weak, en.flaws.too_short({ least: minLength }), en.flaws.common)
      const missing = await world.ask(path, { form: { ...right, password: '' } })
      assert.ok(missing.text.includes(`href="#password">${en.password.missing}`))
      assert.deepEqual(await world.eventsSince(mark), [])
      const done = await world.ask(path, { form: { ...right, ...chosen } })
      if (title === undefined) leadsTo(done, '/ui/account?done=password')
      else says(done, title)
      await world.create({ checks: { ...userCheck(right), ...passwordCheck(PASSWORD) } })
    }
  })

  test('the rules are those of the organization in the link', async () => {
    const link = `/set-password?${new URLSearchParams(await newResetCode())}`
    const usual = await world.ask(link)
    says(usual, en.password.atLeast({ count: DEFAULT_PASSWORD_POLICY.minLength }))
    saysNot(usual, en.password.needsSymbol)
    const strict = await world.ask(`${link}&orgId=${strictId}`)
    says(strict, en.password.atLeast({ count: 15 }), en.password.needsSymbol)
  })

  test('a server with too much to do says so', async (t) => {
    const server = await world.serveBusy()
    t.after(() => server.close())
    const busy = await server.ask('/set-password', { form: { ...(await newResetCode()), ...chosen } })
    assert.equal(busy.status, 429)
    assert.equal(busy.header('retry-after'), '5')
  })

  test('who has forgotten a password hears the same for every name', async () => {
    const user = await world.addUser()
    const known = await world.ask('/forgot-password', { form: { userName: ` ${user.loginName.toUpperCase()} ` } })
    const texts = new Set<string>()
    for (const userName of [user.loginName, 'unknown', 'x'.repeat(5_000), 'nul\0']) {
      texts.add((await world.ask('/forgot-password', { form: { userName } })).text)
    }
    assert.deepEqual([...texts], [known.text])
    await sendToAnotherUser()
    assert.equal((await world.mailsTo(user, 'password_reset', 2)).length, 2)
    const empty = await world.ask('/forgot-password', { form: { userName: ' ' } })
    assert.equal(empty.status, 422)
    assert.match(empty.text, /role="alert"/)
  })

  test('a failure to send changes no answer', async () => {
    const { loginName: userName } = await world.addUser()
    const failing = await world.serveFailing(new Error('no mail today'), 'write')
    const answer = await failing.ask('/forgot-password', { form: { userName } })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, (await world.ask('/forgot-password', { form: { userName } })).text)
    while (failing.faults.length === 0) await sleep(5)
    assert.equal(failing.faults.length, 1)
  })

  test('what was typed is shown as text, never as markup', async () => {
    const page = await world.ask(`/verify-email?userId=${encodeURIComponent('"><script>alert(1)</script>')}&code=x`)
    assert.doesNotMatch(page.text, /<script/)
    assert.match(page.text, /value="&quot;>&lt;script>/)
  })

  test('a body that is no form or too long for one is refused', async () => {
    for (const [version, ask] of world.clients) {
      const json = await ask('/verify-email', { form: '{}', headers: { 'content-type': 'application/json' } })
      assert.equal(json.status, 415, version)
      const long = await ask('/verify-email', { form: `userId=u1&code=${'x'.repeat(20_000)}` })
      assert.equal(long.status, 413, version)
    }
  })
})

/** Once this mail waits, those that were asked for before it wait too. */
async function sendToAnotherUser(): Promise<void> {
  const user = await world.addUser()
  await world.ask('/forgot-password', { form: { userName: user.loginName } })
  await world.mailsTo(user, 'password_reset', 1)
}

suite('the language of a page', () => {
  test('is that of the address, else the best that the browser accepts, else English', async () => {
    const spoken = async (path: string, accepted?: string) => {
      const page = await world.ask(path, { headers: { 'accept-language': accepted ?? '*' } })
      assert.equal(page.header('content-language'), /<html lang="(\w+)"/.exec(page.text)?.[1])
      return page.header('content-language')
    }
    assert.equal(await spoken('/forgot-password'), 'en')
    assert.equal(await spoken('/forgot-password', 'sv, fr-CA;q=0.8, de;q=0.9'), 'de')
    assert.equal(await spoken('/forgot-password', 'de;q=0, fr;q=0.1'), 'fr')
    assert.equal(await spoken('/forgot-password?lang=de-AT', 'fr'), 'de')
    assert.equal(await spoken('/forgot-password', 'pt-BR, en;q=0.5'), 'pt')
    assert.equal(await spoken('/forgot-password', 'zh-Hans-CN, zh;q=0.9'), 'zh')
    assert.equal(await spoken('/forgot-password?lang=__proto__', 'fr'), 'fr')
  })

  test('goes with the form to its answer', async () => {
    const page = await world.ask('/forgot-password?lang=de')
    assert.match(page.text, /<input type="hidden" name="lang" value="de"/)
    says(await world.ask('/forgot-password', { form: { userName: 'ada', lang: 'de' } }), de.sent.title)
  })

  test('can be changed without losing what stands in the address', async () => {
    const page = await world.ask('/verify-email?userId=u1&code=ABC')
    assert.match(page.text, /href="\/verify-email\?userId=u1&amp;code=ABC&amp;lang=fr&amp;choose=yes"/)
  })
})
