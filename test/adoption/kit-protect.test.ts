/** What the kit lets in: sessions, signed and opaque access tokens, and nothing that only looks like one. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { Demands } from '../../packages/server/index.ts'
import { APP, jar, type Kit, openKit, signIn } from './kit-world.ts'
import { type PlayedIssuer, playIssuer } from './played-issuer.ts'

const AUDIENCE = 'http://localhost:3000/api'

suite('protect of the kit', () => {
  let issuer: PlayedIssuer
  let kit: Kit

  before(async () => {
    issuer = await playIssuer()
    kit = openKit(issuer)
  })
  after(() => issuer.close())

  const ask = async (headers: Readonly<Record<string, string>>, demands: Demands = {}, method = 'GET', by = kit) => {
    const found = await by.protect(demands)(new Request(`${APP}/photos`, { method, headers }))
    if (!(found instanceof Response)) return found.sub
    return `${found.status} ${found.headers.get('www-authenticate')}`
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const token = (more = {}) => issuer.sign(issuer.claims(AUDIENCE, more))
  const INVALID = /^401 Bearer error="invalid_token"/

  test('lets in a session, a signed token and an opaque one', async () => {
    const browser = jar()
    await signIn(kit, issuer, browser)
    issuer.active.set('opaque', issuer.claims('shop'))
    assert.equal(await ask({ cookie: browser.header() }), 'ada')
    assert.equal(await ask(bearer(await token())), 'ada')
    assert.equal(await ask(bearer('opaque')), 'ada')
    assert.equal(await ask({}), '401 Bearer')
  })

  test('takes no ID token, signed or by introspection, whatever its audience', async () => {
    for (const aud of [AUDIENCE, 'shop', [AUDIENCE, 'shop']]) {
      const idToken = await issuer.sign(issuer.claims(AUDIENCE, { aud, azp: 'shop', nonce: 'n' }), 'JWT')
      assert.match(await ask(bearer(idToken)), INVALID)
      issuer.active.set(idToken, issuer.claims('shop'))
      assert.match(await ask(bearer(idToken)), INVALID, 'the issuer is not even asked')
    }
  })

  test('takes no token of another audience, no unsigned one, none by the secret of the application', async () => {
    assert.match(await ask(bearer(await token({ aud: 'https://other.example.com' }))), INVALID)
    assert.match(await ask(bearer(await token({ iss: 'https://other.example.com' }))), INVALID)
    assert.match(await ask(bearer(new UnsecuredJWT(issuer.claims(AUDIENCE)).encode())), INVALID)
    const header = { alg: 'HS256', kid: 'k', typ: 'at+jwt' }
    const bySecret = new SignJWT(issuer.claims(AUDIENCE)).setProtectedHeader(header)
    assert.match(await ask(bearer(await bySecret.sign(new TextEncoder().encode('the secret')))), INVALID)
    issuer.active.set('of-another', issuer.claims('notes'))
    assert.match(await ask(bearer('of-another')), INVALID)
    assert.match(await ask(bearer('unknown')), INVALID)
    assert.match(await ask({ authorization: 'Basic c2hvcDpzZWNyZXQ=' }), /^401 Bearer error="invalid_request"/)
  })

  test('takes no expired token, by the clock of the app', async () => {
    let now = Date.now()
    const moved = openKit(issuer, { now: () => new Date(now) })
    const good = await token()
    issuer.active.set('ends', issuer.claims('shop'))
    assert.equal(await ask(bearer(good), {}, 'GET', moved), 'ada')
    assert.equal(await ask(bearer('ends'), {}, 'GET', moved), 'ada')
    now += 601_000
    assert.match(await ask(bearer(good), {}, 'GET', moved), INVALID)
    assert.match(await ask(bearer('ends'), {}, 'GET', moved), INVALID)
  })

  test('remembers an answer about an opaque token for 30 seconds at most, or never', async () => {
    let now = Date.now()
    for (const [introspectionSeconds, expected] of [
      [30, [1, 1, 2]],
      [0, [1, 2, 3]],
    ] as const) {
      const counted = openKit(issuer, { now: () => new Date(now), introspectionSeconds })
      issuer.active.set('counted', issuer.claims('shop'))
      issuer.asked.delete('/introspect')
      const counts: unknown[] = []
      for (const wait of [0, 29_000, 2000]) {
        now += wait
        await ask(bearer('counted'), {}, 'GET', counted)
        counts.push(issuer.asked.get('/introspect'))
      }
      assert.deepEqual(counts, expected)
    }
  })

  test('says what is missing as RFC 6750 and RFC 9470 have it', async () => {
    const ROLES = 'urn:zitadel:iam:org:project:roles'
    const more = { scope: 'photos:read', [ROLES]: { viewer: {} }, acr: 'urn:signet:acr:1' }
    const auth_time = Math.floor(Date.now() / 1000) - 600
    const good = bearer(await token({ ...more, auth_time, 'urn:zitadel:iam:user:resourceowner:id': '7' }))
    assert.equal(await ask(good, { scopes: ['photos:read'], roles: ['viewer', 'editor'], organization: '7' }), 'ada')
    assert.match(
      await ask(good, { scopes: ['photos:read', 'photos:write'] }),
      /^403 Bearer error="insufficient_scope".*scope="photos:read photos:write"/,
    )
    assert.match(await ask(good, { roles: ['editor'] }), /^403 Bearer error="insufficient_scope"/)
    assert.match(await ask(good, { organization: '8' }), /^403/)
    assert.match(
      await ask(good, { acr: 'urn:signet:acr:2' }),
      /^401 Bearer error="insufficient_user_authentication".*acr_values="urn:signet:acr:2"/,
    )
    assert.match(await ask(good, { maxAge: 300 }), /error="insufficient_user_authentication".*max_age="300"/)
    assert.equal(await ask(good, { maxAge: 900, acr: 'urn:signet:acr:1' }), 'ada')
    // What the token does not say is not believed.
    assert.match(await ask(bearer(await token()), { maxAge: 300 }), /insufficient_user_authentication/)
    assert.throws(() => kit.protect({ scope: ['a'] } as never), /scope is nothing that can be demanded/)
  })

  test('takes no session for a change that another site asks for', async () => {
    const browser = jar()
    await signIn(kit, issuer, browser)
    const headers = { cookie: browser.header(), origin: 'http://evil.localhost:3000' }
    assert.match(await ask(headers, {}, 'POST'), /^403/)
    assert.equal(await ask({ ...headers, origin: APP }, {}, 'POST'), 'ada')
  })

  test('works as middleware of Node, with the same answers', async () => {
    const guard = kit.protect({ scopes: ['photos:read'] })
    const app: Server = createServer((request, response) => {
      kit.node(request, response, () =>
        guard.node(request, response, (error) => {
          response.statusCode = error === undefined ? 200 : 500
          response.end((request as { caller?: { sub: string } }).caller?.sub)
        }),
      )
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => app.once('listening', listening))
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    try {
      const good = await token({ scope: 'photos:read' })
      assert.equal(await (await fetch(url, { headers: bearer(good) })).text(), 'ada')
      assert.equal((await fetch(url, { headers: bearer(await token()) })).status, 403)
      const asked = await fetch(`${url}/auth/sign-in`, { redirect: 'manual' })
      assert.equal(asked.status, 303)
      assert.match(asked.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Lax/)
    } finally {
      app.close()
    }
  })
})
