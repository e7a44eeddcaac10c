import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailOf } from './identity.ts'

test('an address counts as verified as the provider is trusted', () => {
  const claims = [undefined, true, 'true', false, 'false', 'yes']
  const verified = (provider: Parameters<typeof emailOf>[1]) =>
    claims.map((email_verified) => emailOf({ email: 'a@a.example', email_verified }, provider)?.isVerified)
  const told = [false, true, true, false, false, false]
  assert.deepEqual(verified({}), told)
  assert.deepEqual(verified({ options: { emailTrust: 'told' } }), told)
  assert.deepEqual(verified({ options: { emailTrust: 'always' } }), [true, true, true, false, false, true])
  const never = claims.map(() => false)
  assert.deepEqual(verified({ options: { emailTrust: 'never' } }), never)
  // Microsoft Entra ID, whose option is older.
  assert.deepEqual(
    verified({ trustsEmail: true }),
    claims.map(() => true),
  )
  assert.deepEqual(verified({ trustsEmail: true, options: { emailTrust: 'never' } }), never)
})
