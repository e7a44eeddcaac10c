import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  checkedClaims,
  checkedSubject,
  isIssuer,
  mergeClaims,
  restrictedMetadata,
  withPrimaryEmail,
} from './provider-claims.ts'
import { SignInFailed } from './sign-in-failed.ts'

suite('what a provider says', () => {
  test('about its algorithms counts as far as they are ours: nothing symmetric, nothing that is nothing', () => {
    const offered = ['none', 'HS256', 'HS512', 'RS256', 'ES256', 'EdDSA', 'RSA1_5', 'ML-DSA-44', 'rs256']
    const restricted = restrictedMetadata({
      id_token_signing_alg_values_supported: offered,
      userinfo_signing_alg_values_supported: ['none'],
    })
    assert.deepEqual(restricted.id_token_signing_alg_values_supported, ['RS256', 'ES256', 'EdDSA'])
    assert.deepEqual(restricted.userinfo_signing_alg_values_supported, [])
    assert.deepEqual(restrictedMetadata({}).id_token_signing_alg_values_supported, ['RS256'])
  })

  test('about itself must be to the letter what was set up', () => {
    const issuer = 'https://a.example/x'
    for (const claimed of ['https://a.example/x/', 'https://A.example/x', 'https://a.example/X', '', undefined, 1]) {
      assert.equal(isIssuer({ issuer }, claimed), false, String(claimed))
    }
    assert.equal(isIssuer({ issuer }, issuer), true)
  })

  test('at Microsoft stands for a tenant, where several are let in', () => {
    const common = 'https://login.microsoftonline.com/common/v2.0'
    const template = 'https://login.microsoftonline.com/{tenantid}/v2.0'
    const tenant = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
    assert.equal(isIssuer({ issuer: common, acceptsTenants: true }, template), true)
    assert.equal(isIssuer({ issuer: common, acceptsTenants: true }, tenant), true)
    assert.equal(isIssuer({ issuer: common, acceptsTenants: true }, 'https://evil.example/{tenantid}/v2.0'), false)
    assert.equal(isIssuer({ issuer: tenant, acceptsTenants: false }, template), false)
    assert.equal(isIssuer({ issuer: common }, template), false)
  })

  test('is kept when it is small and not deep', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
    assert.ok(checkedClaims(nested(20)))
    for (const wrong of [nested(21), { a: 'x'.repeat(100_001) }, null, [], 'text', undefined]) {
      assert.throws(() => checkedClaims(wrong), SignInFailed)
    }
  })

  test('names an account by a text or a whole number', () => {
    assert.equal(checkedSubject('a b'), 'a b')
    assert.equal(checkedSubject(4711), '4711')
    for (const wrong of [
      '',
      ' ',
      'a\u0000',
      'a\nb',
      'a\u2028b',
      '\ud800',
      'x'.repeat(256),
      1.5,
      2 ** 60,
      null,
      {},
      true,
    ]) {
      assert.throws(() => checkedSubject(wrong), SignInFailed, String(wrong))
    }
  })

  test('about an address and whether it is verified comes from one place', () => {
    const verified = { email: 'a@x.example', email_verified: true, name: 'A' }
    assert.deepEqual(mergeClaims(verified, { email: 'b@x.example' }), { email: 'b@x.example', name: 'A' })
    assert.deepEqual(mergeClaims(verified, { sub: '1' }), { ...verified, sub: '1' })
    const list = [{ email: 'c@x.example', primary: true, verified: false }]
    assert.deepEqual(withPrimaryEmail(verified, list), { name: 'A', email: 'c@x.example', email_verified: false })
    for (const none of [[], null, 'x', [null, 1], [{ email: 1, primary: true }]]) {
      assert.deepEqual(withPrimaryEmail(verified, none), { name: 'A' })
    }
  })
})
