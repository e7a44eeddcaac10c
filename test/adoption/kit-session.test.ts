/** The kit's sessions: signing in and out, and each way in which a cookie or a callback can be wrong. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { memoryStore, SettingError, signet } from '../../packages/server/index.ts'
import { APP, codeFor, jar, openKit, SECRET, sessionOf, signIn, startSignIn, visit } from './kit-world.ts'
import { type PlayedIssuer, playIssuer } from './played-issuer.ts'

const ROLES = 'urn:zitadel:iam:org:project:roles'

suite('a session of the kit', () => {
  let issuer: PlayedIssuer

  before(async () => {
    issuer = await playIssuer()
  })
  after(() => issuer.close())

  test('begins with a sign-in, says who it is, and ends without a question', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    assert.equal(await sessionOf(kit, browser), undefined)
    const back = await signIn(kit, issuer, browser, '?returnTo=/photos?page=2')
    assert.deepEqual([back.status, back.headers.get('location')], [303, `${APP}/photos?page=2`])
    const session = await sessionOf(kit, browser)
    assert.equal(session?.sub, 'ada')
    assert.equal(session?.claims.name, 'Ada Lovelace')
    assert.doesNotMatch(JSON.stringify(session), /access-|eyJ/, 'no token is in what pages read')
    const out = await visit(kit, browser, '/auth/sign-out')
    assert.match(out.headers.get('location') ?? '', /\/end\?.*id_token_hint=eyJ/)
    assert.equal(await sessionOf(kit, browser), undefined)
    assert.deepEqual([...browser.cookies.keys()], [])
  })

  test('with many roles is in several cookies, and one that is too large is refused and says so', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    const roles = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`role-number-${index}`, { 1: 'example.com' }]))
    issuer.profile = { sub: 'ada', name: 'Ada Lovelace', [ROLES]: roles(200) }
    await signIn(kit, issuer, browser)
    assert.ok([...browser.cookies].every(([name, value]) => name.length + value.length < 4000))
    assert.equal((await sessionOf(kit, browser))?.roles.length, 200)
    const before = browser.cookies.size
    assert.ok(before >= 2)
    issuer.profile = { sub: 'ada', name: 'Ada Lovelace', [ROLES]: roles(2000) }
    const late = jar()
    const answer = await signIn(kit, issuer, late)
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), /^The session needs \d+ bytes; 5 cookies hold \d+\./)
    assert.equal(await sessionOf(kit, late), undefined)
    // A smaller one leaves no parts of the larger one behind.
    issuer.profile = { sub: 'ada', name: 'Ada Lovelace' }
    await signIn(kit, issuer, browser)
    assert.equal(browser.cookies.size, 1)
  })

  test('is not read from cookies that were cut, reordered, exchanged or added to', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    const many = Array.from({ length: 400 }, (_, index) => [`role-number-${index}`, { 1: 'example.com' }])
    issuer.profile = { sub: 'ada', [ROLES]: Object.fromEntries(many) }
    await signIn(kit, issuer, browser)
    issuer.profile = { sub: 'ada', name: 'Ada Lovelace' }
    const good = new Map(browser.cookies)
    assert.ok(good.size >= 3, `${good.size} parts`)
    assert.ok(await sessionOf(kit, browser))
    const name = [...good.keys()][0]?.replace(/\.0$/, '') ?? ''
    const at = (part: number) => good.get(`${name}.${part}`) ?? ''
    const wrong: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
      cut: [[`${name}.1`, at(1).slice(0, -1)]],
      'without its end': [[`${name}.${good.size - 1}`, '']],
      reordered: [
        [`${name}.1`, at(2)],
        [`${name}.2`, at(1)],
      ],
      changed: [[`${name}.0`, at(0).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]],
      'of six parts': [
        [`${name}.0`, at(0).replace(/^\d+/, '6')],
        ...[1, 2, 3, 4, 5].map((part) => [`${name}.${part}`, at(part)] as const),
      ],
      'of no parts': [[`${name}.0`, at(0).replace(/^\d+/, '0')]],
      'of very many parts': [[`${name}.0`, at(0).replace(/^\d+/, '999999999')]],
    }
    for (const [how, changes] of Object.entries(wrong)) {
      const bad = jar()
      for (const [key, value] of [...good, ...changes]) bad.cookies.set(key, value)
      assert.equal(await sessionOf(kit, bad), undefined, how)
    }
  })

  test('is not read from the cookie of another application, another key or another purpose', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    await signIn(kit, issuer, browser)
    const [[name = '', value = ''] = []] = browser.cookies
    const renamed = jar()
    renamed.cookies.set(name.replace('shop', 'notes'), value)
    assert.equal(await sessionOf(openKit(issuer, { clientId: 'notes' }), renamed), undefined)
    const other = openKit(issuer, { sessionSecret: SECRET.toUpperCase() })
    assert.equal(await sessionOf(other, browser), undefined)
    const asking = jar()
    await startSignIn(kit, asking)
    const [[signInName = '', signInValue = ''] = []] = asking.cookies
    const confused = jar()
    confused.cookies.set(signInName.replace('sign-in', 'session'), signInValue)
    assert.equal(await sessionOf(kit, confused), undefined)
    // The key of before counts while it is in the list.
    const next = openKit(issuer, { sessionSecret: [SECRET.toUpperCase(), SECRET] })
    assert.equal((await sessionOf(next, browser))?.sub, 'ada')
  })

  test('ends after its time', async () => {
    const browser = jar()
    let now = Date.now()
    const kit = openKit(issuer, { now: () => new Date(now), sessionSeconds: 60 })
    await signIn(kit, issuer, browser)
    assert.ok(await sessionOf(kit, browser))
    now += 61_000
    assert.equal(await sessionOf(kit, browser), undefined)
  })

  test('does not begin with the state or the nonce of another sign-in, twice, or with an error', async () => {
    const kit = openKit(issuer)
    const [mine, theirs] = [jar(), jar()]
    const own = await startSignIn(kit, mine)
    const foreign = await startSignIn(kit, theirs)
    const refused = async (browser: ReturnType<typeof jar>, query: string) => {
      const { status } = await visit(kit, browser, `/auth/callback?${query}`)
      assert.equal(status, 400, query)
      assert.equal(await sessionOf(kit, browser), undefined)
    }
    await refused(mine, `code=${codeFor(issuer, own.nonce)}&state=${foreign.state}`)
    const again = await startSignIn(kit, mine)
    await refused(mine, `code=${codeFor(issuer, foreign.nonce)}&state=${again.state}`)
    // A code that somebody else got, with a callback that never began here.
    await refused(jar(), `code=${codeFor(issuer, own.nonce)}&state=${own.state}`)
    const third = await startSignIn(kit, mine)
    const failed = await visit(kit, mine, `/auth/callback?error=access_denied&state=${third.state}`)
    assert.deepEqual(
      [failed.status, await failed.text()],
      [400, 'The sign-in failed: access_denied. Please start again.'],
    )
    const fourth = await startSignIn(kit, mine)
    const script = await visit(kit, mine, `/auth/callback?error=%3Cscript%3E&state=${fourth.state}`)
    assert.doesNotMatch(await script.text(), /script/)
    const fifth = await startSignIn(kit, mine)
    const query = `code=${codeFor(issuer, fifth.nonce)}&state=${fifth.state}`
    assert.equal((await visit(kit, mine, `/auth/callback?${query}`)).status, 303)
    mine.cookies.clear()
    await refused(mine, query)
  })

  test('never sends the browser or the code to another host', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    const evil = ['//evil.example', '/\\evil.example', '/%0d%0aLocation:%20//evil.example', 'https://evil.example']
    for (const returnTo of [...evil, '/\t/evil.example', '\r\n/x', '/x\r\nset-cookie: a=b', 'javascript:alert(1)']) {
      const answer = await visit(kit, browser, `/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
      if (answer.status === 400) continue
      const back = await signIn(kit, issuer, browser, `?returnTo=${encodeURIComponent(returnTo)}`)
      assert.ok(back.headers.get('location')?.startsWith(`${APP}/%0d%0a`), returnTo)
      assert.equal(back.headers.get('a'), null)
    }
    const { asked } = await startSignIn(kit, browser)
    assert.equal(asked.get('redirect_uri'), `${APP}/auth/callback`)
    // The header Host, and the host in the address of the request, are not believed.
    const { state, nonce } = await startSignIn(kit, browser)
    const answer = await kit.handle(
      new Request(`http://evil.example/auth/callback?code=${codeFor(issuer, nonce)}&state=${state}`, {
        headers: { cookie: browser.header(), host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      }),
    )
    assert.equal(answer.headers.get('location'), `${APP}/`)
  })

  test('is not ended by another site', async () => {
    const [kit, browser] = [openKit(issuer), jar()]
    await signIn(kit, issuer, browser)
    const answer = await visit(kit, browser, '/auth/sign-out', { 'sec-fetch-site': 'cross-site' })
    assert.equal(answer.status, 403)
    assert.ok(await sessionOf(kit, browser))
  })

  test('renews its tokens once for many requests, and keeps the new ones', async () => {
    const browser = jar()
    let now = Date.now()
    const kit = openKit(issuer, { now: () => new Date(now), resource: 'https://api.example.com' })
    await signIn(kit, issuer, browser)
    const first = (await sessionOf(kit, browser))?.accessToken
    now += 45_000
    issuer.asked.clear()
    const all = await Promise.all(Array.from({ length: 20 }, () => sessionOf(kit, browser)))
    assert.equal(issuer.asked.get('/token'), 1)
    const tokens = new Set(all.map((session) => session?.accessToken))
    assert.deepEqual([tokens.size, tokens.has(first)], [1, false])
    // A late request with the cookie of before gets the same tokens.
    assert.ok(tokens.has((await sessionOf(kit, browser))?.accessToken))
    const answer = new Response()
    for (const cookie of all[0]?.cookies ?? []) answer.headers.append('set-cookie', cookie)
    browser.keep(answer)
    assert.ok(tokens.has((await sessionOf(kit, browser))?.accessToken))
    assert.equal(issuer.asked.get('/token'), 1)
    // A refresh token that was revoked ends the session.
    issuer.refreshTokens.clear()
    now += 60_000
    assert.equal(await sessionOf(kit, browser), undefined)
  })

  test('ends when Signet says so, for a notice that is signed, new, and for this application', async () => {
    const store = memoryStore()
    const [kit, browser] = [openKit(issuer, { store }), jar()]
    await signIn(kit, issuer, browser)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const notice = (more = {}, typ = 'logout+jwt') =>
      issuer.sign(issuer.claims('shop', { jti: 'j', sid: 'sid-1', events, ...more }), typ)
    const tell = async (token: string) => {
      const body = new URLSearchParams({ logout_token: token })
      return (await kit.handle(new Request(`${APP}/auth/backchannel-logout`, { method: 'POST', body }))).status
    }
    const old = Math.floor(Date.now() / 1000) - 1000
    for (const wrong of [
      await notice({ aud: 'notes' }),
      await notice({ nonce: 'n' }),
      await notice({ events: {} }),
      await notice({ iat: old }),
      await notice({ sid: undefined, sub: undefined }),
      await notice({}, 'JWT'),
      'nonsense',
    ])
      assert.equal(await tell(wrong), 400)
    assert.equal(await tell(await notice({ sid: 'sid-2' })), 200)
    assert.ok(await sessionOf(kit, browser), 'another session has ended')
    assert.equal(await tell(await notice()), 200)
    assert.equal(await sessionOf(kit, browser), undefined)
  })
})

suite('a setting of the kit that is wrong', () => {
  const good = {
    issuer: 'https://id.example.com',
    clientId: '1',
    clientSecret: '2',
    appUrl: APP,
    sessionSecret: SECRET,
  }
  const wrong = {
    'clientId (CLIENT_ID) is missing': { clientId: '' },
    'issuer (ISSUER) must be an https URL': { issuer: 'http://id.example.com' },
    'issuer (ISSUER) is not a URL': { issuer: 'id.example.com' },
    'appUrl (APP_URL) must have no path': { appUrl: 'https://example.com/app' },
    'sessionSecret (SESSION_SECRET) must have at least 32 characters': { sessionSecret: 'short' },
    'introspectionSeconds must be a whole number from 0 to 30': { introspectionSeconds: 31 },
    'path must begin with a slash': { path: 'auth' },
    'sesionSecret is not a setting': { sesionSecret: SECRET },
  }
  for (const [message, change] of Object.entries(wrong)) {
    test(`throws at the start: ${message}`, () => {
      assert.throws(
        () => signet({ ...good, ...change }),
        (error: Error) => error instanceof SettingError && error.message.startsWith(message),
      )
    })
  }
})
