/** The pages for signing in, before rooms of paper. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openHostedPages, type Told } from '../../test/support/hosted-pages.ts'
import { RIGHT_CODE_OF_APP, RIGHT_PASSWORD, TOKENS } from '../../test/support/paper-account.ts'
import { ownPath } from './addresses.ts'

type House = Awaited<ReturnType<typeof openHostedPages>>

function holding(token: string) {
  return { cookie: `other=1; signet_session=${token}` }
}
const ADA = { userName: 'ada', password: RIGHT_PASSWORD }
const RIGHT_KEY = JSON.stringify({ id: 'right' })

suite('signing in', () => {
  let house: House
  before(async () => {
    house = await openHostedPages()
  })
  after(() => house.close())
  const leadsTo = (answer: Told, location: string) =>
    assert.deepEqual([answer.status, answer.header('location')], [303, location], answer.text)

  test('with user name and password sets a cookie that only this server sees, and leads on', async () => {
    for (const [version, ask] of house.askers) {
      const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
      const count = house.deeds.length
      const answer = await ask('/ui/login', { form: ADA, headers: { 'user-agent': agent, ...holding('old') } })
      leadsTo(answer, '/ui/account')
      assert.equal(
        answer.header('set-cookie'),
        'signet_session=token-done; Path=/; HttpOnly; SameSite=Lax; Max-Age=600',
        version,
      )
      assert.deepEqual(house.deeds.slice(count), ['sign in ada Firefox, Linux old'])
    }
  })

  test('over https the cookie is locked to the host', async (t) => {
    const secure = await openHostedPages({}, 'https://id.example.com')
    t.after(() => secure.close())
    const answer = await secure.ask('/ui/login', { form: ADA })
    assert.match(answer.header('set-cookie') ?? '', /^__Host-signet_session=token-done; .*Secure; /)
    const open = await secure.ask('/ui/account', { headers: holding(TOKENS.done) })
    leadsTo(open, '/ui/login?next=%2Fui%2Faccount')
    const locked = await secure.ask('/ui/account', { headers: { cookie: `__Host-signet_session=${TOKENS.done}` } })
    assert.equal(locked.status, 200)
  })

  test('on plain http of another machine it is not possible, and the page says why', async (t) => {
    const elsewhere = await openHostedPages({}, 'http://192.0.2.7:8080')
    t.after(() => elsewhere.close())
    const [, [, ask]] = elsewhere.askers
    const page = await ask('/ui/login', { headers: { host: '192.0.2.7:8080' } })
    assert.match(page.text, /Connection not secure/)
    const proxied = await ask('/ui/login', { headers: { host: '192.0.2.7:8080', 'x-forwarded-proto': 'https' } })
    assert.equal(proxied.status, 200)
  })

  test('says one sentence whatever was wrong, keeps the name and never the password', async () => {
    const texts = new Set<string>()
    for (const password of ['wrong', 'x'.repeat(5_000), 'nul\0']) {
      const answer = await house.ask('/ui/login', { form: { userName: 'ada', password } })
      assert.equal(answer.status, 422)
      assert.equal(answer.header('set-cookie'), undefined)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1)
    const [text = ''] = texts
    assert.match(text, /role="alert".*The username or password is incorrect, or this account is currently unavailable/s)
    assert.match(text, /value="ada"/)
    assert.doesNotMatch(text, /value="wrong/)
    const empty = await house.ask('/ui/login', { form: { userName: ' ', password: '' } })
    assert.match(empty.text, /Enter your username.*Enter your password/s)
  })

  test('too many tries: how long to wait; too much to do: try again', async () => {
    const late = await house.ask('/ui/login', { form: { userName: 'ada', password: 'too often' } })
    assert.deepEqual([late.status, late.header('retry-after')], [429, '90'])
    assert.match(late.text, /Try again in 90 seconds/)
    const busy = await house.ask('/ui/login', { form: { userName: 'ada', password: 'busy' } })
    assert.deepEqual([busy.status, busy.header('retry-after')], [429, '5'])
  })

  test('leads to pages of ours only', async () => {
    for (const [next, location] of [
      ['/ui/account/password?a=1', '/ui/account/password?a=1'],
      ['//evil.example', '/ui/account'],
      ['/\\evil.example', '/ui/account'],
      ['https://evil.example', '/ui/account'],
      ['/\t/evil.example', '/ui/account'],
      ['javascript:alert(1)', '/ui/account'],
      ['', '/ui/account'],
    ] as const) {
      leadsTo(await house.ask('/ui/login', { form: { ...ADA, next } }), location)
      const query = new URLSearchParams({ next })
      leadsTo(await house.ask(`/ui/login?${query}`, { headers: holding(TOKENS.done) }), location)
      const page = await house.ask(`/ui/login?${query}`)
      assert.ok(!page.text.includes('value="//') && !page.text.includes('value="http'))
    }
    for (const trick of ['/a\\b', '/%0d%0a', '/\u2028x', `/${'x'.repeat(3000)}`, '/ /x', '/..//evil.example']) {
      const path = ownPath(trick)
      assert.ok(path === undefined || new URL(path, 'https://own.example').origin === 'https://own.example', trick)
      assert.ok(!path?.startsWith('//'), trick)
    }
  })

  test('offers what the organization allows', async () => {
    const usual = await house.ask('/ui/login')
    assert.match(usual.text, /autocomplete="username webauthn".*data-begin="offer".*href="\/forgot-password"/s)
    const passkeys = await house.ask('/ui/login?orgId=passkeys-only')
    assert.doesNotMatch(passkeys.text, /name="password"|forgot-password/)
    const passwords = await house.ask('/ui/login?orgId=passwords-only')
    assert.doesNotMatch(passwords.text, /webauthn|<script|data-key/)
    assert.doesNotMatch((await house.ask('/ui/login?orgId=no-reset')).text, /forgot-password/)
  })

  test('with a passkey asks for one of anybody, and then for what it answered', async () => {
    const count = house.deeds.length
    const asked = await house.ask('/ui/login/passkey', { form: {}, headers: { accept: 'application/json' } })
    assert.equal(asked.text, '{"publicKey":{"challenge":"abc"}}')
    assert.match(asked.header('set-cookie') ?? '', /^signet_session=token-asked; /)
    const answered = await house.ask('/ui/login/passkey', {
      form: { credential: RIGHT_KEY, next: '/ui/account/keys' },
      headers: holding('token-asked'),
    })
    leadsTo(answered, '/ui/account/keys')
    assert.deepEqual(house.deeds.slice(count), ['ask passkey anybody localhost', 'show token-asked credential -'])
    for (const credential of ['{"id":"wrong"}', '[]', 'null', '"', '{"id":"gone"}']) {
      const headers = holding('token-asked')
      const refused = await house.ask('/ui/login/passkey', { form: { credential }, headers })
      assert.equal(refused.status, 422, credential)
      assert.match(refused.text, /not recognized/)
    }
    assert.equal((await house.ask('/ui/login/passkey', { form: { credential: RIGHT_KEY } })).status, 422)
    const [, [, ask]] = house.askers
    const bare = await ask('/ui/login/passkey', { form: {}, headers: { host: '127.0.0.1' } })
    assert.deepEqual([bare.status, Object.keys(JSON.parse(bare.text))], [400, ['message']])
  })

  test('again: whoever is signed in shows only that it is still them', async () => {
    const headers = holding(TOKENS.stale)
    const page = await house.ask('/ui/login?again=yes&next=/ui/account/keys', { headers })
    assert.match(page.text, /Confirm it’s you/)
    assert.doesNotMatch(page.text, /id="userName"/)
    const count = house.deeds.length
    const form = { again: 'yes', password: RIGHT_PASSWORD, next: '/ui/account/keys', userName: 'somebody else' }
    leadsTo(await house.ask('/ui/login', { form, headers }), '/ui/account/keys')
    await house.ask('/ui/login/passkey', { form: { again: 'yes' }, headers })
    assert.deepEqual(house.deeds.slice(count), [
      `show ${TOKENS.stale} password -`,
      `ask passkey ${TOKENS.stale} localhost`,
    ])
    // Whoever has not finished signing in begins anew.
    for (const others of [{}, holding(TOKENS.second)]) {
      const page = await house.ask('/ui/login?again=yes', { headers: others })
      assert.match(page.text, /id="userName"/)
    }
  })

  test('each step has its page, and nobody gets past it', async () => {
    for (const [token, path] of [
      [TOKENS.second, '/ui/login/second-factor'],
      [TOKENS.setUp, '/ui/login/set-up'],
      [TOKENS.change, '/ui/login/new-password'],
    ] as const) {
      const headers = holding(token)
      for (const page of ['/ui/account', '/ui/account/keys', '/ui/account/password', '/ui/login/done']) {
        leadsTo(await house.ask(page, { headers }), `${path}?next=${encodeURIComponent(page)}`)
      }
      for (const page of ['/ui/account/sessions', '/ui/account/keys', '/ui/account/totp', '/ui/account/otp']) {
        const count = house.deeds.length
        leadsTo(await house.ask(page, { form: { do: 'remove', id: 'key-1' }, headers }), path)
        assert.equal(house.deeds.length, count, page)
      }
      assert.equal((await house.ask(path, { headers })).status, 200)
      assert.equal((await house.ask(path, { headers: holding(TOKENS.done) })).status, 303)
    }
  })

  test('a second factor: the handiest first, others beside it, and a mistake says nothing about why', async () => {
    const headers = holding(TOKENS.second)
    const path = '/ui/login/second-factor'
    const page = await house.ask(`${path}?next=/ui/account/keys`, { headers })
    assert.match(
      page.text,
      /Use security key.*Try another way.*with=totp.*with=otp_email.*with=otp_sms.*with=recovery_code/s,
    )
    const wrong = await house.ask(path, { form: { with: 'totp', code: '000000' }, headers })
    assert.match(wrong.text, /incorrect, has expired or was already used/)
    assert.doesNotMatch(wrong.text, /000000/)
    const count = house.deeds.length
    for (const factor of ['totp', 'otp_sms', 'otp_email', 'recovery_code']) {
      const form = { with: factor, code: ` ${RIGHT_CODE_OF_APP} `, next: '/ui/account/keys' }
      leadsTo(await house.ask(path, { form, headers }), '/ui/account/keys')
      assert.equal(house.deeds.at(-1), `show ${TOKENS.second} factor ${factor}`)
    }
    leadsTo(await house.ask(path, { form: { with: 'u2f', credential: RIGHT_KEY }, headers }), '/ui/account')
    assert.equal(house.deeds.length - count, 5)
    assert.equal((await house.ask(path, { form: { with: 'totp', code: 'too often' }, headers })).status, 429)
    leadsTo(await house.ask(path, { form: { with: 'totp', code: 'gone' }, headers }), '/ui/login')
    assert.match((await house.ask(path, { form: { with: 'totp', code: '' }, headers })).text, /Enter the code/)
  })

  test('a code is sent when it is asked for, and the page then takes it', async () => {
    const headers = holding(TOKENS.second)
    const path = '/ui/login/second-factor'
    const before = await house.ask(`${path}?with=otp_email`, { headers })
    assert.doesNotMatch(before.text, /id="code"/)
    const sent = await house.ask(path, { form: { with: 'otp_email', send: 'yes', next: '/ui/account/keys' }, headers })
    assert.equal(house.deeds.at(-1), `send ${TOKENS.second} otp_email`)
    assert.match(sent.text, /We sent a verification code.*id="code".*Send new code/s)
    assert.match(sent.text, /name="next" value="\/ui\/account\/keys"/)
    assert.match(sent.header('set-cookie') ?? '', /^signet_session=token-second; /)
    assert.match((await house.ask(`${path}?with=otp_sms`, { headers })).text, /id="code"/)
  })

  test('where a second factor is required and there is none, it is set up and then shown', async () => {
    const headers = holding(TOKENS.setUp)
    const path = '/ui/login/set-up'
    const app = await house.ask(path, { form: { do: 'app', next: '/ui/account/keys' }, headers })
    assert.match(app.text, /<svg class="qr"[^>]*role="img" aria-label="QR code[^"]*".*ABCD EFGH IJKL MNOP/s)
    const kept = { do: 'verify', uri: 'otpauth://totp/localhost:ada?secret=X', secret: 'ABCDEFGHIJKLMNOP' }
    const wrong = await house.ask(path, { form: { ...kept, code: '1' }, headers })
    assert.match(wrong.text, /This code is incorrect.*<svg class="qr"/s)
    const right = await house.ask(path, { form: { ...kept, code: RIGHT_CODE_OF_APP, next: '/ui/account' }, headers })
    leadsTo(right, '/ui/login/second-factor?next=%2Fui%2Faccount')
    const asked = await house.ask(path, { form: { do: 'key' }, headers })
    assert.deepEqual(JSON.parse(asked.text), { publicKey: { challenge: 'abc' }, keyId: 'key-9' })
    const made = await house.ask(path, { form: { do: 'key', keyId: 'key-9', credential: RIGHT_KEY }, headers })
    leadsTo(made, '/ui/login/second-factor')
  })

  test('a password that has to be changed is changed before anything else', async () => {
    const headers = holding(TOKENS.change)
    const path = '/ui/login/new-password'
    const twice = { password: 'a new sturdy one', repeated: 'a new sturdy one' }
    const wrong = await house.ask(path, { form: { current: 'wrong', ...twice }, headers })
    assert.match(wrong.text, /role="alert".*href="#current">The current password is incorrect/s)
    const right = await house.ask(path, {
      form: { current: RIGHT_PASSWORD, ...twice, next: '/ui/account/keys' },
      headers,
    })
    leadsTo(right, '/ui/account/keys')
    assert.equal(house.deeds.at(-1), 'change password u1 a new sturdy one')
  })

  test('afterwards the organization leads people where it wants them', async () => {
    const headers = holding(TOKENS.away)
    leadsTo(await house.ask('/ui/login', { headers }), '/ui/login/done')
    const page = await house.ask('/ui/login/done', { headers })
    assert.equal(page.header('refresh'), '0; url=https://app.example.com/start?a=1')
    leadsTo(await house.ask('/ui/login?next=/ui/account', { headers }), '/ui/account')
  })

  test('signing out ends the session and takes the cookie away', async () => {
    const answer = await house.ask('/ui/logout', { form: {}, headers: holding(TOKENS.done) })
    assert.equal(house.deeds.at(-1), `sign out ${TOKENS.done}`)
    assert.equal(answer.header('set-cookie'), 'signet_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    const count = house.deeds.length
    const strange = await house.ask('/ui/logout', {
      form: {},
      headers: { ...holding(TOKENS.done), 'sec-fetch-site': 'cross-site' },
    })
    assert.deepEqual([strange.status, house.deeds.length], [403, count])
  })

  test('a form of another site signs nobody in or out', async () => {
    const headers = { ...holding(TOKENS.done), 'sec-fetch-site': 'cross-site' }
    const count = house.deeds.length
    for (const path of house.pages.keys()) {
      if (!path.startsWith('/ui/')) continue
      const { status } = await house.ask(path, { form: { ...ADA, do: 'make' }, headers })
      assert.ok(status === 403 || status === 405, path)
    }
    assert.equal(house.deeds.length, count)
  })
})
