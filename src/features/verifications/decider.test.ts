import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { MOST_CODES, verification } from './decider.ts'
import {
  attemptsDecider,
  FIRST_LOCK_MILLISECONDS,
  LONGEST_LOCK_MILLISECONDS,
  nextTryAt,
  TRIES_OF_A_CODE,
} from './decisions/attempts.ts'

const noon = instant(1_000_000)
function later(milliseconds: number) {
  return instant(noon + milliseconds)
}
/** Nothing has ended anything yet. */
const never = { user: 0, organization: 0 }
const issued = {
  type: 'verification.issued.v1',
  data: {
    target: 'ada@example.com',
    issuedAt: noon,
    expiresAt: later(1000),
    generations: never,
    secret: { hash: 'h' },
  },
} as const
const used = { type: 'verification.used.v1', data: {} } as const
const use = { type: 'use', issue: 1, target: 'ada@example.com', at: noon, now: never } as const

suite('a code', () => {
  test('counts once', () => {
    given(verification, issued).when(use).then(used)
    given(verification, issued, used).when(use).thenRefused('verification.code_invalid')
    given(verification).when(use).thenRefused('verification.code_invalid')
  })

  test('counts up to its end and not at it', () => {
    given(verification, issued)
      .when({ ...use, at: later(999) })
      .then(used)
    given(verification, issued)
      .when({ ...use, at: later(1000) })
      .thenRefused('verification.code_invalid')
  })

  test('counts while nothing has ended it since, and one from before that was remembered while nothing ever has', () => {
    const { generations: _, ...data } = issued.data
    const former = { ...issued, data } as const
    for (const now of [
      { user: 1, organization: 0 },
      { user: 0, organization: 1 },
    ]) {
      for (const one of [issued, former])
        given(verification, one)
          .when({ ...use, now })
          .thenRefused('verification.code_invalid')
      given(verification, { ...issued, data: { ...issued.data, generations: now } })
        .when({ ...use, now })
        .then(used)
    }
    given(verification, former).when(use).then(used)
  })

  test('counts for its own target and its own issue only', () => {
    given(verification, issued)
      .when({ ...use, target: 'eve@example.com' })
      .thenRefused('verification.code_invalid')
    given(verification, issued, issued).when(use).thenRefused('verification.code_invalid')
    given(verification, issued, issued)
      .when({ ...use, issue: 2 })
      .then(used)
  })

  test('of a link stays valid beside others, and each is used once', () => {
    const added = (target: string) =>
      ({ ...issued, type: 'verification.added.v1', data: { ...issued.data, target } }) as const
    const usedOf = (issue: number) => ({ type: 'verification.code_used.v1', data: { issue } }) as const
    const two = [added('one'), added('two')]
    const useOf = (issue: number, target: string) => ({ ...use, issue, target }) as const
    given(verification, ...two)
      .when(useOf(1, 'one'))
      .then(usedOf(1))
    given(verification, ...two)
      .when(useOf(2, 'two'))
      .then(usedOf(2))
    given(verification, ...two)
      .when(useOf(1, 'two'))
      .thenRefused('verification.code_invalid')
    given(verification, ...two, usedOf(1))
      .when(useOf(1, 'one'))
      .thenRefused('verification.code_invalid')
    given(verification, ...two, usedOf(1))
      .when(useOf(2, 'two'))
      .then(used)
    given(verification, ...two, issued)
      .when(useOf(2, 'two'))
      .thenRefused('verification.code_invalid')
    given(verification, ...two)
      .when({
        type: 'issue',
        keepsOthers: true,
        target: 'three',
        at: noon,
        expiresAt: later(1000),
        generations: never,
        hash: 'h',
      })
      .then(added('three'))
  })

  test('ends when it is cancelled, and nothing happens where none is open', () => {
    const cancelled = { type: 'verification.cancelled.v1', data: {} } as const
    given(verification, issued).when({ type: 'cancel' }).then(cancelled)
    given(verification, issued, cancelled).when({ type: 'cancel' }).then()
    given(verification, issued, cancelled).when(use).thenRefused('verification.code_invalid')
  })

  test('is made ten times within an hour, used or not, and again when the oldest is an hour old', () => {
    const hour = 3_600_000
    const issue = { type: 'issue', target: 't', expiresAt: later(2 * hour), generations: never, hash: 'h' } as const
    const at = (milliseconds: number) =>
      ({ ...issued, data: { ...issued.data, issuedAt: later(milliseconds) } }) as const
    const made = (milliseconds: number) =>
      ({
        type: 'verification.issued.v1',
        data: {
          target: 't',
          issuedAt: later(milliseconds),
          expiresAt: later(2 * hour),
          generations: never,
          secret: { hash: 'h' },
        },
      }) as const
    const cancelled = { type: 'verification.cancelled.v1', data: {} } as const
    const others = Array.from({ length: MOST_CODES - 2 }, (_, index) => at(index + 1))
    const nine = [at(0), used, ...others]
    given(verification, ...nine)
      .when({ ...issue, at: later(20) })
      .then(made(20))
    const ten = given(verification, ...nine, at(20), cancelled)
    ten.when({ ...issue, at: later(hour - 1) }).thenRefused('verification.too_many')
    ten.when({ ...issue, at: later(hour) }).then(made(hour))
    given(verification, ...nine, at(20), at(hour))
      .when({ ...issue, at: later(hour) })
      .thenRefused('verification.too_many')
  })

  test('is never issued for a removed user', () => {
    const removed = { type: 'verification.removed.v1', data: {} } as const
    given(verification, issued).when({ type: 'remove' }).then(removed)
    given(verification, issued, removed)
      .when({ type: 'issue', target: 't', at: noon, expiresAt: noon, generations: never, hash: 'h' })
      .thenRefused('verification.removed')
  })
})

