/** Sign-ins at the console: their sentences, what charts draw of them, and which events are routine. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { isRoutine } from '../../console/src/events/routine.ts'
import { eventSentences } from '../../console/src/events/sentences/all.ts'
import { namedSentence } from '../../console/src/events/sentences/named.ts'
import { signInSearch } from '../../console/src/pages/audit/sign-in-search.ts'
import { dayRowsOf, localStart, passkeyShareOf, totalsOf } from '../../console/src/sign-ins/charts/series.ts'
import { signInSentence } from '../../console/src/sign-ins/sentence.ts'
import { nameOfSetting, placeOfSetting } from '../../console/src/sign-ins/setting-places.ts'
import { signInWords } from '../../console/src/sign-ins/texts/index.ts'
import { EventSchema } from '../../contract/gen/signet/event/v1/event_pb.ts'
import {
  SignInFailure,
  SignInMethod,
  SignInOutcome,
  SignInSchema,
} from '../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { CountSignInsResponseSchema } from '../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'

const { en, de, fr } = signInWords
const user = { id: '1', displayName: 'Ada' }
const shop = { id: '2', name: 'Shop' }

function said(signIn: MessageInitShape<typeof SignInSchema>, words = en): string {
  return signInSentence(create(SignInSchema, signIn), words)
}

suite('a sign-in in words', () => {
  test('says who signed in where and how', () => {
    const outcome = SignInOutcome.SUCCEEDED
    const signIn = { user, outcome, method: SignInMethod.PASSKEY, applications: [shop] }
    assert.equal(said(signIn), 'Ada signed in to Shop with a passkey')
    assert.equal(said(signIn, de), 'Ada hat sich mit einem Passkey bei Shop angemeldet')
    assert.equal(said(signIn, fr), 'Connexion d’Ada à Shop avec une clé d’accès')
    const more = [shop, { id: '3', name: 'Forum' }, { id: '2', name: 'Shop' }, { id: '4' }]
    assert.equal(said({ user, outcome, applications: more }), 'Ada signed in to Shop and 1 more')
    assert.equal(said({ user: { id: '1', preferredLoginName: 'ada' }, outcome }), 'ada signed in')
  })

  test('says why it failed, whatever is known of it', () => {
    const outcome = SignInOutcome.FAILED
    const failure = SignInFailure.WRONG_CLIENT_SECRET
    assert.equal(said({ outcome, failure, applications: [shop] }), 'Sign-in to Shop failed: wrong client secret')
    assert.equal(said({ user, outcome, failure: SignInFailure.WRONG_PASSWORD }), 'Ada’s sign-in failed: wrong password')
    assert.equal(said({ outcome, failure: 99 as never }), 'Sign-in failed')
    assert.equal(
      said({ user, outcome: SignInOutcome.PENDING, applications: [shop] }),
      'Ada hasn’t finished signing in to Shop',
    )
  })

  test('leads to the setting that decided it', () => {
    assert.deepEqual(placeOfSetting('forceMfa')?.to, '/sign-in')
    assert.equal(nameOfSetting('maxPasswordAttempts', 'de'), 'Falsche Passwörter')
    assert.equal(nameOfSetting('passwordChangeRequired', 'en'), 'Password change required')
    assert.equal(nameOfSetting('somethingNew', 'en'), 'somethingNew')
    assert.equal(placeOfSetting('somethingNew'), undefined)
  })

  test('is found by filters in the address, and by nothing else there', () => {
    assert.deepEqual(signInSearch({ user: 7, outcome: 'failed', other: 'x', since: null }), {
      user: '7',
      outcome: 'failed',
    })
  })
})

suite('the charts of sign-ins', () => {
  const day = (date: string, passkeys: bigint, passwords: bigint, failed: bigint) => ({
    start: timestampFromDate(new Date(date)),
    succeeded: [
      { method: SignInMethod.PASSKEY, count: passkeys },
      { method: SignInMethod.PASSWORD, count: passwords },
    ],
    failed: [
      { failure: SignInFailure.UNKNOWN_USER, count: failed },
      { failure: SignInFailure.WRONG_PASSWORD, count: 1n },
    ],
  })

  test('draw each day with all that succeeded and failed, and the methods', () => {
    const answer = create(CountSignInsResponseSchema, {
      days: [day('2026-11-01T00:00:00Z', 1n, 2n, 4n), { start: timestampFromDate(new Date('2026-11-02T00:00:00Z')) }],
    })
    const [first, second] = dayRowsOf(answer)
    assert.deepEqual(first && { ...first, start: first.start.toISOString() }, {
      start: '2026-11-01T00:00:00.000Z',
      passkey: 1,
      password: 2,
      provider: 0,
      code: 0,
      succeeded: 3,
      failed: 5,
    })
    assert.equal(second?.succeeded, 0)
    assert.deepEqual(totalsOf(dayRowsOf(answer)), { succeeded: 3, failed: 5, passkeyShare: 33 })
  })

  test('have no share of passkeys where nobody signed in', () => {
    assert.equal(passkeyShareOf({ passkey: 0, succeeded: 0 }), undefined)
    assert.equal(passkeyShareOf({ passkey: 2, succeeded: 3 }), 67)
    assert.deepEqual(totalsOf([]), { succeeded: 0, failed: 0, passkeyShare: undefined })
  })

  test('name the beginning of a day as fields for date and time have it', () => {
    assert.equal(localStart(new Date(2026, 0, 5, 0, 0)), '2026-01-05T00:00')
  })
})

suite('routine events', () => {
  const event = (type: string, payload = {}) => create(EventSchema, { type: { type }, payload })

  test('are codes and tokens, and the access of the console itself', () => {
    assert.ok(isRoutine(event('grant.access_token_issued.v1'), 'console'))
    assert.ok(isRoutine(event('grant.opened.v1', { clientId: 'console' }), 'console'))
    assert.ok(!isRoutine(event('grant.opened.v1', { clientId: 'shop' }), 'console'))
    assert.ok(!isRoutine(event('grant.revoked.v1'), 'console'))
    assert.ok(!isRoutine(event('user.locked.v1'), 'console'))
  })

  test('are events that exist', () => {
    for (const name of [
      'grant.code_issued',
      'authorization_request.started',
      'pushed_request.used',
      'assertion.used',
    ]) {
      assert.ok(name in eventSentences.en, name)
    }
  })
})

suite('the access of an agent', () => {
  const opened = (payload: JsonObject) => create(EventSchema, { type: { type: 'grant.opened.v1' }, payload })

  test('is told with the names of the agent and the user', () => {
    const event = opened({ delegation: { agent: 'Travel agent', user: 'Ada' } })
    assert.equal(namedSentence(event, 'en'), 'Agent Travel agent acts for Ada.')
    assert.equal(namedSentence(event, 'de'), 'Agent Travel agent handelt für Ada.')
    assert.equal(namedSentence(event, 'fr'), 'L’agent Travel agent agit pour Ada.')
  })

  test('is told without names where the event has none', () => {
    for (const payload of [{}, { delegation: null }, { delegation: ['a', 'b'] }, { delegation: { agent: 'a' } }]) {
      assert.equal(namedSentence(opened(payload), 'en'), undefined)
    }
  })
})
