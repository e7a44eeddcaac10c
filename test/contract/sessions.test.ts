/** Operation 7 and what belongs to it, over REST and gRPC, as existing clients write it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import {
  SetSessionRequestSchema,
  SetSessionResponseSchema,
} from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { DOMAIN, ORIGIN, openSessionWorld, PASSWORD, type Person, type SessionWorld } from '../support/session-world.ts'
import { startServer, type TestServer } from './server.ts'

const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
const FAILED_PRECONDITION = 9

suite('sessions over the wire', () => {
  let world: SessionWorld
  let server: TestServer
  let ada: Person
  before(async () => {
    world = await openSessionWorld()
    server = await startServer(undefined, world.methods, world.authorize)
    ada = await world.addPerson()
  })
  after(async () => {
    await server.close()
    await world.dispose()
    assert.deepEqual(server.faults, [])
  })

  const ask = async (verb: string, path: string, body?: object, bearer = world.login.bearer) => {
    const response = await fetch(`${server.url}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const fieldsOf = (body: { details?: { fieldViolations?: { field: string }[] }[] }) =>
    (body.details ?? []).flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field)).sort()
  const idOf = (body: { details?: { id?: string }[] }) => body.details?.find(({ id }) => id !== undefined)?.id

  const begin = async (checks: object = {}) => {
    const { status, body } = await ask('POST', '/v2/sessions', { checks })
    assert.equal(status, 201)
    return body as { sessionId: string; sessionToken: string }
  }
  const set = (sessionId: string, body: object, bearer?: string) =>
    ask('PATCH', `/v2/sessions/${sessionId}`, body, bearer)

  test('a wrong password tells its count to those who may know the user, with the prefix of the client', async () => {
    const { userId, loginName } = await world.addPerson()
    const checks = { user: { userId }, password: { password: 'wrong' } }
    const countIn = (body: { details?: { '@type'?: string; type?: string }[] }, prefix: string) =>
      (body.details ?? []).filter((one) => (one['@type'] ?? one.type)?.endsWith(`${prefix}.v1.CredentialsCheckError`))
    const told = await ask('POST', '/v2/sessions', { checks })
    assert.equal(told.status, 400)
    assert.equal(idOf(told.body), 'password.wrong')
    assert.deepEqual(countIn(told.body, '/signet'), [
      {
        '@type': 'type.googleapis.com/signet.v1.CredentialsCheckError',
        id: 'password.wrong',
        message: 'The password is wrong.',
        failedAttempts: 1,
      },
    ])
    const theirs = await ask('POST', '/zitadel.session.v2.SessionService/CreateSession', { checks })
    const [detail] = countIn(theirs.body, 'zitadel') as { debug?: { failedAttempts?: number } }[]
    assert.equal(detail?.debug?.failedAttempts, 2)
    const held = await begin()
    const answers = []
    for (const name of [loginName, 'unknown-user']) {
      const visit = { user: { loginName: name }, password: { password: 'wrong' } }
      const body = { sessionToken: held.sessionToken, checks: visit }
      answers.push(await set(held.sessionId, body, world.nobody.bearer))
    }
    assert.equal(answers[0]?.status, 400)
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(countIn(answers[0]?.body, 'signet'), [])
  })

  test('a person signs in step by step, and the shapes are those of the seed', async () => {
    const { sessionId, sessionToken } = await begin({ user: { loginName: ada.loginName } })
    const { status, body } = await set(sessionId, {
      sessionToken,
      checks: { password: { password: PASSWORD } },
      metadata: { color: 'blue' },
    })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['details', 'sessionToken'])
    assert.deepEqual(Object.keys(body.details).sort(), ['changeDate', 'creationDate', 'resourceOwner', 'sequence'])
    assert.match(body.details.sequence, /^\d+$/)
    assert.equal(body.details.resourceOwner, world.defaultOrganizationId)
    assert.ok(body.sessionToken.length <= 200)
    const read = await ask(
      'GET',
      `/v2/sessions/${sessionId}?sessionToken=${body.sessionToken}`,
      undefined,
      world.nobody.bearer,
    )
    assert.equal(read.status, 200)
    const { session } = read.body
    assert.deepEqual(Object.keys(session.factors).sort(), ['password', 'user'])
    assert.deepEqual(session.metadata, { color: 'blue' })
    const me = await ask('GET', '/auth/v1/users/me', undefined, body.sessionToken)
    assert.equal(me.body.user.id, ada.userId)
    const gone = await ask('DELETE', `/v2/sessions/${sessionId}`, {}, body.sessionToken)
    assert.equal(gone.status, 200)
    assert.equal((await ask('GET', '/auth/v1/users/me', undefined, body.sessionToken)).status, 401)
  })

  test('every version of the paths is served, and both addresses of the list', async () => {
    const { sessionId, sessionToken } = await begin()
    const one = await ask('PATCH', `/v2beta/sessions/${sessionId}`, { session_token: sessionToken })
    assert.equal(one.status, 200)
    const two = await ask('PATCH', `/v2alpha/sessions/${sessionId}`, { sessionToken: one.body.sessionToken })
    assert.equal(two.status, 200)
    const queries = [{ idsQuery: { ids: [sessionId] } }]
    for (const path of ['/v2/sessions/search', '/v2/sessions/_search', '/v2beta/sessions/search']) {
      const { body } = await ask('POST', path, { queries })
      assert.equal(body.sessions[0].id, sessionId, path)
      assert.equal(body.details.totalResult, '1')
    }
  })

  test('an intent goes by both of its names', async () => {
    const { sessionId, sessionToken } = await begin({ user: { userId: ada.userId } })
    for (const checks of [
      { intent: { intentId: 'i', token: 't' } },
      { idpIntent: { idpIntentId: 'i', idpIntentToken: 't' } },
      { idp_intent: { idp_intent_id: 'i', idp_intent_token: 't' } },
    ]) {
      const { status, body } = await set(sessionId, { sessionToken, checks })
      assert.deepEqual([status, body.code, idOf(body)], [400, FAILED_PRECONDITION, 'intent.not_succeeded'])
    }
  })

  test('limits are those of the seed, each named by its path', async () => {
    const { sessionId, sessionToken } = await begin({ user: { userId: ada.userId } })
    const long = 'x'.repeat(201)
    const compact = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })
    const webAuthN = (credentialAssertionData: object) => ({ checks: { webAuthN: { credentialAssertionData } } })
    const domain = { domain: DOMAIN, userVerificationRequirement: 'USER_VERIFICATION_REQUIREMENT_REQUIRED' }
    const cases: readonly (readonly [body: object, ...fields: string[]])[] = [
      [{ sessionToken: '' }, 'sessionToken'],
      [{ sessionToken: long }, 'sessionToken'],
      [{ checks: { user: {} } }, 'checks.user.search'],
      [{ checks: { user: { userId: '' } } }, 'checks.user.userId'],
      [{ checks: { user: { loginName: long } } }, 'checks.user.loginName'],
      [{ checks: { user: { userId: 'a', loginName: 'b' } } }, 'checks.user.loginName'],
      [{ checks: { password: { password: '' } } }, 'checks.password.password'],
      [{ checks: { password: { password: long } } }, 'checks.password.password'],
      [{ checks: { intent: {} } }, 'checks.intent.intentId', 'checks.intent.token'],
      [{ checks: { intent: { intentId: long, token: long } } }, 'checks.intent.intentId', 'checks.intent.token'],
      [{ checks: { webAuthN: {} } }, 'checks.webAuthN.credentialAssertionData'],
      [webAuthN(compact(54)), 'checks.webAuthN.credentialAssertionData'],
      [webAuthN(compact(1_048_577)), 'checks.webAuthN.credentialAssertionData'],
      [{ checks: { totp: { code: '12345' } } }, 'checks.totp.code'],
      [{ checks: { otpSms: {} } }, 'checks.otpSms.code'],
      [{ checks: { recoveryCode: { code: long } } }, 'checks.recoveryCode.code'],
      [
        { challenges: { webAuthN: {} } },
        'challenges.webAuthN.domain',
        'challenges.webAuthN.userVerificationRequirement',
      ],
      [
        { challenges: { webAuthN: { ...domain, userVerificationRequirement: 0 } } },
        'challenges.webAuthN.userVerificationRequirement',
      ],
      [
        { challenges: { webAuthN: { ...domain, userVerificationRequirement: 4 } } },
        'challenges.webAuthN.userVerificationRequirement',
      ],
      [{ challenges: { otpEmail: { sendCode: { urlTemplate: '' } } } }, 'challenges.otpEmail.sendCode.urlTemplate'],
      [{ lifetime: '0s' }, 'lifetime'],
      [{ lifetime: '-1s' }, 'lifetime'],
      [{ metadata: { [long]: 'x' } }, `metadata.${long}`],
      [{ metadata: { a: 'x'.repeat(2001) } }, 'metadata.a'],
      [{ metadata: { a: 1 } }, 'metadata.a'],
      [{ metadata: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 'v'])) }, 'metadata'],
    ]
    for (const [more, ...fields] of cases) {
      const { status, body } = await set(sessionId, { sessionToken, ...more })
      const what = JSON.stringify(more).slice(0, 80)
      assert.deepEqual([status, body.code, idOf(body)], [400, INVALID_ARGUMENT, 'request.invalid'], what)
      assert.deepEqual(fieldsOf(body), [...fields].sort(), what)
    }
    // At the boundary they pass the limits, and are refused for what they are.
    for (const credential of [compact(55), compact(1_048_576)]) {
      const { body } = await set(sessionId, { sessionToken, ...webAuthN(credential) })
      assert.deepEqual([body.code, idOf(body)], [FAILED_PRECONDITION, 'session.no_challenge'])
    }
    const fine = await set(sessionId, { sessionToken, lifetime: '0.000000001s', metadata: { k: 'x'.repeat(2000) } })
    assert.equal(fine.status, 200)
  })

  test('a passkey challenge has the shape of the seed, and nonsense for an answer is a refusal', async () => {
    await world.addKey(ada, 'passkey')
    const { sessionId, sessionToken } = await begin({ user: { userId: ada.userId } })
    const webAuthN = { domain: DOMAIN, userVerificationRequirement: 'USER_VERIFICATION_REQUIREMENT_REQUIRED' }
    const { body } = await set(sessionId, { sessionToken, challenges: { webAuthN } })
    const { publicKey } = body.challenges.webAuthN.publicKeyCredentialRequestOptions
    assert.deepEqual(Object.keys(publicKey).sort(), [
      'allowCredentials',
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ])
    assert.equal(publicKey.userVerification, 'required')
    const stranger = newAuthenticator().get(body.challenges.webAuthN.publicKeyCredentialRequestOptions, {
      origin: ORIGIN,
    })
    for (const credentialAssertionData of [
      stranger,
      { a: 'x'.repeat(100) },
      { id: [], response: 7, more: 'x'.repeat(60) },
    ]) {
      const wrong = await set(sessionId, {
        sessionToken: body.sessionToken,
        checks: { webAuthN: { credentialAssertionData } },
      })
      assert.deepEqual([wrong.status, wrong.body.code], [400, INVALID_ARGUMENT])
    }
    const elsewhere = await set(sessionId, {
      sessionToken: body.sessionToken,
      challenges: { webAuthN: { ...webAuthN, domain: 'not a domain' } },
    })
    assert.deepEqual([elsewhere.status, fieldsOf(elsewhere.body)], [400, ['challenges.webAuthN.domain']])
  })

  test('who may not is told so', async () => {
    const { sessionId, sessionToken } = await begin()
    const other = sessionToken.endsWith('_') ? '-' : '_'
    const wrong = await set(sessionId, { sessionToken: sessionToken.slice(0, -1) + other })
    assert.deepEqual([wrong.status, wrong.body.code], [403, PERMISSION_DENIED])
    assert.equal((await set(sessionId, {}, world.nobody.bearer)).status, 403)
    assert.equal((await set('019a0000-0000-7000-8000-000000000001', {})).status, 404)
    assert.equal((await set(sessionId, {}, 'nonsense')).status, 401)
  })

  test('a bearer of only a session hears the same of people who exist and who do not, and before any limit', async () => {
    const { sessionToken } = await begin({ user: { userId: ada.userId }, password: { password: PASSWORD } })
    const other = await world.addPerson()
    const unknown = '019a0000-0000-7000-8000-000000000002'
    const calls: readonly (readonly [verb: string, path: string, body?: object])[] = [
      ['GET', ''],
      ['POST', '/email', { email: 'a@example.org' }],
      ['POST', '/passkeys/1', {}],
      ['DELETE', '/passkeys/1'],
      ['POST', '/links/_search', {}],
    ]
    for (const [verb, path, body] of calls) {
      for (const userId of [other.userId, unknown]) {
        const answer = await ask(verb, `/v2/users/${userId}${path}`, body, sessionToken)
        const what = `${verb} ${path} of ${userId === unknown ? 'nobody' : 'somebody'}`
        assert.deepEqual([answer.status, idOf(answer.body)], [403, 'access.forbidden'], what)
      }
    }
    assert.equal((await ask('GET', `/v2/users/${ada.userId}`, undefined, sessionToken)).status, 200)
    // Who may look anywhere is told the truth.
    assert.equal((await ask('GET', `/v2/users/${unknown}`)).status, 404)
  })

  test('a header that names no organization is not found for those who may know', async () => {
    const { sessionId } = await begin()
    const headers = { authorization: `Bearer ${world.login.bearer}`, 'x-service-orgid': 'zz' }
    const options = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
    assert.equal((await fetch(`${server.url}/v2/sessions/${sessionId}`, options)).status, 404)
  })

  /** The bytes as an existing client sends them, whose metadata are `map<string, bytes>`. */
  const overGrpc = (bytes: Uint8Array): Promise<{ code: number; reply?: ReturnType<typeof decode> }> =>
    new Promise((resolve) => {
      const client = new Client(new URL(server.url).host, credentials.createInsecure())
      const metadata = new Metadata()
      metadata.set('authorization', `Bearer ${world.login.bearer}`)
      client.makeUnaryRequest(
        '/zitadel.session.v2beta.SessionService/SetSession',
        (value: Uint8Array) => Buffer.from(value),
        decode,
        bytes,
        metadata,
        (error: ServiceError | null, reply) => {
          client.close()
          resolve(error === null && reply !== undefined ? { code: 0, reply } : { code: error?.code ?? -1 })
        },
      )
    })
  const decode = (bytes: Buffer) => fromBinary(SetSessionResponseSchema, bytes)

  test('metadata of clients that send bytes are taken as text, and refused when they are none', async () => {
    const { sessionId, sessionToken } = await begin()
    const head = toBinary(SetSessionRequestSchema, create(SetSessionRequestSchema, { sessionId, sessionToken }))
    const entry = (value: Uint8Array) => {
      const pair = new BinaryWriter().tag(1, WireType.LengthDelimited).string('key')
      const bytes = pair.tag(2, WireType.LengthDelimited).bytes(value).finish()
      const tail = new BinaryWriter().tag(4, WireType.LengthDelimited).bytes(bytes).finish()
      return Buffer.concat([head, tail])
    }
    assert.equal((await overGrpc(entry(Buffer.from([0xff, 0xfe])))).code, INVALID_ARGUMENT)
    const { reply } = await overGrpc(entry(Buffer.from('grün')))
    assert.ok(reply?.sessionToken)
    assert.deepEqual((await world.get(sessionId)).metadata, { key: 'grün' })
  })
})
