import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import type { Factors, OpenSession } from '../sessions/index.ts'
import { BUILT_IN_LOGIN, type LoginSettings } from '../settings/index.ts'
import { authenticationLevel, nextStep, type SecondFactor } from './authentication-level.ts'

const NOON = instant(1_800_000_000_000)
const HOUR = 3_600_000
const YEARS = 10 * 365 * 24 * HOUR

function sessionWith(factors: Factors): OpenSession {
  return {
    status: 'open',
    creatorId: '',
    user: { id: 'ada', organizationId: 'north', checkedAt: NOON },
    factors,
    challenges: {},
    metadata: {},
    failures: 0,
    hasOwnLifetime: false,
    endsAt: instant(NOON + 2 * YEARS),
    secret: { tokenHash: 'one' },
  }
}

function levelOf(factors: Factors, login: Partial<LoginSettings>, after: number) {
  return authenticationLevel(sessionWith(factors), { ...BUILT_IN_LOGIN, ...login }, instant(NOON + after))
}

suite('what was shown', () => {
  test('counts up to its lifetime and not at it', () => {
    const login = { passwordLifetimeMs: HOUR, secondFactorLifetimeMs: HOUR }
    const shown = { password: NOON, totp: NOON }
    const before = levelOf(shown, login, HOUR - 1)
    assert.deepEqual([before.authenticatedAt, before.strength], [NOON, 2])
    const after = levelOf(shown, login, HOUR)
    assert.deepEqual([after.authenticatedAt, after.strength], [undefined, 0])
  })

  test('counts as long as the session where the lifetime is 0, which is no limit', () => {
    const webAuthN = { checkedAt: NOON, keyId: 'key', use: 'passkey', userVerified: true } as const
    assert.equal(levelOf({ password: NOON }, { passwordLifetimeMs: 0 }, YEARS).authenticatedAt, NOON)
    assert.equal(levelOf({ intent: NOON }, { externalLifetimeMs: 0 }, YEARS).authenticatedAt, NOON)
    const codes = { passwordLifetimeMs: 0, secondFactorLifetimeMs: 0 }
    assert.equal(levelOf({ password: NOON, totp: NOON }, codes, YEARS).strength, 2)
    const passkey = levelOf({ webAuthN }, { multiFactorLifetimeMs: 0 }, YEARS)
    assert.deepEqual([passkey.authenticatedAt, passkey.strength], [NOON, 2])
  })
})

suite('the next step', () => {
  const step = (
    factors: Factors,
    has: readonly SecondFactor[],
    login: Partial<LoginSettings> = {},
    mustChangePassword = false,
  ) => nextStep(levelOf(factors, login, 0), { ...BUILT_IN_LOGIN, ...login }, has, mustChangePassword)
  const password = { password: NOON }
  const required = { requiresSecondFactor: true }

  test('is a second factor for every user who has set one up', () => {
    assert.equal(step(password, []), 'none')
    assert.equal(step(password, ['totp']), 'second_factor')
    assert.equal(step({ ...password, totp: NOON }, ['totp']), 'none')
    assert.equal(step({ intent: NOON }, ['u2f']), 'second_factor')
  })

  test('is to set one up where the organization requires it and the user has none', () => {
    assert.equal(step(password, [], required), 'set_up_second_factor')
    assert.equal(step(password, ['otp_email'], required), 'second_factor')
    assert.equal(step({ ...password, otpEmail: NOON }, ['otp_email'], required), 'none')
  })

  test('takes recovery codes for a second factor, but does not ask for one because of them', () => {
    assert.equal(step(password, ['recovery_code']), 'none')
    assert.equal(step(password, ['recovery_code'], required), 'second_factor')
  })

  test('is a new password only after the second factor', () => {
    assert.equal(step(password, [], {}, true), 'change_password')
    assert.equal(step(password, ['totp'], {}, true), 'second_factor')
    assert.equal(step({ ...password, totp: NOON }, ['totp'], {}, true), 'change_password')
  })
})
