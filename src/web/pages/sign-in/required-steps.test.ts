/** The steps that an organization requires after the password: a second factor, and a new password. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import { HOUR, type HostedPages, openHostedPages, TOTP_SECRET } from '../../../../test/support/hosted-pages.ts'
import {
  answerWithKey,
  answerWithNewKey,
  hiddenIn,
  holding,
  keeping,
  leadsTo,
  says,
  tokenIn,
} from '../../../../test/support/page-client.ts'
import { PASSWORD, passwordCheck, userCheck } from '../../../../test/support/session-world.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { findPerson } from '../../../features/sign-in/index.ts'

const SET_UP = '/ui/login/set-up'
const NEW_PASSWORD = '/ui/login/new-password'
const chosen = { password: 'a new sturdy one' }

suite('a required second factor', () => {
  let world: HostedPages
  let organizationId: string
  before(async () => {
    world = await openHostedPages()
    organizationId = await world.addOrganization({ requiresSecondFactor: true })
  })
  after(() => world.close())

  test('an app that was set up with a correct code is not asked for another one', async () => {
    const headers = holding((await world.signIn(await world.addUser({ organizationId }))).token)
    const app = await world.ask(SET_UP, { form: { do: 'app' }, headers })
    const kept = { do: 'verify', uri: hiddenIn(app, 'uri'), secret: hiddenIn(app, 'secret') }
    const code = totpCode(kept.secret, totpStep(world.clock.now))
    const done = await world.ask(SET_UP, { form: { ...kept, code, next: '/ui/account/keys' }, headers })
    leadsTo(done, '/ui/account/keys')
    assert.equal((await findPerson(world.app, tokenIn(done)))?.step, 'none')
  })

  test('a passkey is offered, and signs in with both factors at once', async () => {
    const user = await world.addUser({ organizationId })
    const headers = holding((await world.signIn(user)).token)
    says(await world.ask(SET_UP, { headers }), 'Add a passkey')
    const asked = await world.ask(SET_UP, { form: { do: 'passkey' }, headers })
    const authenticator = newAuthenticator()
    const made = await world.ask(SET_UP, {
      form: { do: 'passkey', ...answerWithNewKey(authenticator, asked) },
      headers,
    })
    assert.equal(made.status, 200)
    assert.match(made.text, /action="\/ui\/login\/passkey" data-key="get" data-begin="now"/)
    const challenge = await world.ask('/ui/login/passkey', { form: {}, headers })
    const cookie = `${headers.cookie}; ${keeping(challenge).cookie}`
    const form = answerWithKey(authenticator, challenge)
    const signed = await world.ask('/ui/login/passkey', { form, headers: { cookie } })
    const person = await findPerson(world.app, tokenIn(signed))
    assert.deepEqual([person?.userId, person?.step], [user.userId, 'none'])
  })

  test('a person with a passkey uses it instead of setting up another factor', async () => {
    const user = await world.addUser({ organizationId })
    await world.addKey(user, 'passkey')
    const page = await world.ask(SET_UP, { headers: holding((await world.signIn(user)).token) })
    assert.match(page.text, /action="\/ui\/login\/passkey" data-key="get"/)
    const cautious = await world.addUser({ totpSecret: TOTP_SECRET })
    await world.addKey(cautious, 'passkey')
    const headers = holding((await world.signIn(cautious)).token)
    assert.match((await world.ask('/ui/login/second-factor', { headers })).text, /action="\/ui\/login\/passkey"/)
  })

  test('no passkey is offered where it does not count as two factors, or cannot be used', async () => {
    const oneFactor = await world.addOrganization({ requiresSecondFactor: true, multiFactors: [] })
    const token = (await world.signIn(await world.addUser({ organizationId: oneFactor }))).token
    assert.doesNotMatch((await world.ask(SET_UP, { headers: holding(token) })).text, /value="passkey"/)
    const refused = await world.ask(SET_UP, { form: { do: 'passkey' }, headers: holding(token) })
    assert.match(refused.text, /<h1>/)
    const other = (await world.signIn(await world.addUser({ organizationId }))).token
    const numeric = { ...holding(other), host: '127.0.0.1:8080' }
    assert.doesNotMatch((await world.askHttp2(SET_UP, { headers: numeric })).text, /data-key/)
  })
})

suite('a required new password', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  test('is set without entering again the one that was just entered', async () => {
    const user = await world.addUser({ mustChangePassword: true })
    const headers = holding((await world.signIn(user)).token)
    const page = await world.ask(NEW_PASSWORD, { headers })
    assert.doesNotMatch(page.text, /id="current"/)
    leadsTo(
      await world.ask(NEW_PASSWORD, { form: { ...chosen, next: '/ui/account/keys' }, headers }),
      '/ui/account/keys',
    )
    await world.create({ checks: { ...userCheck(user), ...passwordCheck(chosen.password) } })
  })

  test('asks for the current one where it was entered long ago', async () => {
    const user = await world.addUser({ mustChangePassword: true })
    const headers = holding((await world.before(HOUR, () => world.signIn(user))).token)
    assert.match((await world.ask(NEW_PASSWORD, { headers })).text, /id="current"/)
    const missing = await world.ask(NEW_PASSWORD, { form: chosen, headers })
    assert.equal(missing.status, 422)
    leadsTo(await world.ask(NEW_PASSWORD, { form: { ...chosen, current: PASSWORD }, headers }), '/ui/account')
  })

  test('a password that a person changes by choice still needs the current one', async () => {
    const headers = holding((await world.signIn(await world.addUser())).token)
    const page = await world.ask('/ui/account/password', { headers })
    assert.match(page.text, /id="current"/)
    assert.equal((await world.ask('/ui/account/password', { form: chosen, headers })).status, 422)
  })
})
