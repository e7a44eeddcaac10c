/**
 * Identity assertion grants of trusted issuers: they give tokens for a resource, count once, and what they gave ends when the
 * instance trusts the issuer no more.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { users } from '../../src/features/users/index.ts'
import { engines } from '../support/engines.ts'
import { type AssertionScene, ISSUER, KEYS, openAssertionScene, PARTNER } from '../support/identity-assertions.ts'
import { type Answer, assertError, introspect } from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, assertionForm } from '../support/openid-keys.ts'
import { FILES, MCP, readToken } from '../support/resources.ts'

/** What an issuer says about somebody whose account is not linked. */
const CLEO = { email: 'cleo@example.com', email_verified: true }
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

for (const engine of engines) {
  suite(`accepted identity assertions on ${engine.name}`, () => {
    let s: AssertionScene

    before(async () => {
      s = await openAssertionScene(engine)
      await s.world.addPerson('bo')
      await s.world.addPerson('cleo')
      await s.allow()
    })

    after(async () => {
      await s.world.dispose()
      assert.deepEqual(s.world.faults, [])
    })

    const isActive = async (token: string) => (await introspect(s.world, s.api, token)).body.active

    test('of a trusted issuer give a token for the resource and the scope that they name', async () => {
      const text = await s.assertion()
      const answer = await s.show(text)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([answer.body.refresh_token, answer.body.id_token], [undefined, undefined])
      assert.ok(answer.body.expires_in <= 3600)
      const token = readToken(answer.body.access_token)
      assert.deepEqual(
        [token.sub, token.aud, token.scope, token.client_id, token.auth_time],
        [s.adaId, MCP, 'tools:read', s.application.clientId, decodeJwt(text).auth_time],
      )
      assert.equal(await isActive(answer.body.access_token), true)
      assertError(await s.show(text), 400, 'invalid_grant')
    })

    test('of which the request asks for less give less', async () => {
      const wide = { scope: 'tools:read tools:write', resource: [MCP, FILES] }
      const answer = await s.show(await s.assertion(wide), { scope: 'tools:write', resource: FILES })
      assert.deepEqual([readToken(answer.body.access_token).aud, answer.body.scope], [FILES, 'tools:write'])
      const { body } = await s.show(await s.assertion({ scope: undefined }))
      assert.equal(body.scope, '')
    })

    test('of an application that proves itself with a key are accepted, too', async () => {
      const other = await s.world.addApplication({ authMethodType: 3, grantTypes: [0, 2] }, s.application.projectId)
      const clientIds = [s.application.clientId, other.clientId]
      await s.allow({ issuers: [s.issuer(...clientIds)] })
      const form = await assertionForm(s.world, other, await addApplicationKey(s.world, other))
      const answer = await s.show(await s.assertion({ client_id: other.clientId }), form, other, {})
      assert.equal(answer.status, 200, answer.text)
    })

    test('about an account that is not linked mean the user who has proven the address', async () => {
      const of = { sub: 'account-of-bo', email: 'bo@example.com' }
      assertError(await s.show(await s.assertion({ ...of, email_verified: false })), 400, 'invalid_grant')
      assertError(await s.show(await s.assertion({ ...of, sub: 'x', email: 'no@example.com' })), 400, 'invalid_grant')
      assertError(await s.show(await s.assertion({ ...of, email_verified: true })), 400, 'invalid_grant')
      const where = { field: 'email', equals: of.email } as const
      const [bo] = (await s.world.store.find(users, { where, limit: 1 })).documents
      const proof = { type: 'verify_email', address: of.email, isMailed: true } as const
      await s.world.store.write(s.world.origin(), (work) => work.decide(users, bo?.id ?? '', proof))
      const answer = await s.show(await s.assertion({ ...of, email_verified: true }))
      assert.equal(answer.status, 200, answer.text)
      const { sub } = readToken(answer.body.access_token)
      assert.notEqual(sub, s.adaId)
      const again = await s.show(await s.assertion({ sub: of.sub }))
      assert.equal(readToken(again.body.access_token).sub, sub)
    })

    const now = () => Math.floor(Date.now() / 1000)
    const hostile: Readonly<Record<string, readonly [error: string, () => Promise<Answer>]>> = {
      'an issuer that is not trusted': [
        'invalid_grant',
        async () => s.show(await s.assertion({ iss: 'https://evil.example' })),
      ],
      'this server as the issuer': ['invalid_grant', async () => s.show(await s.assertion({ iss: s.world.url }))],
      'the key of a stranger': [
        'invalid_grant',
        async () => s.show(await s.assertion({}, { key: stranger.privateKey })),
      ],
      'an unknown key': ['invalid_grant', async () => s.show(await s.assertion({}, { kid: 'key-2' }))],
      'another type': ['invalid_grant', async () => s.show(await s.assertion({}, { typ: 'JWT' }))],
      'another audience': ['invalid_grant', async () => s.show(await s.assertion({ aud: 'https://other.example' }))],
      'the token endpoint as audience': [
        'invalid_grant',
        async () => s.show(await s.assertion({ aud: `${s.world.url}/oauth/v2/token` })),
      ],
      'several audiences': [
        'invalid_grant',
        async () => s.show(await s.assertion({ aud: [s.world.url, 'https://other.example'] })),
      ],
      'another client': ['invalid_grant', async () => s.show(await s.assertion({ client_id: 'other' }))],
      'no client': ['invalid_grant', async () => s.show(await s.assertion({ client_id: undefined }))],
      'no ID': ['invalid_grant', async () => s.show(await s.assertion({ jti: undefined }))],
      'an ID that is no text': ['invalid_grant', async () => s.show(await s.assertion({ jti: 7 }))],
      'no subject': ['invalid_grant', async () => s.show(await s.assertion({ sub: undefined }))],
      'a subject that is too long': [
        'invalid_grant',
        async () => s.show(await s.assertion({ ...CLEO, sub: 'x'.repeat(256) })),
      ],
      'a subject that cannot be stored': [
        'invalid_grant',
        async () => s.show(await s.assertion({ ...CLEO, sub: 'account\u0000' })),
      ],
      'a resource that cannot be stored': [
        'invalid_target',
        async () => s.show(await s.assertion({ resource: `${MCP}\u0000` })),
      ],
      'an address that cannot be stored': [
        'invalid_grant',
        async () => s.show(await s.assertion({ sub: 'y', email: 'bo\u0000@example.com', email_verified: true })),
      ],
      'claims of other types': [
        'invalid_grant',
        async () => s.show(await s.assertion({ sub: { a: 1 }, email: ['x'], client_id: [s.application.clientId] })),
      ],
      'no end': ['invalid_grant', async () => s.show(await s.assertion({ exp: undefined }))],
      'an end in the past': ['invalid_grant', async () => s.show(await s.assertion({ exp: now() - 5 }))],
      'a beginning long ago': [
        'invalid_grant',
        async () => s.show(await s.assertion({ iat: now() - 7200, exp: now() + 300 })),
      ],
      'a beginning in the future': [
        'invalid_grant',
        async () => s.show(await s.assertion({ iat: now() + 600, exp: now() + 900 })),
      ],
      'an account that nobody here has': ['invalid_grant', async () => s.show(await s.assertion({ sub: 'nobody' }))],
      'a scope that the assertion does not have': [
        'invalid_scope',
        async () => s.show(await s.assertion(), { scope: 'tools:read tools:write' }),
      ],
      'a resource that the assertion does not name': [
        'invalid_target',
        async () => s.show(await s.assertion(), { resource: FILES }),
      ],
      'a resource that does not exist': [
        'invalid_target',
        async () => s.show(await s.assertion({ resource: 'https://no.example/' })),
      ],
      'no resource': ['invalid_target', async () => s.show(await s.assertion({ resource: undefined }))],
      'several resources': ['invalid_target', async () => s.show(await s.assertion({ resource: [MCP, FILES] }))],
      'an application that may not show it': [
        'invalid_grant',
        async () => {
          const other = await s.world.addApplication({ grantTypes: [0, 2, 4] }, s.application.projectId)
          return s.show(await s.assertion({ client_id: other.clientId }), {}, other)
        },
      ],
      'a payload that is none': [
        'invalid_grant',
        async () => {
          const [header = ''] = (await s.assertion()).split('.')
          return s.show(`${header}.e30x.e30`)
        },
      ],
    }
    for (const [what, [error, act]] of Object.entries(hostile)) {
      test(`are refused with ${what}`, async () => assertError(await act(), 400, error))
    }

    test('are refused from a client that does not authenticate, or is a machine', async () => {
      const machine = await addMachineClient(s.world)
      const wrong = { ...s.application, clientSecret: 'wrong' }
      assertError(await s.show(await s.assertion(), {}, wrong), 401, 'invalid_client')
      assertError(await s.show(await s.assertion(), {}, s.application, {}), 401, 'invalid_client')
      const form = { client_id: s.application.clientId }
      assertError(await s.show(await s.assertion(), form, s.application, {}), 401, 'invalid_client')
      const other = { ...s.application, ...machine }
      assertError(await s.show(await s.assertion({ client_id: machine.clientId }), {}, other), 401, 'invalid_client')
    })

    test('are refused from an application that must bind its tokens: this grant asks for no nonces', async () => {
      const { projectId } = s.application
      const bound = await s.world.addApplication({ grantTypes: [0, 4], requireDpop: true }, projectId)
      await s.allow({ issuers: [s.issuer(s.application.clientId, bound.clientId)] })
      const text = await s.assertion({ client_id: bound.clientId })
      assertError(await s.show(text, {}, bound), 400, 'unauthorized_client')
      await s.allow()
    })

    test('shown twice at once give one token', async () => {
      const text = await s.assertion()
      const answers = await Promise.all([s.show(text), s.show(text), s.show(text)])
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    })

    /** What ends a token, and what brings the next ones back. */
    const endings: Readonly<Record<string, readonly [() => Promise<unknown>, () => Promise<unknown>]>> = {
      'assertions are accepted no more': [() => s.allow({ accept: false }), () => s.allow()],
      'the issuer is trusted no more': [() => s.allow({ issuers: [] }), () => s.allow()],
      'the account is unlinked': [
        () =>
          s.world.call(
            UserService.method.removeIDPLink,
            { userId: s.adaId, idpId: s.providerId, linkedUserId: 'account-of-ada' },
            s.world.owner,
          ),
        () => s.link(),
      ],
      'the user is deactivated': [
        () => s.world.call(UserService.method.deactivateUser, { userId: s.adaId }, s.world.owner),
        () => s.world.call(UserService.method.reactivateUser, { userId: s.adaId }, s.world.owner),
      ],
    }
    for (const [what, [end, revive]] of Object.entries(endings)) {
      test(`end when ${what}`, async () => {
        const token: string = (await s.show(await s.assertion())).body.access_token
        assert.equal(await isActive(token), true)
        await end()
        assert.equal(await isActive(token), false)
        assertError(await s.show(await s.assertion()), 400, 'invalid_grant')
        await revive()
        assert.equal((await s.show(await s.assertion())).status, 200)
      })
    }

    test('need other servers with https addresses, each of them once', async () => {
      const partner = { clients: [{ clientId: 'a', partnerClientId: 'b' }] }
      const issuer = { jwksUri: KEYS, identityProviderId: s.providerId, clientIds: ['a'] }
      const wrong = [
        { partners: [{ ...partner, issuer: 'http://as.example.com' }] },
        { partners: [{ ...partner, issuer: 'https://as.example.com?a=b' }] },
        { partners: [{ ...partner, issuer: s.world.url }] },
        { partners: [1, 2].map(() => ({ ...partner, issuer: PARTNER })) },
        { issuers: [{ ...issuer, issuer: 'https://localhost' }] },
        { issuers: [{ ...issuer, issuer: ISSUER, jwksUri: 'http://127.0.0.1/keys' }] },
        { issuers: [1, 2].map(() => ({ ...issuer, issuer: ISSUER })) },
      ]
      for (const one of wrong) await assert.rejects(s.allow(one), /partner or issuer of identity assertions is invalid/)
    })
  })
}
