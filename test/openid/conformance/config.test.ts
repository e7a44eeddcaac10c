/** The module of the OpenID Foundation's plan "Config OP", each check a test. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { type Answer, ask } from '../../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

interface PublishedKey {
  readonly kid: string
  readonly [member: string]: unknown
}

suite('the config plan', () => {
  let world: OpenIdWorld
  let discovery: Answer

  before(async () => {
    world = await openOpenIdWorld()
    discovery = await ask(`${world.url}/.well-known/openid-configuration`)
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  test('oidcc-discovery-endpoint-verification', () => {
    assert.equal(discovery.status, 200)
    assert.match(discovery.headers.get('content-type') ?? '', /^application\/json/)
    const { body } = discovery
    for (const name of ['authorization', 'token', 'userinfo', 'introspection', 'revocation', 'end_session']) {
      assert.ok(body[`${name}_endpoint`].startsWith(`${world.url}/`), name)
    }
    // What OpenID Connect Discovery §3 requires.
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.subject_types_supported, ['public'])
    assert.ok(body.id_token_signing_alg_values_supported.includes('RS256'))
    assert.ok(!body.id_token_signing_alg_values_supported.includes('none'))
    assert.ok(body.scopes_supported.includes('openid'))
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    for (const name of ['sub', 'iss', 'auth_time', 'acr', 'name', 'email']) {
      assert.ok(body.claims_supported.includes(name), name)
    }
    assert.equal(new Set(body.claims_supported).size, body.claims_supported.length)
    assert.equal(body.claims_parameter_supported, true)
    assert.equal(body.request_parameter_supported, true)
    assert.equal(body.request_uri_parameter_supported, false)
    assert.ok(body.response_modes_supported.includes('form_post'))
    assert.ok(!body.token_endpoint_auth_signing_alg_values_supported.includes('none'))
    assert.ok(!body.request_object_signing_alg_values_supported.includes('none'))
  })

  test('oidcc-discovery-issuer-not-matching-config', async () => {
    assert.equal(discovery.body.issuer, world.url)
    const other = new URL(world.url.replace('localhost', '127.0.0.1'))
    const options = { [oauth.allowInsecureRequests]: true }
    const response = await oauth.discoveryRequest(other, options)
    await assert.rejects(oauth.processDiscoveryResponse(other, response), /"issuer"/)
    const right = new URL(world.url)
    const found = await oauth.processDiscoveryResponse(right, await oauth.discoveryRequest(right, options))
    assert.equal(found.issuer, world.url)
  })

  test('oidcc-discovery-jwks-uri-keys', async () => {
    const answer = await ask(discovery.body.jwks_uri)
    assert.equal(answer.status, 200)
    const keys: readonly PublishedKey[] = answer.body.keys
    assert.ok(keys.length > 0)
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
    for (const key of keys) {
      assert.equal(key.use, 'sig')
      assert.ok(discovery.body.id_token_signing_alg_values_supported.includes(key.alg))
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) assert.equal(key[secret], undefined)
      if (key.kty === 'RSA') assert.ok(Buffer.from(String(key.n), 'base64url').length >= 256)
    }
  })

  test('oauth-authorization-server-metadata', async () => {
    const answer = await ask(`${world.url}/.well-known/oauth-authorization-server`)
    assert.deepEqual(answer.body, discovery.body)
  })

  test('oidcc-discovery-cors', async () => {
    const preflight = await ask(`${world.url}/.well-known/openid-configuration`, {
      method: 'OPTIONS',
      headers: { origin: 'https://spa.example', 'access-control-request-method': 'GET' },
    })
    assert.equal(preflight.status, 204)
    assert.equal(discovery.headers.get('access-control-allow-origin'), '*')
  })
})
