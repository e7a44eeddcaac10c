/**
 * Assertions of machines and applications (RFC 7523): whatever a header or a claim contains, the answer is a clean error;
 * none counts for longer than an hour; those of existing clients, which have no ID and name no scope, are accepted.
 */
import assert from 'node:assert/strict'
import { createSign } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { usedAssertions } from '../../src/features/authorization-requests/documents.ts'
import { engines } from '../support/engines.ts'
import { type Answer, assertError, basic, introspect, type Parameters, post } from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, type MachineClient, type OwnKey } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const PRIVATE_KEY_JWT = 3
const HOUR = 3600

type Members = Readonly<Record<string, unknown>>

function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

/** A token with any header and any claims, with a genuine signature. */
function signed({ privateKey }: OwnKey, header: unknown, claims: unknown): string {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
}

/** Values of every JSON type; none of them is a valid value of a member that must be a text or a time. */
const WRONG: readonly unknown[] = [null, true, false, -1e300, [], [[]], {}, { a: 1 }, ['x', 1], '']

for (const engine of engines) {
  suite(`assertions on ${engine.name}`, () => {
    let world: OpenIdWorld
    let machine: MachineClient
    let application: Application
    let applicationKey: OwnKey
    let serial = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      machine = await addMachineClient(world, 1)
      application = await world.addApplication({ authMethodType: PRIVATE_KEY_JWT })
      applicationKey = await addApplicationKey(world, application)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const now = () => Math.floor(Date.now() / 1000)
    const token = (form: Parameters, headers: Parameters = {}) => post(`${world.url}/oauth/v2/token`, form, headers)
    const claimsOf = (subject: string, more: Members = {}) => {
      const at = now()
      serial += 1
      return { iss: subject, sub: subject, aud: world.url, iat: at, exp: at + 300, jti: `id-${serial}`, ...more }
    }
    const headerOf = ({ keyId }: OwnKey, more: Members = {}) => ({ alg: 'RS256', kid: keyId, ...more })
    const byMachine = (assertion: string, scope?: string) => token({ grant_type: JWT_BEARER, scope, assertion })
    const asMachine = (more: Members, header: Members = {}, scope?: string) =>
      byMachine(signed(machine.key, headerOf(machine.key, header), claimsOf(machine.userId, more)), scope)
    const byApplication = (client_assertion: string, more: Parameters = {}) =>
      token({
        grant_type: 'authorization_code',
        code: 'unknown',
        redirect_uri: REDIRECT_URI,
        client_assertion_type: CLIENT_ASSERTION,
        client_assertion,
        ...more,
      })
    const asApplication = (more: Members, header: Members = {}) =>
      byApplication(signed(applicationKey, headerOf(applicationKey, header), claimsOf(application.clientId, more)))
    /** The client is known: only the code is wrong. */
    const assertKnown = (answer: Answer) => assertError(answer, 400, 'invalid_grant')
    const refuseBoth = async (more: Members, header: Members = {}) => {
      assertError(await asMachine(more, header), 400, 'invalid_grant')
      assertError(await asApplication(more, header), 401, 'invalid_client')
    }

    test('members of a wrong type are refused, in the header and in the claims', async () => {
      for (const value of [...WRONG, 5]) {
        for (const name of ['alg', 'kid', 'crit']) await refuseBoth({}, { [name]: value })
        for (const name of ['iss', 'sub', 'aud', 'exp', 'jti']) await refuseBoth({ [name]: value })
        await refuseBoth({ nbf: value === 5 || value === -1e300 ? now() + HOUR : value })
        await refuseBoth({ iat: value })
      }
    })

    test('texts that are no token are refused', async () => {
      const texts = [
        'x',
        '.',
        '..',
        'e30.e30.',
        'e30',
        '%00',
        'a.b.c',
        `${encode('null')}.${encode('[]')}.x`,
        '{}',
        '\u{1f600}',
      ]
      const { key, userId } = machine
      const whole = [
        ...[null, [], 'x', 5, '{', ''].map((claims) => signed(key, headerOf(key), claims)),
        ...[null, [], 'x', 5, '{', ''].map((header) => signed(key, header, claimsOf(userId))),
      ]
      for (const text of [...texts, ...whole]) {
        assertError(await byMachine(text), 400, 'invalid_grant')
        assertError(await byApplication(text), 401, 'invalid_client')
        const form = { token: 'x', client_assertion_type: CLIENT_ASSERTION, client_assertion: text }
        for (const path of ['revoke', 'introspect']) {
          assertError(await post(`${world.url}/oauth/v2/${path}`, form), 401, 'invalid_client')
        }
      }
    })

    test('an assertion counts for an hour at most, whatever it says, and is not remembered for longer', async () => {
      for (const exp of [1e300, now() + 10 * HOUR]) {
        assert.equal((await asMachine({ exp })).status, 200)
        assertKnown(await asApplication({ exp }))
        await refuseBoth({ exp, iat: now() - HOUR - 1 })
      }
      const { documents } = await world.store.find(usedAssertions, { limit: 100 })
      assert.ok(documents.length >= 4)
      for (const { state } of documents) {
        assert.ok(state.status === 'used' && state.expiresAt <= Date.now() + HOUR * 1000, JSON.stringify(state))
      }
      assertError(await asApplication({ iat: undefined, exp: 1e300 }), 401, 'invalid_client')
      assertKnown(await asApplication({ iat: undefined }))
      await refuseBoth({ iat: now() + 600, exp: now() + 900 })
    })

    test('without an ID it must end within an hour of its issue, and counts until then', async () => {
      const assertion = signed(machine.key, headerOf(machine.key), claimsOf(machine.userId, { jti: undefined }))
      for (const _ of [1, 2]) assert.equal((await byMachine(assertion)).status, 200)
      // Some clients date an assertion back by seconds, and let it end an hour from now.
      const dated = { jti: undefined, iat: now() - 10, exp: now() + HOUR }
      assert.equal((await asMachine(dated)).status, 200)
      for (const _ of [1, 2]) assertKnown(await asApplication(dated))
      await refuseBoth({ jti: undefined, exp: now() + 2 * HOUR })
      await refuseBoth({ jti: undefined, exp: 1e300 })
      await refuseBoth({ jti: undefined, iat: now() - HOUR - 1 })
      assertError(await asApplication({ jti: undefined, iat: undefined }), 401, 'invalid_client')
    })

    test('with an ID it counts once', async () => {
      const { clientId } = application
      const once = signed(applicationKey, headerOf(applicationKey), claimsOf(clientId))
      assertKnown(await byApplication(once))
      assertError(await byApplication(once), 401, 'invalid_client')
    })

    test('an application can require the ID, for sign-in and for introspection', async () => {
      const { method } = ApplicationService
      const update = (of: Application, kind: 'oidcConfiguration' | 'apiConfiguration', value: object) =>
        world.call(
          method.updateApplication,
          { applicationId: of.id, projectId: of.projectId, applicationType: { case: kind, value } as never },
          world.owner,
        )
      const isRequired = async ({ id }: Application) => {
        const { application: found } = await world.call(method.getApplication, { applicationId: id }, world.owner)
        const { configuration } = found ?? {}
        return configuration?.case === 'samlConfiguration' ? undefined : configuration?.value?.requireAssertionJti
      }
      assert.equal(await isRequired(application), false)
      await update(application, 'oidcConfiguration', { requireAssertionJti: true })
      assert.equal(await isRequired(application), true)
      assertError(await asApplication({ jti: undefined }), 401, 'invalid_client')
      assertKnown(await asApplication({}))
      // What is not given stays.
      await update(application, 'oidcConfiguration', { developmentMode: true })
      assertError(await asApplication({ jti: undefined }), 401, 'invalid_client')
      await update(application, 'oidcConfiguration', { requireAssertionJti: false })
      assertKnown(await asApplication({ jti: undefined }))

      const api = await world.addApi(application.projectId)
      await update(api, 'apiConfiguration', { authMethodType: 1 })
      const key = await addApplicationKey(world, api)
      const ask = () => {
        const client_assertion = signed(key, headerOf(key), claimsOf(api.clientId, { jti: undefined }))
        const form = { token: 'x', client_assertion, client_assertion_type: CLIENT_ASSERTION }
        return post(`${world.url}/oauth/v2/introspect`, form)
      }
      assert.equal((await ask()).status, 200)
      await update(api, 'apiConfiguration', { authMethodType: 1, requireAssertionJti: true })
      assert.equal(await isRequired(api), true)
      assertError(await ask(), 401, 'invalid_client')
    })

    test('the scope of a machine is that of the form, else that of the assertion, else openid', async () => {
      const scopeOf = async (answer: Answer) => {
        assert.equal(answer.status, 200, answer.text)
        const api = await world.addApi(projectId)
        const { body } = await introspect(world, api, answer.body.access_token)
        return { scope: body.scope, hasIdToken: answer.body.id_token !== undefined }
      }
      const { projectId } = application
      const audience = `urn:zitadel:iam:org:project:id:${projectId}:aud`
      const none = await asMachine({})
      assert.equal(none.status, 200, none.text)
      assert.equal(decodeJwt(none.body.id_token).aud, machine.userId)
      assert.deepEqual(await scopeOf(await asMachine({ scope: `profile ${audience}` })), {
        scope: `profile ${audience}`,
        hasIdToken: false,
      })
      const given = await asMachine({ scope: 'profile' }, {}, `openid ${audience}`)
      assert.deepEqual(await scopeOf(given), { scope: `openid ${audience}`, hasIdToken: true })
      for (const scope of [5, null, [], {}, '']) {
        assert.ok((await asMachine({ scope })).body.id_token !== undefined)
      }
    })

    test('only a client that used the header is challenged to use it', async () => {
      const web = await world.addApplication({ authMethodType: 1 })
      const wrong = { clientId: web.clientId, clientSecret: 'wrong' }
      const inForm = { client_id: wrong.clientId, client_secret: wrong.clientSecret }
      const ways: [string, Parameters][] = [
        ['token', { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT_URI }],
        ['token', { grant_type: 'client_credentials', scope: 'openid' }],
        ['introspect', { token: 'x' }],
        ['revoke', { token: 'x' }],
        ['device_authorization', { scope: 'openid' }],
      ]
      for (const [path, form] of ways) {
        const url = `${world.url}/oauth/v2/${path}`
        const posted = await post(url, { ...form, ...inForm })
        assertError(posted, 401, 'invalid_client')
        assert.equal(posted.headers.get('www-authenticate'), null, path)
        const byHeader = await post(url, form, basic(wrong))
        assertError(byHeader, 401, 'invalid_client')
        assert.match(byHeader.headers.get('www-authenticate') ?? '', /^Basic /)
      }
    })

    test('the discovery document names every algorithm that a web key can have', async () => {
      const [discovery, published] = await Promise.all(
        ['/.well-known/openid-configuration', '/oauth/v2/keys'].map(async (path) =>
          (await fetch(world.url + path)).json(),
        ),
      )
      const algs = (published as { keys: { alg: string }[] }).keys.map(({ alg }) => alg)
      const named = (discovery as Record<string, unknown>).id_token_signing_alg_values_supported
      assert.deepEqual(named, ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])
      assert.ok(algs.every((alg) => (named as string[]).includes(alg)))
    })
  })
}
