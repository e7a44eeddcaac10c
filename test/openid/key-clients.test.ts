/** Clients that nobody prepared and that prove themselves with a key of their own (`private_key_jwt`). */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { SignJWT } from 'jose'
import { type Instant, instant } from '../../src/kernel/instant.ts'
import {
  allow,
  allowAt,
  allowHere,
  CALLBACK,
  CLIENT,
  metadataOf,
  openRequest,
  openWeb,
  redeemCode,
} from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { ask, assertError, post } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, readToken, resource, setResources } from '../support/resources.ts'

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PAIRS: Readonly<Record<string, Pair>> = {
  RS256: RSA,
  PS256: RSA,
  ES256: EC,
  EdDSA: generateKeyPairSync('ed25519'),
}
const jwkOf = ({ publicKey }: Pair, kid: string, more = {}) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  ...more,
})
const KEYS_AT = 'https://keys.agent.example/jwks.json'
const BY_KEY = { token_endpoint_auth_method: 'private_key_jwt' }
const REQUEST = { resource: MCP, scope: 'offline_access tools:read', prompt: 'consent' }

for (const engine of engines) {
  suite(`clients with keys of their own on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let later = 0
    let number = 0

    before(async () => {
      world = await openOpenIdWorld({
        engine,
        fetchOutside: web.fetchOutside,
        clock: (): Instant => instant(Date.now() + later),
      })
      await world.addPerson('ada')
      const projectId = await world.addProject()
      await setResources(world, projectId, resource(MCP))
      await allowHere(world, {
        clientIdMetadataDocuments: { enabled: true },
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true, registrationsPerHour: 1000 },
      })
      await allowAt(world, projectId, { clientIdMetadataDocuments: true, dynamicRegistration: true })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** An assertion as it should be, or with what is given instead. */
    const signed = (clientId: string, pair: Pair, header: { alg: string; kid?: string }, claims = {}) => {
      const now = Math.floor((Date.now() + later) / 1000)
      const payload = { iss: clientId, sub: clientId, aud: world.url, iat: now, exp: now + 60, jti: randomUUID() }
      return new SignJWT({ ...payload, ...claims }).setProtectedHeader(header).sign(pair.privateKey)
    }
    const proof = (assertion: string) => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    const publish = (more: Readonly<Record<string, unknown>>) => {
      const clientId = CLIENT.replace('client', `client-${number++}`)
      web.publish(clientId, metadataOf(clientId, { ...BY_KEY, ...more }))
      return clientId
    }
    const codeFor = async (clientId: string) => {
      const { browser, page } = await openRequest(world, clientId, REQUEST)
      return allow(browser, page)
    }
    /** Redeems a code that does not exist: whether the client is known is found out before. */
    const prove = (clientId: string, assertion: string) =>
      post(`${world.url}/oauth/v2/token`, {
        ...{ grant_type: 'authorization_code', code: 'none', client_id: clientId, redirect_uri: CALLBACK },
        code_verifier: 'x'.repeat(43),
        ...proof(assertion),
      })
    const isProven = async (clientId: string, assertion: string) => {
      const { status, body } = await prove(clientId, assertion)
      assert.ok(status === 400 || status === 401, `${status} ${body.error_description}`)
      return body.error === 'invalid_grant'
    }

    for (const [alg, pair] of Object.entries(PAIRS)) {
      test(`sign with ${alg}, and get nothing without`, async () => {
        const clientId = publish({ jwks: { keys: [jwkOf(pair, 'a', { alg })] } })
        const stop = await codeFor(clientId)
        assertError(await redeemCode(world, clientId, stop), 401, 'invalid_client')
        const answer = await redeemCode(world, clientId, stop, proof(await signed(clientId, pair, { alg, kid: 'a' })))
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(
          [readToken(answer.body.access_token).aud, readToken(answer.body.access_token).client_id],
          [MCP, clientId],
        )
        const form = { grant_type: 'refresh_token', refresh_token: answer.body.refresh_token, client_id: clientId }
        assertError(await post(`${world.url}/oauth/v2/token`, form), 401, 'invalid_client')
        const again = { ...form, ...proof(await signed(clientId, pair, { alg })) }
        assert.equal((await post(`${world.url}/oauth/v2/token`, again)).status, 200)
      })
    }

    test('an assertion counts once, for its client, with its key and algorithm', async () => {
      const clientId = publish({ jwks: { keys: [jwkOf(RSA, 'a', { alg: 'PS256' })] } })
      const other = publish({ jwks: { keys: [jwkOf(EC, 'a')] } })
      const good = await signed(clientId, RSA, { alg: 'PS256', kid: 'a' })
      assert.equal(await isProven(clientId, good), true)
      const wrong = {
        'used before': good,
        'of another client': await signed(other, EC, { alg: 'ES256', kid: 'a' }),
        'with the key of another client': await signed(clientId, EC, { alg: 'ES256', kid: 'a' }),
        'with an algorithm that the key is not for': await signed(clientId, RSA, { alg: 'RS256', kid: 'a' }),
        'with a key that is not there': await signed(clientId, RSA, { alg: 'PS256', kid: 'b' }),
        'without an ID': await signed(clientId, RSA, { alg: 'PS256', kid: 'a' }, { jti: undefined }),
        'for somebody else': await signed(clientId, RSA, { alg: 'PS256', kid: 'a' }, { aud: 'https://other.example' }),
        'of yesterday': await signed(clientId, RSA, { alg: 'PS256', kid: 'a' }, { iat: 1, exp: 2 }),
      }
      for (const [name, assertion] of Object.entries(wrong)) {
        assert.notEqual((await prove(clientId, assertion)).body.error, 'invalid_grant', name)
      }
    })

    test('need PKCE, like all that nobody prepared', async () => {
      const clientId = publish({ jwks: { keys: [jwkOf(EC, 'a')] } })
      const { page } = await openRequest(world, clientId, {
        ...REQUEST,
        code_challenge: undefined,
        code_challenge_method: undefined,
      })
      assert.equal(new URL(page.url).searchParams.get('error'), 'invalid_request')
    })

    test('register themselves with keys, and are told what is registered', async () => {
      const body = JSON.stringify({ ...BY_KEY, redirect_uris: [CALLBACK], jwks: { keys: [jwkOf(EC, 'a')] } })
      const headers = { 'content-type': 'application/json' }
      const { body: client, status } = await ask(`${world.url}/oauth/v2/register`, { method: 'POST', headers, body })
      assert.equal(status, 201)
      assert.deepEqual([client.token_endpoint_auth_method, client.client_secret], ['private_key_jwt', undefined])
      assert.deepEqual(client.jwks, { keys: [jwkOf(EC, 'a')] })
      const stop = await codeFor(client.client_id)
      assertError(await redeemCode(world, client.client_id, stop), 401, 'invalid_client')
      const shown = proof(await signed(client.client_id, EC, { alg: 'ES256', kid: 'a' }))
      const answer = await redeemCode(world, client.client_id, stop, shown)
      assert.equal(answer.status, 200, answer.text)
    })

    test('the discovery document names what they can sign with', async () => {
      const { body } = await ask(`${world.url}/.well-known/oauth-authorization-server`)
      for (const alg of Object.keys(PAIRS)) {
        assert.ok(body.token_endpoint_auth_signing_alg_values_supported.includes(alg), alg)
      }
    })

    // The last one: the engine has the clock of the machine.
    test('keys at an address are fetched once, and again for a new one, but not for every unknown one', async () => {
      const clientId = publish({ jwks_uri: KEYS_AT })
      const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const init = { headers: { 'cache-control': 'max-age=3600' } }
      web.publish(KEYS_AT, { keys: [jwkOf(EC, 'first')] }, init)
      const first = () => signed(clientId, EC, { alg: 'ES256', kid: 'first' })
      const second = () => signed(clientId, next, { alg: 'ES256', kid: 'second' })
      await codeFor(clientId)
      const before = web.fetched()
      assert.equal(await isProven(clientId, await first()), true)
      assert.equal(await isProven(clientId, await first()), true)
      assert.equal(web.fetched() - before, 1)
      web.publish(KEYS_AT, { keys: [jwkOf(next, 'second')] }, init)
      assert.equal(await isProven(clientId, await second()), false)
      assert.equal(web.fetched() - before, 1)
      web.publish(clientId, metadataOf(clientId, { ...BY_KEY, jwks_uri: KEYS_AT }), init)
      later += 61_000
      assert.equal(await isProven(clientId, await second()), true)
      assert.equal(await isProven(clientId, await first()), false)
      assert.equal(web.fetched() - before, 3, 'the document, and the keys once')
      later += 61_000
      web.documents.delete(KEYS_AT)
      assert.equal(await isProven(clientId, await first()), false)
      assert.equal(await isProven(clientId, await second()), true, 'what is still valid stays')
    })
  })
}
