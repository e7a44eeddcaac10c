/** The API of the list of frameworks: what it takes for an access token. Its issuer is played by this test. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { freePort } from '../support/free-port.ts'

const file = fileURLToPath(new URL('../../packages/create/frameworks/api/files/api.js', import.meta.url))
const SECRET = 'the secret of the application'

suite('the API of the list of frameworks', () => {
  let issuer: string
  let audience: string
  let server: Server
  let api: ChildProcess
  let key: CryptoKey
  const revoked = new Set<string>()

  before(async () => {
    const pair = await generateKeyPair('RS256')
    key = pair.privateKey
    const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }
    server = createServer(async (request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.method === 'GET') {
        response.end(JSON.stringify(keys))
        return
      }
      const [body] = (await once(request, 'data')) as [Buffer]
      const token = new URLSearchParams(body.toString()).get('token') ?? ''
      response.end(JSON.stringify({ active: !revoked.has(token) }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    audience = `http://localhost:${await freePort()}`
    api = spawn(process.execPath, [file], {
      env: { ISSUER: issuer, AUDIENCE: audience, CLIENT_ID: '1', CLIENT_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (api.stdout !== null) await once(api.stdout, 'data')
  })
  after(() => {
    api.kill()
    server.close()
  })

  const claims = (more: JWTPayload = {}) => ({
    iss: issuer,
    aud: audience,
    sub: 'ada',
    client_id: 'shop',
    exp: Math.floor(Date.now() / 1000) + 600,
    ...more,
  })
  const signed = (payload: JWTPayload, typ = 'at+jwt') =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k', typ }).sign(key)
  const call = async (token: string, method = 'GET') =>
    (await fetch(audience, { method, headers: { authorization: `Bearer ${token}` } })).status

  test('takes an access token for its address', async () => {
    assert.equal(await call(await signed(claims())), 200)
  })

  test('takes no ID token, even one with the same audience and no azp', async () => {
    const { client_id: _, ...claimsOfId } = claims()
    assert.equal(await call(await signed({ ...claimsOfId, nonce: 'n' }, 'JWT')), 401)
    assert.equal(await call(await signed(claims({ azp: 'shop' }), 'JWT')), 401)
  })

  test('takes no token for somebody else, of somebody else, or that is over', async () => {
    for (const wrong of [
      { aud: 'https://other.example.com' },
      { iss: 'https://other.example.com' },
      { exp: Math.floor(Date.now() / 1000) - 600 },
    ]) {
      assert.equal(await call(await signed(claims(wrong))), 401, JSON.stringify(wrong))
    }
  })

  test('takes no token that is not signed by the issuer', async () => {
    assert.equal(await call(new UnsecuredJWT(claims()).encode()), 401)
    const bySecret = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'k', typ: 'at+jwt' })
    assert.equal(await call(await bySecret.sign(new TextEncoder().encode(SECRET))), 401)
    assert.equal(await call('opaque'), 401)
  })

  test('asks whether a token was revoked before it changes something', async () => {
    const token = await signed(claims())
    assert.equal(await call(token, 'POST'), 200)
    revoked.add(token)
    assert.equal(await call(token, 'POST'), 401)
  })
})
