import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import type { Factors, OpenSession } from '../sessions/index.ts'
import { BUILT_IN_LOGIN, type LoginSettings } from '../settings/index.ts'
import { authenticationLevel } from './authentication-level.ts'

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
    assert.deepEqual([before.authenticatedAt, before.hasSecondFactor], [NOON, true])
    const after = levelOf(shown, login, HOUR)
    assert.deepEqual([after.authenticatedAt, after.hasSecondFactor], [undefined, false])
  })

  test('counts as long as the session where the lifetime is 0, which is no limit', () => {
    const webAuthN = { checkedAt: NOON, keyId: 'key', use: 'passkey', userVerified: true } as const
    assert.equal(levelOf({ password: NOON }, { passwordLifetimeMs: 0 }, YEARS).authenticatedAt, NOON)
    assert.equal(levelOf({ intent: NOON }, { externalLifetimeMs: 0 }, YEARS).authenticatedAt, NOON)
    assert.equal(levelOf({ totp: NOON }, { secondFactorLifetimeMs: 0 }, YEARS).hasSecondFactor, true)
    const passkey = levelOf({ webAuthN }, { multiFactorLifetimeMs: 0 }, YEARS)
    assert.deepEqual([passkey.authenticatedAt, passkey.hasSecondFactor], [NOON, true])
  })
})
