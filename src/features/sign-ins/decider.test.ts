import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { CLOSED_AFTER_MS, MOST_RECEIVED, refusedRequest, signIn, tally } from './decider.ts'
import type { SignInEvent, Step } from './events.ts'

const NOON = instant(1_800_000_000_000)
const password: Step = { at: NOON, kind: 'password', result: 'passed' }
const required: Step = { at: NOON, kind: 'second_factor', result: 'required' }
const shop = { applicationId: 'shop', projectId: 'north' }
const who = { userId: 'ada', method: 'password' } as const

function continued(...steps: Step[]): SignInEvent {
  return { type: 'sign_in.continued.v1', data: { ...who, steps } }
}
function succeeded(...steps: Step[]): SignInEvent {
  return { type: 'sign_in.succeeded.v1', data: { ...who, steps } }
}
function check(isComplete: boolean, at = NOON, ...steps: Step[]) {
  return { type: 'check', ...who, steps, isComplete, at } as const
}
const wrong = { reason: 'wrong_password', step: { at: NOON, kind: 'password', result: 'failed' } } as const
const failed = { type: 'sign_in.failed.v1', data: wrong } as const

suite('a sign-in', () => {
  test('is pending until all is shown, and succeeds once', () => {
    given(signIn)
      .when(check(false, NOON, password, required))
      .then(continued(password, required))
    given(signIn)
      .when(check(true, NOON, password))
      .then(succeeded(password))
    given(signIn, continued(password, required))
      .when(check(true, NOON, password))
      .then(succeeded(password))
    given(signIn, succeeded(password))
      .when(check(true, NOON, password))
      .then(continued(password))
    assert.equal(given(signIn, continued(password, required)).state.outcome, 'pending')
  })

  test('is closed after a month', () => {
    const end = instant(NOON + CLOSED_AFTER_MS)
    given(signIn, continued(password))
      .when(check(true, end, password))
      .then()
    given(signIn, continued(password))
      .when(check(true, instant(end - 1), password))
      .then(succeeded(password))
    given(signIn, succeeded(password))
      .when({ type: 'join', ...shop, at: end })
      .then()
  })

  test('keeps its first steps and counts the others', () => {
    const many = Array.from({ length: 32 }, () => password)
    const { state } = given(signIn, succeeded(...many))
    assert.deepEqual([state.steps.length, state.moreSteps], [30, 2])
    given(signIn, succeeded(...many))
      .when(check(true, NOON, password))
      .then()
  })

  test('fails with a reason, but what has succeeded stays so', () => {
    given(signIn)
      .when({ type: 'fail', ...wrong })
      .then(failed)
    const begun = given(signIn, failed, failed).state
    assert.deepEqual([begun.outcome, begun.reason, begun.failures], ['failed', 'wrong_password', 2])
    const after = given(signIn, succeeded(password), failed).state
    assert.deepEqual([after.outcome, after.reason, after.failures], ['succeeded', undefined, 1])
    const well = given(signIn, failed, succeeded(password)).state
    assert.deepEqual([well.outcome, well.reason, well.applications], ['succeeded', undefined, []])
  })

  test('is completed by a new password only where that was all that was missing', () => {
    const change = { type: 'change_password', at: NOON } as const
    const needed: Step = { at: NOON, kind: 'password_change', result: 'required' }
    given(signIn, continued(password, needed))
      .when(change)
      .then(succeeded({ at: NOON, kind: 'password_change', result: 'passed' }))
    given(signIn, continued(password, required)).when(change).then()
    given(signIn, succeeded(password, needed)).when(change).then()
  })

  test('is joined by each application once, which completes it', () => {
    const join = { type: 'join', ...shop, at: NOON } as const
    const step: Step = { at: NOON, kind: 'application', result: 'passed', applicationId: 'shop' }
    const joined = { type: 'sign_in.application_joined.v1', data: { ...shop, method: 'password', at: NOON } } as const
    given(signIn).when(join).then()
    given(signIn, continued(password)).when(join).then(succeeded(step), joined)
    given(signIn, succeeded(password)).when(join).then(continued(step), joined)
    given(signIn, succeeded(password), joined).when(join).then()
    const two = { ...joined, data: { ...joined.data, applicationId: 'b' } } as const
    const three = { ...joined, data: { ...joined.data, applicationId: 'c' } } as const
    const { state } = given(signIn, succeeded(password), joined, two, three)
    assert.deepEqual([state.applicationId, state.otherApplications], ['shop', ' b c '])
  })
})

suite('what is only counted', () => {
  test('are failures of one kind', () => {
    const failures = [
      { organizationId: 'north', reason: 'wrong_password', count: 2 },
      { organizationId: 'north', reason: 'unknown_user', count: 3 },
    ] as const
    const counted = { type: 'sign_in_tally.counted.v1', data: { failures } } as const
    given(tally).when({ failures }).then(counted)
    assert.equal(given(tally, counted).state.count, 5)
  })

  test('are requests with the same value, the newest first', () => {
    const received = (value: string, at: number) => {
      const one = { what: 'redirect_uri', value, count: 1, firstAt: instant(at), lastAt: instant(at) } as const
      return { type: 'refused_request.received.v1', data: { applicationId: 'shop', received: [one] } } as const
    }
    const event = received('https://a.example', 1)
    given(refusedRequest).when(event.data).then(event)
    const { state } = given(refusedRequest, event, received('https://b.example', 2), received('https://a.example', 3))
    assert.deepEqual(
      state.received.map(({ value, count, firstAt, lastAt }) => [value, count, firstAt, lastAt]),
      [
        ['https://a.example', 2, 1, 3],
        ['https://b.example', 1, 2, 2],
      ],
    )
    assert.equal(state.lastAt, 3)
    const many = Array.from({ length: MOST_RECEIVED + 1 }, (_, index) => received(`https://${index}.example`, index))
    assert.equal(given(refusedRequest, ...many).state.received.length, MOST_RECEIVED)
  })
})
