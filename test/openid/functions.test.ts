/** Functions of actions: claims that targets add to tokens, userinfo and introspection. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { decodeJwt } from 'jose'
import { mergeAnswer } from '../../src/features/executions/functions.ts'
import { findMetadata } from '../../src/features/metadata/index.ts'
import { addedClaims } from '../../src/openid/functions.ts'
import { openActionWorld } from '../support/action-world.ts'
import { afterwards } from '../support/afterwards.ts'
import { engines } from '../support/engines.ts'
import { askToken, assertError, authorize, codeForm, introspect, signInFor, userinfo } from '../support/openid-flow.ts'

const LOG = 'urn:zitadel:iam:action:function/preuserinfo:log'

for (const engine of engines) {
  suite(`functions of actions on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      const application = await world.addApplication({ accessTokenType: 1 })
      const userId = await world.addPerson('ada')
      return { world, application, userId }
    }
    const scope = 'openid profile email'

    test('claims are added to ID tokens, userinfo, introspection and signed access tokens', async (t) => {
      const { world, application, userId } = await open(t)
      const { receiver } = world
      const answer: JsonObject = {
        append_claims: [
          { key: 'department', value: { name: 'R&D', floor: 3 } },
          { key: 'sub', value: 'somebody else' },
          { key: 'urn:zitadel:iam:org:project:roles', value: { admin: {} } },
          { key: 'name', value: 'Somebody Else' },
        ],
        append_log_claims: ['seen'],
        set_user_metadata: [{ key: 'seen', value: Buffer.from('yes').toString('base64') }],
      }
      const first = await world.addTarget(receiver.on('/first', () => ({ append_claims: [{ key: 'lost', value: 1 }] })))
      const second = await world.addTarget(receiver.on('/second', () => answer))
      await world.setExecution({ function: { name: 'preuserinfo' } }, [first, second])
      await world.setExecution({ function: { name: 'preaccesstoken' } }, [second])
      const tokens = await signInFor(world, application, { scope })
      const info = await userinfo(world, tokens.access_token)
      const active = await introspect(world, application, tokens.access_token)
      const said = { idToken: decodeJwt(tokens.id_token), info: info.body, active: active.body }
      for (const [place, claims] of Object.entries(said)) {
        assert.deepEqual(claims.department, { name: 'R&D', floor: 3 }, place)
        assert.equal(claims.sub, userId, place)
        assert.equal(claims.lost, undefined, place)
        assert.equal(claims['urn:zitadel:iam:org:project:roles'], undefined, place)
        assert.ok((claims[LOG] as string[]).includes('seen'), place)
        assert.ok((claims[LOG] as string[]).includes('key "sub" already exists'), place)
      }
      assert.equal(info.body.name, 'ada Person')
      const access = decodeJwt(tokens.access_token)
      assert.deepEqual(access.department, { name: 'R&D', floor: 3 })
      assert.equal(access.sub, userId)
      assert.deepEqual(
        Buffer.from((await findMetadata(world.app, userId, 'seen'))?.state.value ?? '', 'base64').toString(),
        'yes',
      )
      assert.deepEqual(world.faults, [])
    })

    test('a target learns about the user in the order of the peer', async (t) => {
      const { world, application, userId } = await open(t)
      const { receiver } = world
      const first = await world.addTarget(receiver.on('/first', () => ({ append_log_claims: ['<one>'] })))
      const second = await world.addTarget(receiver.on('/second', () => undefined))
      await world.setExecution({ function: { name: 'preuserinfo' } }, [first, second])
      await signInFor(world, application, { scope: 'openid' })
      const [call, next] = receiver.calls
      const text = call?.body ?? ''
      assert.ok(
        text.startsWith(
          `{"function":"function/preuserinfo","userinfo":{"sub":"${userId}"},"user":{"id":"${userId}","creation_date":"`,
        ),
      )
      assert.match(
        text,
        /"state":1,"username":"ada","preferred_login_name":"ada","human":\{"first_name":"ada","last_name":"Person","display_name":"ada Person","preferred_language":"und","email":"ada@example.com","is_email_verified":true,"password_changed":"20[^"]+Z","mfa_init_skipped":"0001-01-01T00:00:00Z"\}\},"org":\{"id":"\d+","name":"[^"]+","primary_domain":"signet\.localhost"\},"application":\{"client_id":"[^"]+"\}\}$/,
      )
      assert.ok(next?.body.endsWith(',"response":{"append_log_claims":["\\u003cone\\u003e"]}}'), next?.body ?? '')
    })

    test('a target that interrupts refuses the token, and the console is never affected', async (t) => {
      const { world, application } = await open(t)
      const { receiver } = world
      const forwarded = { forwardedStatusCode: 403, forwardedErrorMessage: 'Not “today”' }
      const target = await world.addTarget(receiver.on('/no', () => forwarded))
      await world.setExecution({ function: { name: 'preuserinfo' } }, [target])
      const { values } = await authorize(world, application, { scope })
      const refused = await askToken(world, application, codeForm(values))
      assertError(refused, 400, 'access_denied')
      assert.equal(refused.body.error_description, 'Not ?today?')
      assert.deepEqual(world.faults, [])
      const info = await userinfo(world, world.token)
      assert.equal(info.status, 400, info.text)
    })
  })
}

suite('the answer of a function', () => {
  const bad: readonly (readonly [what: string, answer: unknown])[] = [
    ['a list', []],
    ['a text', 'claims'],
    ['claims that are no list', { append_claims: { key: 'a', value: 1 } }],
    ['a claim without a name', { append_claims: [{ value: 1 }] }],
    ['a claim without a value', { append_claims: [{ key: 'a' }] }],
    ['a claim with a number as its name', { append_claims: [{ key: 1, value: 1 }] }],
    ['a claim with a name of control characters', { append_claims: [{ key: 'a\nb', value: 1 }] }],
    ['a long name', { append_claims: [{ key: 'a'.repeat(201), value: 1 }] }],
    ['too many claims', { append_claims: Array.from({ length: 101 }, (_, at) => ({ key: `a${at}`, value: 1 })) }],
    ['a large claim', { append_claims: [{ key: 'a', value: 'x'.repeat(70_000) }] }],
    ['metadata that is not base64', { set_user_metadata: [{ key: 'a', value: '***' }] }],
    ['metadata that is a number', { set_user_metadata: [{ key: 'a', value: 1 }] }],
    ['log entries that are objects', { append_log_claims: [{}] }],
    ['an attribute without a name', { append_attribute: [{ value: ['a'] }] }],
    ['an attribute whose value is no list', { append_attribute: [{ name: 'a', value: 'b' }] }],
    ['an attribute with a number as a value', { append_attribute: [{ name: 'a', value: [1] }] }],
    ['an attribute with a format of control characters', { append_attribute: [{ name: 'a', name_format: '\0' }] }],
    ['half a character in an attribute', { append_attribute: [{ name: 'a', value: ['\ud800'] }] }],
    ['too many attributes', { append_attribute: Array.from({ length: 101 }, (_, at) => ({ name: `a${at}` })) }],
    ['a large attribute', { append_attribute: [{ name: 'a', value: ['x'.repeat(70_000)] }] }],
    ['half a character', { append_log_claims: ['\ud800'] }],
  ]
  for (const [what, answer] of bad) {
    test(`is not used with ${what}`, () => assert.equal(mergeAnswer({}, answer), undefined))
  }

  test('replaces members of the answers before it', () => {
    const one = mergeAnswer({}, { append_log_claims: ['a'], append_claims: [{ key: 'a', value: null }] }) ?? {}
    assert.deepEqual(mergeAnswer(one, { append_log_claims: ['b'], other: 1 }), {
      append_log_claims: ['b'],
      append_claims: [{ key: 'a', value: null }],
    })
  })

  test('never replaces a claim of the protocols or one that is there', () => {
    const names = ['iss', 'sub', 'aud', 'exp', 'nonce', 'act', 'cnf', 'scope', 'sid', 'amr', '__proto__', 'email']
    const answer = { append_claims: names.map((key) => ({ key, value: 'forged' })) }
    const claims = addedClaims('preuserinfo', answer, { email: 'ada@example.com' })
    assert.deepEqual(Object.keys(claims), [LOG])
    assert.equal((claims[LOG] as string[]).length, names.length)
  })
})
