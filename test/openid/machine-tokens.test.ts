/** Tokens of machines: they revoke their own (RFC 7009), and bind them to a key (DPoP, RFC 9449); on both engines. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, webcrypto } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, type JWK, SignJWT } from 'jose'
import * as client from 'openid-client'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { authorizationOf } from '../../src/app.ts'
import { engines } from '../support/engines.ts'
import { publicPem } from '../support/high-assurance.ts'
import { API_SCOPE } from '../support/login-page.ts'
import {
  type Answer,
  ask,
  assertError,
  basic,
  introspect,
  type Parameters,
  post,
  signInFor,
  userinfo,
} from '../support/openid-flow.ts'
import {
  addMachineClient,
  assertionOf,
  type DpopKey,
  type MachineClient,
  newDpopKey,
  type OwnKey,
} from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

for (const engine of engines) {
  suite(`tokens of machines on ${engine.name}`, () => {
    let world: OpenIdWorld
    let opaque: MachineClient
    let signed: MachineClient
    let api: Application
    let scope: string
    const at = (path: string) => `${world.url}${path}`

    before(async () => {
      world = await openOpenIdWorld({ engine })
      opaque = await addMachineClient(world)
      signed = await addMachineClient(world, 1)
      api = await world.addApi(await world.addProject())
      scope = `openid urn:zitadel:iam:org:project:id:${api.projectId}:aud ${API_SCOPE}`
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const bySecret = (machine: MachineClient, headers: Parameters = {}) =>
      post(at('/oauth/v2/token'), { grant_type: 'client_credentials', scope }, { ...basic(machine), ...headers })
    const byKey = async ({ key, userId }: MachineClient, headers: Parameters = {}) => {
      const assertion = await assertionOf(key, userId, world.url)
      return post(at('/oauth/v2/token'), { grant_type: JWT_BEARER, scope, assertion }, headers)
    }
    const ways = [bySecret, byKey]
    const revoke = (form: Parameters, headers: Parameters = {}) => post(at('/oauth/v2/revoke'), form, headers)
    const clientAssertion = async (key: OwnKey, userId: string, audience = world.url) => ({
      client_assertion_type: CLIENT_ASSERTION,
      client_assertion: await assertionOf(key, userId, audience),
    })
    const isActive = async (token: string) => {
      const { status } = await userinfo(world, token)
      const { body } = await introspect(world, api, token)
      assert.equal(status === 200, body.active)
      return status === 200
    }

    test('userinfo answers a personal access token with the organization and the metadata of its user', async () => {
      const { userId } = await addMachineClient(world)
      const { token } = await world.call(ManagementService.method.addPersonalAccessToken, { userId }, world.owner)
      const metadata = [{ key: 'team', value: Buffer.from('photos') }]
      await world.call(UserService.method.setUserMetadata, { userId, metadata }, world.owner)
      const { body } = await userinfo(world, token)
      assert.equal(body.sub, userId)
      assert.equal(body['urn:zitadel:iam:user:resourceowner:id'], world.defaultOrganizationId)
      assert.equal(typeof body['urn:zitadel:iam:user:resourceowner:name'], 'string')
      assert.equal(typeof body['urn:zitadel:iam:user:resourceowner:primary_domain'], 'string')
      assert.deepEqual(body['urn:zitadel:iam:user:metadata'], { team: 'cGhvdG9z' })
    })

    test('the answer says which scopes the token has: the default without any, and not what a machine cannot have', async () => {
      const machine = await addMachineClient(world)
      const ask = (asked: Parameters) =>
        post(at('/oauth/v2/token'), { grant_type: 'client_credentials', ...asked }, basic(machine))
      assert.equal((await ask({})).body.scope, 'openid')
      assert.equal((await ask({ scope: 'openid unknown' })).body.scope, 'openid')
      assert.equal((await ask({ scope: 'openid profile' })).body.scope, 'openid profile')
    })

    test('the last use of a key is known after a right assertion, and not after a wrong one', async () => {
      const machine = await addMachineClient(world)
      const body = JSON.stringify({ filters: [{ userIdFilter: { id: machine.userId } }] })
      const headers = { authorization: `Bearer ${world.owner.bearer}`, 'content-type': 'application/json' }
      // Of the node that got the assertion: it is stored for the others later.
      const lastUse = async () => {
        const url = at('/signet.user.v2.UserService/ListKeys')
        return (await ask(url, { method: 'POST', headers, body })).body.result[0].lastUsedDate
      }
      assertError(await byKey({ ...machine, key: { ...signed.key, keyId: machine.key.keyId } }), 400, 'invalid_grant')
      assert.equal(await lastUse(), undefined)
      const before = Date.now()
      assert.equal((await byKey(machine)).status, 200)
      assert.ok(Date.parse(await lastUse()) >= before)
    })

    suite('a machine with a key', () => {
      const token = () => at('/oauth/v2/token')
      /** A machine with a key that it has made itself. */
      const ownKey = async (machine: MachineClient, privateKey: KeyObject): Promise<OwnKey> => {
        const publicKey = Buffer.from(publicPem(privateKey))
        const { keyId } = await world.call(
          UserService.method.addKey,
          { userId: machine.userId, publicKey, expirationDate: timestampFromMs(Date.now() + 3_600_000) },
          world.owner,
        )
        return { keyId, privateKey }
      }
      const ask = async (
        key: OwnKey,
        subject: string,
        alg: string,
        more: Parameters = {},
        headers: Parameters = {},
      ) => {
        const assertion = await new SignJWT({ jti: randomUUID() })
          .setProtectedHeader({ alg, kid: key.keyId })
          .setIssuer(subject)
          .setSubject(subject)
          .setAudience(world.url)
          .setExpirationTime('1m')
          .sign(key.privateKey)
        const form = { client_assertion_type: CLIENT_ASSERTION, client_assertion: assertion, scope: 'openid', ...more }
        return post(token(), { grant_type: 'client_credentials', ...form }, headers)
      }

      test('gets a token by client credentials, under its name or its ID, with each algorithm of the metadata', async () => {
        const ec = await ownKey(opaque, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
        const ed = await ownKey(opaque, generateKeyPairSync('ed25519').privateKey)
        const ways: [OwnKey, string][] = [
          [opaque.key, 'RS256'],
          [opaque.key, 'PS256'],
          [ec, 'ES256'],
          [ed, 'EdDSA'],
        ]
        for (const [key, alg] of ways) {
          for (const subject of [opaque.clientId, opaque.userId]) {
            const { status, body, text } = await ask(key, subject, alg, { client_id: subject })
            assert.deepEqual([status, body.token_type], [200, 'Bearer'], `${alg} ${text}`)
            assert.equal((await userinfo(world, body.access_token)).body.sub, opaque.userId)
          }
        }
        const key = newDpopKey()
        const bound = await ask(ec, opaque.userId, 'ES256', {}, { dpop: await key.proof('POST', token()) })
        assert.equal(bound.body.token_type, 'DPoP')
      })

      test('is found by openid-client', async () => {
        const bytes = opaque.key.privateKey.export({ type: 'pkcs8', format: 'der' })
        const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
        const key = await webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
        const auth = client.PrivateKeyJwt({ key: key as CryptoKey, kid: opaque.key.keyId })
        const options = { execute: [client.allowInsecureRequests] }
        const config = await client.discovery(new URL(world.url), opaque.clientId, undefined, auth, options)
        const { access_token } = await client.clientCredentialsGrant(config, { scope: 'openid' })
        assert.equal((await userinfo(world, access_token)).body.sub, opaque.userId)
      })

      test('is told what is wrong with its assertion', async () => {
        const cases: [Answer, string, RegExp][] = [
          [await ask(opaque.key, signed.clientId, 'RS256'), 'invalid_client', /iss/],
          [
            await ask(opaque.key, opaque.userId, 'RS512'),
            'invalid_client',
            /its alg must be RS256 or PS256 or ES256 or /,
          ],
          [
            await ask({ ...opaque.key, keyId: 'unknown' }, opaque.userId, 'RS256'),
            'invalid_client',
            /no key of a machine/,
          ],
          [
            await ask({ ...opaque.key, keyId: signed.key.keyId }, signed.userId, 'RS256'),
            'invalid_client',
            /signature/,
          ],
        ]
        for (const [answer, error, why] of cases) {
          assertError(answer, 401, error)
          assert.match(answer.body.error_description, why)
        }
        const other = await ask(opaque.key, opaque.userId, 'RS256', { client_id: signed.clientId })
        assertError(other, 400, 'invalid_request')
        assertError(await ask(opaque.key, opaque.userId, 'RS256', {}, basic(opaque)), 400, 'invalid_request')
        assertError(await post(token(), { grant_type: 'client_credentials', scope: 'openid' }), 401, 'invalid_client')
      })
    })

    suite('a machine', () => {
      test('revokes its tokens with its secret or its key', async () => {
        for (const machine of [opaque, signed]) {
          const { userId, clientId, clientSecret, key } = machine
          const proofs: [Parameters, Parameters][] = [
            [{}, basic(machine)],
            [{ client_id: clientId, client_secret: clientSecret }, {}],
            [await clientAssertion(key, userId), {}],
            [{ ...(await clientAssertion(key, userId, at('/oauth/v2/revoke'))), client_id: userId }, {}],
          ]
          for (const [index, [form, headers]] of proofs.entries()) {
            const { body } = await (ways[index % 2] ?? bySecret)(machine)
            const kept = (await bySecret(machine)).body.access_token
            assert.equal(await isActive(body.access_token), true)
            const answer = await revoke({ token: body.access_token, ...form }, headers)
            assert.deepEqual([answer.status, answer.text], [200, ''])
            assert.equal(await isActive(body.access_token), false)
            assert.equal(await isActive(kept), true)
          }
        }
      })

      test('cannot revoke or recognize tokens of others', async () => {
        const application = await world.addApplication()
        await world.addPerson('ada')
        const { access_token: ofUser } = await signInFor(world, application)
        const { access_token: ofOther } = (await bySecret(signed)).body
        const answers = []
        for (const token of [ofUser, ofOther, 'unknown']) {
          const { status, text } = await revoke({ token }, basic(opaque))
          answers.push(`${status}${text}`)
        }
        assert.deepEqual(new Set(answers), new Set(['200']))
        assert.equal((await userinfo(world, ofUser)).status, 200)
        assert.equal(await isActive(ofOther), true)
        assertError(await revoke({ token: ofOther }, basic(application)), 401, 'invalid_client')
        assert.equal(await isActive(ofOther), true)
      })

      test('must prove who it is', async () => {
        const { access_token: token } = (await bySecret(opaque)).body
        const { userId, clientId, key } = opaque
        assertError(await revoke({ token }, basic({ clientId, clientSecret: 'wrong' })), 401, 'invalid_client')
        assertError(await revoke({ token }, basic({ ...signed, clientId })), 401, 'invalid_client')
        const foreign = { ...signed.key, keyId: key.keyId }
        assertError(await revoke({ token, ...(await clientAssertion(foreign, userId)) }), 401, 'invalid_client')
        const elsewhere = await clientAssertion(key, userId, 'https://other.example')
        assertError(await revoke({ token, ...elsewhere }), 401, 'invalid_client')
        const used = await clientAssertion(key, userId)
        assert.equal((await revoke({ token: 'unknown', ...used })).status, 200)
        assertError(await revoke({ token, ...used }), 401, 'invalid_client')
        const both = { token, ...(await clientAssertion(key, userId)) }
        assertError(await revoke(both, basic(opaque)), 400, 'invalid_request')
        const asOther = { ...(await clientAssertion(key, userId)), client_id: signed.clientId }
        assertError(await revoke({ token, ...asOther }), 400, 'invalid_request')
        assertError(await revoke({}, basic(opaque)), 400, 'invalid_request')
        assert.equal(await isActive(token), true)
      })
    })

    suite('a token that is bound to a key', () => {
      const proofFor = (key: DpopKey, path: string, token: string, method = 'GET') =>
        key.proof(method, at(path), { ath: hashOf(token) })
      const show = (path: string, token: string, dpop: string | undefined) =>
        ask(at(path), { headers: { authorization: `DPoP ${token}`, ...(dpop !== undefined && { dpop }) } })
      const newToken = async (key: DpopKey, machine = opaque, way = bySecret) => {
        const { body, status, text } = await way(machine, { dpop: await key.proof('POST', at('/oauth/v2/token')) })
        assert.equal(status, 200, text)
        assert.equal(body.token_type, 'DPoP')
        return String(body.access_token)
      }

      test('names the key, and is no bearer token', async () => {
        for (const machine of [opaque, signed]) {
          for (const way of ways) {
            const key = newDpopKey()
            const token = await newToken(key, machine, way)
            const jwk = decodeProtectedHeader(await key.proof('GET', world.url)).jwk as JWK
            const jkt = await calculateJwkThumbprint(jwk)
            const { body } = await introspect(world, api, token)
            assert.deepEqual([body.active, body.token_type, body.cnf], [true, 'DPoP', { jkt }])
            if (machine === signed) assert.deepEqual(decodeJwt(token).cnf, { jkt })
            assertError(await userinfo(world, token), 401, 'invalid_token')
            const asBearer = await ask(at('/auth/v1/users/me'), { headers: { authorization: `Bearer ${token}` } })
            assert.equal(asBearer.status, 401)
            const info = await show('/oidc/v1/userinfo', token, await proofFor(key, '/oidc/v1/userinfo', token))
            assert.equal(info.body.sub, machine.userId)
            const me = await show('/auth/v1/users/me', token, await proofFor(key, '/auth/v1/users/me', token))
            assert.equal(me.body.user?.id, machine.userId, me.text)
          }
        }
      })

      for (const path of ['/oidc/v1/userinfo', '/auth/v1/users/me']) {
        test(`counts at ${path} once for each proof, and only with a right one`, async () => {
          const key = newDpopKey()
          const token = await newToken(key)
          const ath = hashOf(token)
          const proof = await proofFor(key, path, token)
          assert.equal((await show(path, token, proof)).status, 200)
          const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60
          const wrong = [
            proof,
            undefined,
            'nonsense',
            await proofFor(newDpopKey(), path, token),
            await proofFor(key, path, token, 'POST'),
            await proofFor(key, '/oauth/v2/token', token),
            await key.proof('GET', at(path)),
            await key.proof('GET', at(path), { ath: hashOf('another token') }),
            await key.proof('GET', at(path), { ath, jti: '' }),
            await key.proof('GET', `https://other.example${path}`, { ath }),
            await key.proof('GET', at(path), { ath, exp: minutes(-1) }),
            await key.proof('GET', at(path), { ath, iat: minutes(-6) }),
            await key.proof('GET', at(path), { ath, iat: minutes(6) }),
          ]
          for (const [index, one] of wrong.entries()) {
            const answer = await show(path, token, one)
            assert.equal(answer.status, 401, `${index}: ${answer.text}`)
            assert.ok(answer.headers.get('www-authenticate'))
          }
          const withQuery = await key.proof('GET', `${at(path)}?a=b#c`, { ath })
          assert.equal((await show(path, token, withQuery)).status, 200)
          const { access_token: unbound } = (await bySecret(opaque)).body
          assert.equal((await show(path, unbound, await proofFor(key, path, unbound))).status, 401)
        })
      }

      test('keeps counting for a request that lasts, with the proof that it began with, until it is revoked', async () => {
        const key = newDpopKey()
        const token = await newToken(key)
        const path = '/signet.auth.v1.AuthService/GetMyUser'
        const headers = new Map([
          ['authorization', `DPoP ${token}`],
          ['dpop', await key.proof('POST', at(path), { ath: hashOf(token), exp: Math.floor(Date.now() / 1000) + 1 })],
        ])
        const head = { verb: 'POST', path, requestId: 'test', signal: new AbortController().signal }
        const request = { ...head, header: (name: string) => headers.get(name) }
        const authorize = authorizationOf(world.app)
        const method = { descriptor: AuthService.method.getMyUser }
        const { again } = await authorize(method, request)
        await isRefused(authorize(method, request), 'access.unauthenticated')
        // Pause: the proof is valid for a second.
        await sleep(1_100)
        for (let each = 0; each < 2; each++) assert.equal((await again()).callerId, opaque.userId)
        await revoke({ token }, basic(opaque))
        await isRefused(again(), 'access.unauthenticated')
      })

      test('is not issued with a proof that is wrong, old or was used', async () => {
        const key = newDpopKey()
        const address = at('/oauth/v2/token')
        const proof = await key.proof('POST', address)
        assert.equal((await bySecret(opaque, { dpop: proof })).status, 200)
        const wrong = [
          proof,
          'nonsense',
          await key.proof('GET', address),
          await key.proof('POST', at('/oidc/v1/userinfo')),
          `${proof}, ${await key.proof('POST', address)}`,
          await key.proof('POST', address, { nbf: Math.floor(Date.now() / 1000) + 600 }),
          await key.proof('POST', address, { iat: Math.floor(Date.now() / 1000) - 600 }),
        ]
        for (const way of ways) {
          for (const dpop of wrong) assertError(await way(opaque, { dpop }), 400, 'invalid_dpop_proof')
        }
      })

      test('is revoked like any other', async () => {
        const key = newDpopKey()
        const token = await newToken(key)
        assert.equal((await revoke({ token }, basic(opaque))).status, 200)
        const path = '/oidc/v1/userinfo'
        assertError(await show(path, token, await proofFor(key, path, token)), 401, 'invalid_token')
      })
    })
  })
}
