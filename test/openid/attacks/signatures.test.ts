/** Attacks with signatures: no algorithm, another algorithm, another key, another client, another audience. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { ask, assertError, authorize, codeForm, post, signInFor } from '../../support/openid-flow.ts'
import {
  addApplicationKey,
  addMachineClient,
  assertionForm,
  assertionOf,
  type MachineClient,
  type OwnKey,
} from '../../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A token that is signed with the text of a public key, as if it were a shared secret. */
function signedWithPublicKey({ keyId, privateKey }: OwnKey, payload: JWTPayload): string {
  const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' })
  const text = `${base64url({ alg: 'HS256', kid: keyId, typ: 'JWT' })}.${base64url(payload)}`
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
}

/** A payload with the signatures that must not count. */
async function forged(key: OwnKey, payload: JWTPayload): Promise<readonly string[]> {
  const { privateKey: strange } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const header = { kid: key.keyId }
  const valid = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...header }).sign(key.privateKey)
  const [head = '', body = '', signature = ''] = valid.split('.')
  return [
    new UnsecuredJWT(payload).encode(),
    `${base64url({ alg: 'none', ...header })}.${body}.`,
    `${base64url({ alg: 'NONE', ...header })}.${body}.${signature}`,
    `${head}.${body}.`,
    signedWithPublicKey(key, payload),
    await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(Buffer.from('compared-by-hash')),
    await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...header }).sign(strange),
    await new SignJWT(payload).setProtectedHeader({ alg: 'RS512', ...header }).sign(key.privateKey),
    `${head}.${base64url({ ...payload, more: true })}.${signature}`,
    await new SignJWT(payload)
      .setProtectedHeader({
        alg: 'RS256',
        jwk: createPublicKey(strange).export({ format: 'jwk' }) as { kty: string },
        ...header,
      })
      .sign(strange),
  ]
}

