/**
 * How each endpoint says no: status, body, challenge and caching as RFC 6749 §5.2, 6750 §3, 7009 §2.2, 7662 §2.3,
 * 8628 §3.5 and 9126 §2.3 ask for.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  ask,
  askToken,
  assertError,
  authorize,
  basic,
  codeForm,
  type Parameters,
  post,
  signInFor,
} from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, assertionForm, type MachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

suite('errors of the OpenID endpoints', () => {
  let world: OpenIdWorld
  let application: Application
  let spa: Application
  let machine: MachineClient
  const at = (path: string) => `${world.url}${path}`

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({ grantTypes: [0, 2, 3, 100] })
    spa = await world.addApplication({ applicationType: 1, authMethodType: 2 })
    machine = await addMachineClient(world)
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const withClient = [
    '/oauth/v2/token',
    '/oauth/v2/introspect',
    '/oauth/v2/revoke',
    '/oauth/v2/device_authorization',
    '/oauth/v2/bc-authorize',
    '/oauth/v2/par',
  ]

  for (const path of withClient) {
    /** A form that is right but for the client. */
    const form = { grant_type: 'refresh_token', token: 'x', refresh_token: 'x', scope: 'openid' }

    test(`${path} refuses a client that does not prove who it is`, async () => {
      const wrongSecret = basic({ clientId: application.clientId, clientSecret: 'wrong' })
      const refused = await post(at(path), form, wrongSecret)
      assertError(refused, 401, 'invalid_client')
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic realm="/)
      const unknown = await post(at(path), form, basic({ clientId: 'unknown', clientSecret: 'x' }))
      assertError(unknown, 401, 'invalid_client')
      const inForm = { ...form, client_id: application.clientId, client_secret: 'wrong' }
      assertError(await post(at(path), inForm), 401, 'invalid_client')
      const bare = await post(at(path), { ...form, client_id: application.clientId })
      assertError(bare, 401, 'invalid_client')
      const publicWithSecret = await post(at(path), form, basic({ clientId: spa.clientId, clientSecret: 'x' }))
      assertError(publicWithSecret, 401, 'invalid_client')
      const none = await post(at(path), form)
      assert.ok(['invalid_request', 'invalid_client'].includes(none.body.error), none.text)
      assert.ok([400, 401].includes(none.status))
    })

    test(`${path} refuses a client that authenticates in two ways at once`, async () => {
      const { clientId, clientSecret } = application
      const both = { ...form, client_id: clientId, client_secret: clientSecret }
      assertError(await post(at(path), both, basic(application)), 400, 'invalid_request')
      const other = { ...form, client_id: spa.clientId }
      assertError(await post(at(path), other, basic(application)), 400, 'invalid_request')
      const signer = await world.addApplication({ authMethodType: 3 })
      const assertion = await assertionForm(world, signer, await addApplicationKey(world, signer))
      assertError(await post(at(path), { ...form, ...assertion }, basic(application)), 400, 'invalid_request')
      const named = { ...form, ...assertion, client_id: clientId }
      assertError(await post(at(path), named), 400, 'invalid_request')
      const secret = await post(at(path), form, basic({ clientId: signer.clientId, clientSecret: 'x' }))
      assertError(secret, 401, 'invalid_client')
    })

    test(`${path} refuses a body that it cannot read`, async () => {
      const headers = { ...basic(application), accept: 'text/html' } as Record<string, string>
      const json = { ...headers, 'content-type': 'application/json' }
      const wrongType = await ask(at(path), { method: 'POST', headers: json, body: '{}' })
      assert.ok([400, 415].includes(wrongType.status), wrongType.text)
      assert.equal(wrongType.body.error, 'invalid_request')
      const tooLong = await post(at(path), { ...form, more: 'x'.repeat(20_000) }, headers)
      assert.ok([400, 413].includes(tooLong.status), tooLong.text)
      assert.equal(tooLong.body.error, 'invalid_request')
      const twice = new URLSearchParams([...Object.entries(form), ...Object.entries(form)])
      assertError(await post(at(path), twice, basic(application)), 400, 'invalid_request')
      assert.equal((await ask(at(path))).status, 405)
    })

    test(`${path} says what is missing in an empty form`, async () => {
      const empty = await post(at(path), {}, basic(application))
      assert.ok(empty.status === 200 || /missing|required/.test(empty.body.error_description), empty.text)
    })
  }

  test('the API, SCIM and shared signals tell a caller with a token that it is not valid', async () => {
    const metadata = `resource_metadata="${world.url}/.well-known/oauth-protected-resource"`
    for (const path of ['/v2/users/1', `/scim/v2/${world.defaultOrganizationId}/Users`, '/ssf/v1/streams']) {
      const challengeOf = async (headers: Record<string, string>) => {
        const { status, headers: told } = await ask(at(path), { headers })
        return [status, told.get('www-authenticate')]
      }
      assert.deepEqual(await challengeOf({}), [401, `Bearer ${metadata}`], path)
      const wrong = await challengeOf({ authorization: 'Bearer wrong' })
      assert.deepEqual(wrong, [401, `Bearer error="invalid_token", ${metadata}`], path)
    }
  })

  test('the token endpoint says what is wrong with a request', async () => {
    const cases: readonly (readonly [Parameters, string])[] = [
      [{}, 'invalid_request'],
      [{ grant_type: 'password', username: 'ada', password: 'x' }, 'unsupported_grant_type'],
      [{ grant_type: 'implicit' }, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code' }, 'invalid_request'],
      [{ grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT_URI }, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
      [{ grant_type: DEVICE_CODE }, 'invalid_request'],
      [{ grant_type: DEVICE_CODE, device_code: 'x' }, 'invalid_grant'],
    ]
    for (const [form, error] of cases) assertError(await askToken(world, application, form), 400, error)
  })

  test('a grant type that the application does not have is refused', async () => {
    const limited = await world.addApplication({})
    const answer = await askToken(world, limited, { grant_type: 'refresh_token', refresh_token: 'x' })
    assert.equal(answer.status, 400)
    assertError(answer, 400, 'unauthorized_client')
  })

  test('machines are told about wrong credentials and scopes', async () => {
    const form = { grant_type: 'client_credentials', scope: 'openid' }
    const wrong = await post(at('/oauth/v2/token'), form, basic({ ...machine, clientSecret: 'wrong' }))
    assertError(wrong, 401, 'invalid_client')
    const { clientId, clientSecret } = machine
    const both = { ...form, client_id: clientId, client_secret: clientSecret }
    assertError(await post(at('/oauth/v2/token'), both, basic(machine)), 400, 'invalid_request')
    assertError(await post(at('/oauth/v2/token'), form), 401, 'invalid_client')
    const jwt = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', scope: 'openid' }
    assertError(await post(at('/oauth/v2/token'), jwt), 400, 'invalid_grant')
    assertError(await post(at('/oauth/v2/token'), { ...jwt, assertion: 'x' }), 400, 'invalid_grant')
  })

  test('userinfo challenges as RFC 6750 asks for', async () => {
    const without = await ask(at('/oidc/v1/userinfo'))
    assert.equal(without.status, 401)
    // A request without a token gets no error code (RFC 6750 §3.1).
    assert.equal(without.headers.get('www-authenticate'), 'Bearer realm="signet"')
    const wrong = await ask(at('/oidc/v1/userinfo'), { headers: { authorization: 'Bearer x' } })
    assertError(wrong, 401, 'invalid_token')
    assert.match(wrong.headers.get('www-authenticate') ?? '', /^Bearer realm="signet", error="invalid_token"/)
    const malformed = await ask(at('/oidc/v1/userinfo'), { headers: { authorization: 'Bearer' } })
    assertError(malformed, 400, 'invalid_request')
    const { access_token: token } = await signInFor(world, application)
    const headers = { authorization: `Bearer ${token}` }
    assertError(await post(at('/oidc/v1/userinfo'), { access_token: token }, headers), 400, 'invalid_request')
    const inQuery = await ask(at(`/oidc/v1/userinfo?access_token=${token}`))
    assert.equal(inQuery.status, 401)
    const withoutOpenid = await authorize(world, application, { scope: 'email' })
    const { body } = await askToken(world, application, codeForm(withoutOpenid.values))
    const narrow = await ask(at('/oidc/v1/userinfo'), { headers: { authorization: `Bearer ${body.access_token}` } })
    assertError(narrow, 403, 'insufficient_scope')
    assert.match(narrow.headers.get('www-authenticate') ?? '', /error="insufficient_scope".*scope="openid"/)
  })

  test('introspection answers exactly {"active":false} for whatever does not count', async () => {
    for (const token of ['x', 'signet_at_x', 'signet_pat_x', 'a.b.c', '\u0000', 'ä'.repeat(500)]) {
      const answer = await post(at('/oauth/v2/introspect'), { token }, basic(application))
      assert.equal(answer.status, 200)
      assert.equal(answer.text, '{"active":false}')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    assertError(await post(at('/oauth/v2/introspect'), {}, basic(application)), 400, 'invalid_request')
    const signer = await world.addApplication({ authMethodType: 3 })
    const key = await addApplicationKey(world, signer)
    assertError(await post(at('/oauth/v2/introspect'), await assertionForm(world, signer, key)), 400, 'invalid_request')
  })

  test('revocation answers 200 for a token that does not exist, and refuses one of another client', async () => {
    for (const hint of [undefined, 'access_token', 'refresh_token', 'something']) {
      const unknown = await post(at('/oauth/v2/revoke'), { token: 'x', token_type_hint: hint }, basic(application))
      assert.deepEqual([unknown.status, unknown.text], [200, ''])
    }
    assertError(await post(at('/oauth/v2/revoke'), {}, basic(application)), 400, 'invalid_request')
    const { access_token: token } = await signInFor(world, application)
    const other = await world.addApplication({})
    assertError(await post(at('/oauth/v2/revoke'), { token }, basic(other)), 401, 'invalid_client')
  })

  test('the device endpoints answer as RFC 8628 asks for', async () => {
    const started = await post(at('/oauth/v2/device_authorization'), { scope: 'openid' }, basic(application))
    assert.equal(started.status, 200, started.text)
    assert.equal(started.headers.get('cache-control'), 'no-store')
    const { device_code: code, user_code: userCode } = started.body
    assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(started.body.verification_uri, at('/device'))
    assert.equal(started.body.verification_uri_complete, at(`/device?user_code=${userCode}`))
    assert.equal(started.body.expires_in, 300)
    assert.equal(started.body.interval, 5)
    const poll = { grant_type: DEVICE_CODE, device_code: code }
    assertError(await askToken(world, application, poll), 400, 'authorization_pending')
    const limited = await world.addApplication({})
    const refused = await post(at('/oauth/v2/device_authorization'), { scope: 'openid' }, basic(limited))
    assertError(refused, 400, 'unauthorized_client')
  })

  test('pushed requests are refused as RFC 9126 asks for', async () => {
    const { clientId } = application
    const form = { client_id: clientId, response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' }
    const good = await post(at('/oauth/v2/par'), form, basic(application))
    assert.equal(good.status, 201, good.text)
    assert.match(good.body.request_uri, /^urn:ietf:params:oauth:request_uri:.{20,}/)
    assert.equal(good.body.expires_in, 60)
    assert.equal(good.headers.get('cache-control'), 'no-store')
    const cases: readonly (readonly [Parameters, string])[] = [
      [{ ...form, redirect_uri: 'https://evil.test/' }, 'invalid_request'],
      [{ ...form, response_type: 'token' }, 'unsupported_response_type'],
      [{ ...form, response_type: undefined }, 'invalid_request'],
      [{ ...form, request_uri: good.body.request_uri }, 'request_uri_not_supported'],
      [{ ...form, prompt: 'none login' }, 'invalid_request'],
    ]
    for (const [wrong, error] of cases)
      assertError(await post(at('/oauth/v2/par'), wrong, basic(application)), 400, error)
    const other = await world.addApplication({})
    const { values } = await authorize(world, other, { request_uri: good.body.request_uri })
    assert.match(values.get('error') ?? '', /^invalid_request/)
    const used = await authorize(world, application, { request_uri: good.body.request_uri, redirect_uri: REDIRECT_URI })
    assert.ok(used.values.has('code'), String(used.values))
    const again = await authorize(world, application, { request_uri: good.body.request_uri })
    assert.equal(again.values.get('error'), 'invalid_request_uri')
  })

  test('the authorization endpoint says what is wrong with a request', async () => {
    const ownOrganization = `urn:zitadel:iam:org:id:${world.defaultOrganizationId}`
    const cases: readonly (readonly [Parameters, string])[] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'code id_token' }, 'unsupported_response_type'],
      [{ response_mode: 'web_message' }, 'unsupported_response_mode'],
      [{ scope: '' }, 'invalid_request'],
      [{ prompt: 'none consent' }, 'invalid_request'],
      [{ prompt: 'other' }, 'invalid_request'],
      [{ max_age: '-1' }, 'invalid_request'],
      [{ max_age: 'x' }, 'invalid_request'],
      [{ claims: '{' }, 'invalid_request'],
      [{ claims: '[]' }, 'invalid_request'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
      [{ code_challenge_method: 'S256' }, 'invalid_request'],
      [{ request: 'x' }, 'invalid_request_object'],
      [{ scope: 'openid urn:zitadel:iam:org:id:123' }, 'invalid_scope'],
      [{ scope: 'openid urn:zitadel:iam:org:domain:primary:unknown.example' }, 'invalid_scope'],
      [{ scope: `openid ${ownOrganization} urn:zitadel:iam:org:id:123` }, 'invalid_scope'],
      [{ request_uri: 'https://app.example/request' }, 'request_uri_not_supported'],
    ]
    for (const [more, error] of cases) {
      const { values } = await authorize(world, application, more)
      assert.equal(values.get('error'), error, JSON.stringify(more))
      assert.equal(values.get('state'), 'the-state')
      assert.equal(values.get('iss'), world.url)
      assert.equal(values.get('code'), null)
    }
    const wrongClient = await ask(at('/oauth/v2/authorize?client_id=unknown'), {
      headers: { accept: 'application/json' },
    })
    assertError(wrongClient, 400, 'invalid_client')
    const wrongHint = await ask(at('/oidc/v1/end_session?id_token_hint=x'), { headers: { accept: 'application/json' } })
    assertError(wrongHint, 400, 'invalid_request')
    const named = await authorize(world, application, { scope: `openid ${ownOrganization} ${ownOrganization}` })
    assert.equal(named.values.get('error'), null)
    const posted = await ask(at('/oauth/v2/authorize'), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(posted.status, 415)
  })
})
