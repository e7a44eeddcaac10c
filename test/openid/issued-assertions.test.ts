/** Identity assertion grants for partners: about users who are signed in here, for what the instance says. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { EXCHANGE, TYPE } from '../support/delegation.ts'
import { engines } from '../support/engines.ts'
import { type AssertionScene, openAssertionScene, PARTNER, PARTNER_API } from '../support/identity-assertions.ts'
import {
  type Answer,
  ask,
  askToken,
  assertError,
  introspect,
  type Parameters,
  readIdToken,
  signInFor,
  userinfo,
} from '../support/openid-flow.ts'
import { MCP } from '../support/resources.ts'

for (const engine of engines) {
  suite(`issued identity assertions on ${engine.name}`, () => {
    let s: AssertionScene

    before(async () => {
      s = await openAssertionScene(engine)
    })

    after(async () => {
      await s.world.dispose()
      assert.deepEqual(s.world.faults, [])
    })

    const idToken = async (scope = 'openid email'): Promise<string> =>
      (await signInFor(s.world, s.application, { scope })).id_token
    const exchange = (subject: string, more: Parameters = {}, client = s.application) =>
      askToken(s.world, client, {
        grant_type: EXCHANGE,
        requested_token_type: `${TYPE}id-jag`,
        subject_token: subject,
        subject_token_type: `${TYPE}id_token`,
        audience: PARTNER,
        ...more,
      })

    test('are off by default, in both directions and in the metadata', async () => {
      assertError(await exchange(await idToken()), 400, 'invalid_request')
      assertError(await s.show(await s.assertion()), 400, 'invalid_grant')
      const { body } = await ask(`${s.world.url}/.well-known/openid-configuration`)
      assert.equal(body.authorization_grant_profiles_supported, undefined)
      assert.equal(body.identity_chaining_requested_token_types_supported, undefined)
      await s.allow()
      const { body: on } = await ask(`${s.world.url}/.well-known/openid-configuration`)
      assert.deepEqual(on.authorization_grant_profiles_supported, ['urn:ietf:params:oauth:grant-profile:id-jag'])
      assert.deepEqual(on.identity_chaining_requested_token_types_supported, [`${TYPE}id-jag`])
    })

    test('are issued for a partner, about the user and for the client there', async () => {
      const subject = await idToken()
      const answer = await exchange(subject, { resource: PARTNER_API, scope: 'files:read' })
      assert.equal(answer.status, 200, answer.text)
      const { access_token: text, token_type: kind, issued_token_type: issued, refresh_token: refresh } = answer.body
      assert.deepEqual([kind, issued, refresh], ['N_A', `${TYPE}id-jag`, undefined])
      const claims = await readIdToken(s.world, { ...s.application, clientId: PARTNER }, text)
      assert.equal(decodeProtectedHeader(text).typ, 'oauth-id-jag+jwt')
      const { iss, sub, aud, client_id: client, scope, resource: uri, auth_time: at, email, exp = 0, iat = 0 } = claims
      assert.deepEqual(
        [iss, sub, aud, client, scope, uri, at, email],
        [
          s.world.url,
          s.adaId,
          PARTNER,
          'client-there',
          'files:read',
          PARTNER_API,
          decodeJwt(subject).auth_time,
          'ada@example.com',
        ],
      )
      assert.ok(exp - iat <= 300)
      assert.equal(decodeJwt((await exchange(await idToken('openid'))).body.access_token).email, undefined)
    })

    test('that were issued count nowhere here', async () => {
      const text: string = (await exchange(await idToken())).body.access_token
      assert.equal((await introspect(s.world, s.application, text)).body.active, false)
      assert.equal((await userinfo(s.world, text)).status, 401)
      for (const type of ['access_token', 'id_token']) {
        const form = { subject_token: text, subject_token_type: `${TYPE}${type}` }
        assertError(await askToken(s.world, s.application, { grant_type: EXCHANGE, ...form }), 400, 'invalid_request')
      }
      assertError(await s.show(text), 400, 'invalid_grant')
    })

    const refusedIssues: Readonly<Record<string, readonly [error: string, () => Promise<Answer>]>> = {
      'an unknown partner': [
        'invalid_target',
        async () => exchange(await idToken(), { audience: 'https://x.example' }),
      ],
      'no partner': ['invalid_target', async () => exchange(await idToken(), { audience: undefined })],
      'a resource that the partner does not have': [
        'invalid_target',
        async () => exchange(await idToken(), { resource: MCP }),
      ],
      'a scope that the partner does not have': [
        'invalid_scope',
        async () => exchange(await idToken(), { scope: 'files:read admin' }),
      ],
      'an application that is not registered for the partner': [
        'invalid_target',
        async () => {
          const other = await s.world.addApplication({ grantTypes: [0, 2, 4] }, s.application.projectId)
          return exchange((await signInFor(s.world, other)).id_token, {}, other)
        },
      ],
      'the ID token of another application': [
        'invalid_request',
        async () => {
          const other = await s.world.addApplication({}, s.application.projectId)
          return exchange((await signInFor(s.world, other)).id_token)
        },
      ],
      'an access token': [
        'invalid_request',
        async () => {
          const { access_token: token } = await signInFor(s.world, s.application)
          return exchange(token, { subject_token_type: `${TYPE}access_token` })
        },
      ],
      'an actor': [
        'invalid_request',
        async () => {
          const token = await idToken()
          return exchange(token, { actor_token: token, actor_token_type: `${TYPE}id_token` })
        },
      ],
      'a sign-in that has ended': [
        'invalid_request',
        async () => {
          const token = await idToken()
          await s.world.browser().open(`${s.world.url}/oidc/v1/end_session?id_token_hint=${token}`)
          return exchange(token)
        },
      ],
    }
    for (const [what, [error, act]] of Object.entries(refusedIssues)) {
      test(`are not issued for ${what}`, async () => assertError(await act(), 400, error))
    }
  })
}