suite('attacks with signatures', () => {
  let world: OpenIdWorld
  let application: Application
  let signer: Application
  let key: OwnKey
  let machine: MachineClient
  let plain: Application
  const now = () => Math.floor(Date.now() / 1000)

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({})
    plain = await world.addApplication({})
    signer = await world.addApplication({ authMethodType: 3, grantTypes: [0, 2] })
    key = await addApplicationKey(world, signer)
    machine = await addMachineClient(world)
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  test('an assertion of a client counts only with the signature of its own key', async () => {
    const claims = () => ({
      iss: signer.clientId,
      sub: signer.clientId,
      aud: world.url,
      iat: now(),
      exp: now() + 60,
      jti: String(Math.random()),
    })
    for (const assertion of await forged(key, claims())) {
      const form = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }
      const answer = await post(`${world.url}/oauth/v2/introspect`, form)
      assert.ok([400, 401].includes(answer.status), assertion)
      assert.ok(['invalid_client', 'invalid_request'].includes(answer.body.error), answer.text)
    }
    const wrong: JWTPayload[] = [
      { aud: 'https://other.example' },
      { exp: now() - 120 },
      { iss: application.clientId },
      { sub: application.clientId },
      { nbf: now() + 600 },
    ]
    for (const more of wrong) {
      const assertion = await new SignJWT({ ...claims(), ...more })
        .setProtectedHeader({ alg: 'RS256', kid: key.keyId })
        .sign(key.privateKey)
      const form = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }
      const answer = await post(`${world.url}/oauth/v2/introspect`, form)
      assertError(answer, 401, 'invalid_client')
    }
    const right = { token: 'x', ...(await assertionForm(world, signer, key)) }
    assert.equal((await post(`${world.url}/oauth/v2/introspect`, right)).status, 200)
  })

  test('an assertion of a machine counts only with the signature of its own key', async () => {
    const claims = { iss: machine.userId, sub: machine.userId, aud: world.url, iat: now(), exp: now() + 60 }
    for (const assertion of await forged(machine.key, claims)) {
      const form = { grant_type: JWT_BEARER, assertion, scope: 'openid' }
      assertError(await post(`${world.url}/oauth/v2/token`, form), 400, 'invalid_grant')
    }
    const ownerId = world.administratorId
    const wrong: JWTPayload[] = [
      { sub: ownerId },
      { iss: ownerId },
      { iss: ownerId, sub: ownerId },
      { aud: 'https://other.example' },
      { exp: now() - 60 },
      { iat: now() - 7200 },
      { iat: now() + 7200 },
    ]
    for (const more of wrong) {
      const assertion = await new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'RS256', kid: machine.key.keyId })
        .sign(machine.key.privateKey)
      const form = { grant_type: JWT_BEARER, assertion, scope: 'openid' }
      assertError(await post(`${world.url}/oauth/v2/token`, form), 400, 'invalid_grant')
    }
    const assertion = await assertionOf(machine.key, machine.userId, world.url)
    const form = { grant_type: JWT_BEARER, assertion, scope: 'openid' }
    assert.equal((await post(`${world.url}/oauth/v2/token`, form)).status, 200)
    assertError(await post(`${world.url}/oauth/v2/token`, form), 400, 'invalid_grant')
  })

  test('a key of an application is not a key of a machine, nor the other way round', async () => {
    const assertion = await assertionOf(key, machine.userId, world.url)
    const form = { grant_type: JWT_BEARER, assertion, scope: 'openid' }
    assertError(await post(`${world.url}/oauth/v2/token`, form), 400, 'invalid_grant')
    const client = await assertionOf(machine.key, signer.clientId, world.url)
    const asked = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion: client }
    assertError(await post(`${world.url}/oauth/v2/introspect`, asked), 401, 'invalid_client')
  })

  test('a request object counts only with the signature of the client', async () => {
    const claims = (clientId: string) => ({
      iss: clientId,
      aud: world.url,
      iat: now(),
      exp: now() + 60,
      client_id: clientId,
      response_type: 'code',
      redirect_uri: 'https://app.example/callback',
      scope: 'openid',
    })
    for (const client of [signer, plain]) {
      for (const request of await forged(key, claims(client.clientId))) {
        const { values } = await authorize(world, client, { request })
        assert.ok(['invalid_request_object', 'invalid_request'].includes(values.get('error') ?? ''), String(values))
      }
    }
    const request = await new SignJWT({ ...claims(signer.clientId), nonce: 'signed' })
      .setProtectedHeader({ alg: 'RS256', kid: key.keyId })
      .sign(key.privateKey)
    const { values } = await authorize(world, signer, { request, nonce: 'outside' })
    const form = codeForm(values, await assertionForm(world, signer, key))
    const answer = await post(`${world.url}/oauth/v2/token`, form)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(JSON.parse(Buffer.from(answer.body.id_token.split('.')[1], 'base64url').toString()).nonce, 'signed')
    const foreign = await new SignJWT(claims(plain.clientId))
      .setProtectedHeader({ alg: 'RS256', kid: key.keyId })
      .sign(key.privateKey)
    assert.equal((await authorize(world, plain, { request: foreign })).values.get('error'), 'invalid_request_object')
  })

  test('id_token_hint counts only with a signature of the server', async () => {
    const { id_token: hint, access_token: opaque } = await signInFor(world, application)
    const [head = '', body = '', signature = ''] = hint.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString())
    const published = (await ask(`${world.url}/oauth/v2/keys`)).body.keys.find(
      (one: { kid: string }) => one.kid === kid,
    )
    const pem = createPublicKey({ key: published, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
    const text = `${base64url({ alg: 'HS256', kid })}.${body}`
    const wrong = [
      ...(await forged({ ...key, keyId: kid }, payload)),
      `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`,
      `${head}.${base64url({ ...payload, sub: 'another' })}.${signature}`,
      `${base64url({ alg: 'none' })}.${body}.`,
      opaque,
    ]
    for (const token of wrong) {
      const { values } = await authorize(world, application, { id_token_hint: token })
      assert.equal(values.get('error'), 'invalid_request')
      const ended = await ask(`${world.url}/oidc/v1/end_session?id_token_hint=${encodeURIComponent(token)}`)
      assert.equal(ended.status, 400)
    }
  })

  test('a signed access token is not an ID token', async () => {
    const signed = await world.addApplication({ accessTokenType: 1 })
    const { access_token: token } = await signInFor(world, signed)
    const { values } = await authorize(world, signed, { id_token_hint: token })
    assert.equal(values.get('error'), 'invalid_request')
    assert.equal((await ask(`${world.url}/oidc/v1/end_session?id_token_hint=${token}`)).status, 400)
  })

  test('nothing that a client names is fetched', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      const { values } = await authorize(world, application, { request_uri: `${address}request.jwt` })
      assert.equal(values.get('error'), 'request_uri_not_supported')
      const registration = JSON.stringify({ jwks_uri: `${address}keys` })
      assert.equal(
        (await authorize(world, application, { registration })).values.get('error'),
        'registration_not_supported',
      )
      for (const header of [{ jku: `${address}keys` }, { x5u: `${address}cert` }]) {
        const claims = { iss: signer.clientId, sub: signer.clientId, aud: world.url, exp: now() + 60, jti: 'fetched' }
        const assertion = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', ...header })
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
        const form = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }
        assertError(await post(`${world.url}/oauth/v2/introspect`, form), 401, 'invalid_client')
        const machineForm = { grant_type: JWT_BEARER, assertion, scope: 'openid' }
        assertError(await post(`${world.url}/oauth/v2/token`, machineForm), 400, 'invalid_grant')
      }
      const { values: sector } = await authorize(world, application, {
        claims: JSON.stringify({ userinfo: { email: null }, _claim_sources: { a: { endpoint: address } } }),
      })
      assert.ok(sector.has('code'))
      assert.equal(asked, 0)
    } finally {
      server.close()
    }
  })
})