type Path = 'password' | 'totp' | 'otp_sms' | 'recovery_code' | 'email'

function failed(path: Path = 'password', issue?: number) {
  return {
    type: 'attempts.failed.v1',
    data: { path, ...(issue !== undefined && { issue }), failedAt: noon },
  } as const
}
function times(count: number, path?: Path, issue?: number) {
  return Array.from({ length: count }, () => failed(path, issue))
}
function cleared(factor: 'password' | 'totp' | 'otp' | 'recovery_code' | 'sent_code' = 'password') {
  return { type: 'attempts.factor_cleared.v1', data: { factor, reason: 'success' } } as const
}
function locked(milliseconds: number, factor: 'password' | 'totp' = 'password') {
  return { type: 'attempts.factor_locked.v1', data: { factor, until: later(milliseconds) } } as const
}
const tried = { type: 'try', path: 'password', most: 100, at: noon } as const

suite('a try', () => {
  test('that is wrong is refused and remembered', () => {
    given(attemptsDecider)
      .when({ ...tried, matches: false })
      .thenRefused('password.wrong', failed())
    given(attemptsDecider)
      .when({ ...tried, path: 'email', issue: 3, matches: false })
      .thenRefused('verification.code_invalid', failed('email', 3))
  })

  test('that is right ends the count, and writes nothing when there was none', () => {
    given(attemptsDecider, ...times(4))
      .when({ ...tried, matches: true })
      .then(cleared())
    given(attemptsDecider)
      .when({ ...tried, matches: true })
      .then()
  })

  test('counts for its own factor only: a right password resets no count of codes', () => {
    const mixed = given(attemptsDecider, ...times(2), ...times(2, 'totp'), ...times(2, 'recovery_code'))
    mixed.when({ ...tried, matches: true }).then(cleared())
    mixed.when({ ...tried, path: 'totp', matches: true }).then(cleared('totp'))
    given(attemptsDecider, ...times(99, 'totp'), ...times(3), cleared())
      .when({ ...tried, path: 'totp', matches: false, at: later(60_000) })
      .thenRefused(
        'verification.code_invalid',
        { ...failed('totp'), data: { path: 'totp', failedAt: later(60_000) } },
        locked(60_000 + LONGEST_LOCK_MILLISECONDS, 'totp'),
      )
  })

  test('has to wait from the fifth failure on, one second more with every five, ten at most', () => {
    const waits = [0, 4, 5, 9, 10, 49, 50, 99].map((failures) => nextTryAt({ failures, lastFailedAt: noon }) - noon)
    assert.deepEqual(waits, [0, 0, 1000, 1000, 2000, 9000, 10_000, 10_000])
    const five = given(attemptsDecider, ...times(5))
    five.when({ ...tried, matches: true, at: later(999) }).thenRefused('attempts.too_many')
    five.when({ ...tried, matches: true, at: later(1000) }).then(cleared())
  })

  test('locks its factor from the limit on, twice as long each time, a day at most', () => {
    const lockAt = (failures: number, most: number) => {
      const at = later(60_000)
      const wrong = { ...failed(), data: { path: 'password', failedAt: at } } as const
      const decision = attemptsDecider.decide(
        { ...tried, most, matches: false, at },
        times(failures - 1).reduce(attemptsDecider.evolve, attemptsDecider.initial),
      )
      assert.deepEqual(decision.events[0], wrong)
      const [, lock] = decision.events
      return lock?.type === 'attempts.factor_locked.v1' ? lock.data.until - at : 0
    }
    const minute = FIRST_LOCK_MILLISECONDS
    assert.deepEqual(
      [2, 3, 4, 5, 13, 14, 50].map((failures) => lockAt(failures, 3)),
      [0, minute, 2 * minute, 4 * minute, 1024 * minute, LONGEST_LOCK_MILLISECONDS, LONGEST_LOCK_MILLISECONDS],
    )
    assert.deepEqual(
      [98, 99, 100, 101].map((failures) => lockAt(failures, 99)),
      [0, minute, LONGEST_LOCK_MILLISECONDS, LONGEST_LOCK_MILLISECONDS],
    )
  })

  test('is not looked at during a lock, and is again after it', () => {
    const state = given(attemptsDecider, ...times(3), locked(60_000), ...times(1, 'totp'))
    state.when({ ...tried, matches: true, at: later(59_999) }).thenRefused('attempts.locked')
    state.when({ ...tried, matches: true, at: later(60_000) }).then(cleared())
    state.when({ ...tried, path: 'totp', matches: true, at: later(1) }).then(cleared('totp'))
  })

  test('at a code that was sent to its owner never locks', () => {
    given(attemptsDecider, ...times(120, 'email', 1))
      .when({ ...tried, path: 'email', issue: 2, most: 3, matches: true, at: later(60_000) })
      .then(cleared('sent_code'))
  })

  test('at a code is the last after five wrong ones, however long the count was cleared', () => {
    const wrong = times(TRIES_OF_A_CODE, 'email', 1)
    const code = { ...tried, path: 'email', matches: true, at: later(60_000) } as const
    const dead = given(attemptsDecider, ...wrong, cleared('sent_code'))
    dead.when({ ...code, issue: 1 }).thenRefused('verification.code_invalid')
    dead.when({ ...code, issue: 2 }).then()
    given(attemptsDecider, ...wrong, ...times(1, 'email', 2), cleared('sent_code'))
      .when({ ...code, issue: 1 })
      .thenRefused('verification.code_invalid')
  })

  test('is possible again once an administrator unlocks, or the secret was replaced', () => {
    const unlocked = { type: 'attempts.cleared.v1', data: { reason: 'unlocked' } } as const
    const state = [...times(100), locked(LONGEST_LOCK_MILLISECONDS), ...times(1, 'totp')]
    given(attemptsDecider, ...state)
      .when({ type: 'unlock' })
      .then(unlocked)
    given(attemptsDecider, ...state, unlocked)
      .when({ ...tried, matches: true })
      .then()
    given(attemptsDecider, ...state)
      .when({ type: 'unlock', factor: 'password' })
      .then({ type: 'attempts.factor_cleared.v1', data: { factor: 'password', reason: 'replaced' } })
  })
})
