import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { oneTimeCodesDecider as rules } from './decider.ts'
import { MOST_OTPS, NO_OTP, nextOtpAt } from './decisions/otp.ts'
import type { OneTimeCodesEvent } from './events.ts'

const noon = instant(1_800_000_000_000)
function later(milliseconds: number) {
  return instant(noon + milliseconds)
}

const registered: OneTimeCodesEvent = { type: 'totp.registered.v1', data: { secret: { seed: 'one' } } }
const verified: OneTimeCodesEvent = { type: 'totp.verified.v1', data: { step: 10 } }
const removed: OneTimeCodesEvent = { type: 'one_time_codes.removed.v1', data: {} }

suite('an authenticator app', () => {
  test('is registered, and registered again until a code proves that an app has the secret', () => {
    given(rules).when({ type: 'register_totp', seed: 'one' }).then(registered)
    const again = { type: 'totp.registered.v1', data: { secret: { seed: 'two' } } } as const
    given(rules, registered).when({ type: 'register_totp', seed: 'two' }).then(again)
    given(rules, registered, verified).when({ type: 'register_totp', seed: 'two' }).thenRefused('totp.already_set_up')
  })

  test('is ready by a code of its own secret alone', () => {
    given(rules, registered).when({ type: 'verify_totp', step: 10, seed: 'one' }).then(verified)
    given(rules, registered).when({ type: 'verify_totp', step: 10, seed: 'old' }).thenRefused('totp.not_set_up')
    given(rules).when({ type: 'verify_totp', step: 10, seed: 'one' }).thenRefused('totp.not_set_up')
    const twice = { type: 'verify_totp', step: 11, seed: 'one' } as const
    given(rules, registered, verified).when(twice).thenRefused('totp.already_set_up')
  })

  test('that is not ready signs no user in', () => {
    given(rules, registered).when({ type: 'use_totp', step: 10, seed: 'one' }).thenRefused('totp.not_set_up')
    given(rules).when({ type: 'use_totp', step: 10, seed: 'one' }).thenRefused('totp.not_set_up')
  })

  test('gives each code once, the one that set it up too, and none older than the last', () => {
    const ready = given(rules, registered, verified)
    ready.when({ type: 'use_totp', step: 10, seed: 'one' }).thenRefused('totp.code_used')
    ready.when({ type: 'use_totp', step: 9, seed: 'one' }).thenRefused('totp.code_used')
    const used: OneTimeCodesEvent = { type: 'totp.used.v1', data: { step: 11 } }
    ready.when({ type: 'use_totp', step: 11, seed: 'one' }).then(used)
    const after = given(rules, registered, verified, used)
    after.when({ type: 'use_totp', step: 11, seed: 'one' }).thenRefused('totp.code_used')
    after.when({ type: 'use_totp', step: 12, seed: 'one' }).then({ type: 'totp.used.v1', data: { step: 12 } })
  })

  test('that was brought along is ready at once', () => {
    const imported: OneTimeCodesEvent = { type: 'totp.imported.v1', data: { secret: { seed: 'one' } } }
    given(rules).when({ type: 'import_totp', seed: 'one' }).then(imported)
    given(rules, imported)
      .when({ type: 'use_totp', step: 0, seed: 'one' })
      .then({ type: 'totp.used.v1', data: { step: 0 } })
    given(rules, imported).when({ type: 'import_totp', seed: 'two' }).thenRefused('totp.already_set_up')
  })

  test('can be removed and set up again', () => {
    const gone: OneTimeCodesEvent = { type: 'totp.removed.v1', data: {} }
    given(rules, registered, verified).when({ type: 'remove_totp' }).then(gone)
    given(rules, registered).when({ type: 'remove_totp' }).then(gone)
    given(rules, registered, verified, gone).when({ type: 'remove_totp' }).thenRefused('totp.not_found')
    given(rules, registered, verified, gone).when({ type: 'register_totp', seed: 'one' }).then(registered)
  })

  test('keeps its used codes when its secret is sealed anew, and nothing else is sealed in its place', () => {
    const resealed: OneTimeCodesEvent = { type: 'totp.resealed.v1', data: { secret: { seed: 'new' } } }
    given(rules, registered, verified).when({ type: 'reseal_totp', before: 'one', seed: 'new' }).then(resealed)
    given(rules, registered, verified).when({ type: 'reseal_totp', before: 'old', seed: 'new' }).then()
    given(rules, registered, verified, resealed)
      .when({ type: 'use_totp', step: 10, seed: 'new' })
      .thenRefused('totp.code_used')
  })
})

