/** The sign-in settings in the console: from the API to the form, and back. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { factorsMessageOf, loginMessageOf, loginValuesOf } from '../../console/src/pages/sign-in/login-values.ts'
import {
  LoginPolicySchema,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from '../../contract/gen/signet/policy/v1/login_pb.ts'

const policy = create(LoginPolicySchema, {
  allowUsernamePassword: true,
  allowRegister: true,
  passwordlessType: PasswordlessType.ALLOWED,
  forceMfaLocalOnly: true,
  secondFactors: [SecondFactorType.TOTP, SecondFactorType.OTP_SMS],
  multiFactors: [MultiFactorType.U2F_WITH_VERIFICATION],
  defaultRedirectUri: 'https://app.example.com/',
  sessionLifetime: { seconds: 3600n },
  passwordCheckLifetime: { seconds: 60n },
  secondFactorCheckLifetime: { seconds: 120n },
  multiFactorCheckLifetime: { seconds: 180n },
  externalLoginCheckLifetime: { seconds: 240n },
})

suite('the sign-in settings', () => {
  test('are shown as the API answers them', () => {
    const { mfa, secondFactors, hasPasskeys, passkeyIsEnough, sessionLifetime } = loginValuesOf(policy)
    assert.deepEqual([mfa, secondFactors, hasPasskeys, passkeyIsEnough], ['local', ['app', 'sms'], true, true])
    assert.equal(sessionLifetime, 3600)
  })

  test('that were not changed are sent back as they were', () => {
    const values = loginValuesOf(policy)
    const sent = create(LoginPolicySchema, { ...loginMessageOf(values), ...factorsMessageOf(values) })
    assert.deepEqual(sent, policy)
  })

  test('require a second factor from no one, from those who sign in here, or from all', () => {
    const values = loginValuesOf(policy)
    const sent = (['none', 'local', 'all'] as const).map((mfa) => {
      const { forceMfa, forceMfaLocalOnly } = loginMessageOf({ ...values, mfa })
      return [forceMfa, forceMfaLocalOnly]
    })
    assert.deepEqual(sent, [
      [false, false],
      [false, true],
      [true, false],
    ])
  })
})