suite('codes that are sent', () => {
  const added: OneTimeCodesEvent = { type: 'otp.added.v1', data: { medium: 'sms' } }
  const issued = (at = noon): OneTimeCodesEvent => ({ type: 'otp.issued.v1', data: { medium: 'sms', issuedAt: at } })
  const use = (issue: number) => ({ type: 'use_otp', medium: 'sms', issue }) as const

  test('are turned on and off, each medium for itself', () => {
    given(rules).when({ type: 'add_otp', medium: 'sms' }).then(added)
    given(rules, added).when({ type: 'add_otp', medium: 'sms' }).thenRefused('otp.already_set_up')
    given(rules, added).when({ type: 'remove_otp', medium: 'email' }).thenRefused('otp.not_found')
    given(rules, added)
      .when({ type: 'remove_otp', medium: 'sms' })
      .then({ type: 'otp.removed.v1', data: { medium: 'sms' } })
    given(rules, added).when({ type: 'issue_otp', medium: 'email', at: noon }).thenRefused('otp.not_set_up')
  })

  test('count once, and only the newest', () => {
    const one = given(rules, added, issued())
    one.when(use(1)).then({ type: 'otp.used.v1', data: { medium: 'sms', issue: 1 } })
    one.when(use(2)).thenRefused('otp.code_used')
    const used: OneTimeCodesEvent = { type: 'otp.used.v1', data: { medium: 'sms', issue: 1 } }
    given(rules, added, issued(), used).when(use(1)).thenRefused('otp.code_used')
    given(rules, added, issued(), issued()).when(use(1)).thenRefused('otp.code_used')
    given(rules, added, issued(), used, issued())
      .when(use(2))
      .then({ type: 'otp.used.v1', data: { medium: 'sms', issue: 2 } })
  })

  test('end when their medium is turned off, permanently', () => {
    const off: OneTimeCodesEvent = { type: 'otp.removed.v1', data: { medium: 'sms' } }
    given(rules, added, issued(), off).when(use(1)).thenRefused('otp.not_set_up')
    given(rules, added, issued(), off, added).when(use(1)).thenRefused('otp.code_used')
  })

  test('are made ten times within an hour at most, though the medium is turned off and on', () => {
    const many = Array.from({ length: MOST_OTPS }, (_, index) => issued(later(index)))
    const off: OneTimeCodesEvent = { type: 'otp.removed.v1', data: { medium: 'sms' } }
    for (const full of [given(rules, added, ...many), given(rules, added, ...many, off, added)]) {
      full.when({ type: 'issue_otp', medium: 'sms', at: later(3_599_999) }).thenRefused('otp.too_many')
      full.when({ type: 'issue_otp', medium: 'sms', at: later(3_600_000) }).then(issued(later(3_600_000)))
    }
    assert.equal(nextOtpAt(NO_OTP), 0)
  })
})

suite('recovery codes', () => {
  const set = (key: string): OneTimeCodesEvent => ({
    type: 'recovery_codes.generated.v1',
    data: { count: 2, secret: { key, hashes: ['a', 'b'] } },
  })
  const used: OneTimeCodesEvent = { type: 'recovery_codes.used.v1', data: { index: 1 } }
  const use = (index: number, key = 'one') => ({ type: 'use_recovery_code', index, key }) as const

  test('are used one by one, each once', () => {
    given(rules)
      .when({ type: 'generate_recovery_codes', key: 'one', hashes: ['a', 'b'] })
      .then(set('one'))
    given(rules, set('one')).when(use(1)).then(used)
    given(rules, set('one'), used).when(use(1)).thenRefused('recovery_codes.code_used')
    given(rules, set('one'), used)
      .when(use(0))
      .then({ type: 'recovery_codes.used.v1', data: { index: 0 } })
  })

  test('end when new ones are made or they are removed', () => {
    given(rules, set('one'), used, set('two')).when(use(1)).thenRefused('recovery_codes.not_set_up')
    given(rules, set('one'), used, set('two')).when(use(1, 'two')).then(used)
    const gone: OneTimeCodesEvent = { type: 'recovery_codes.removed.v1', data: {} }
    given(rules, set('one')).when({ type: 'remove_recovery_codes' }).then(gone)
    given(rules, set('one'), gone).when(use(1)).thenRefused('recovery_codes.not_set_up')
    given(rules, set('one'), gone).when({ type: 'remove_recovery_codes' }).then()
  })

  test('stay used when their key is sealed anew', () => {
    const resealed: OneTimeCodesEvent = { type: 'recovery_codes.resealed.v1', data: { secret: { key: 'new' } } }
    const reseal = { type: 'reseal_recovery_codes', before: 'one', key: 'new' } as const
    given(rules, set('one'), used).when(reseal).then(resealed)
    given(rules, set('two')).when(reseal).then()
    given(rules, set('one'), used, resealed).when(use(1, 'new')).thenRefused('recovery_codes.code_used')
    assert.deepEqual(given(rules, set('one'), used, resealed).state.recovery?.secret.hashes, ['a', 'b'])
  })
})

test('a removed user has no codes and gets none', () => {
  const gone = given(rules, registered, removed)
  assert.deepEqual(gone.state, { isRemoved: true, otp: {} })
  gone.when({ type: 'register_totp', seed: 'two' }).thenRefused('one_time_codes.removed')
  gone.when({ type: 'add_otp', medium: 'sms' }).thenRefused('one_time_codes.removed')
})
