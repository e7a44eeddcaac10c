import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { BUILT_IN_LOGIN, type LoginSettings } from '../settings/index.ts'
import { type Check, MOST_METADATA, type SessionChange, type SessionCommand, session } from './decider.ts'
import type { SessionEvent } from './events.ts'
import { MOST_FAILURES, type Person } from './preconditions.ts'

const NOON = instant(1_800_000_000_000)
const LATER = instant(NOON + 1000)
const END = instant(NOON + 3_600_000)

function person(more: Partial<Person> = {}, login: Partial<LoginSettings> = {}): Person {
  return {
    userId: 'ada',
    organizationId: 'north',
    login: { ...BUILT_IN_LOGIN, ...login },
    generations: NEVER,
    ...more,
  }
}

const created: SessionEvent = {
  type: 'session.created.v1',
  data: { creatorId: 'login', expiresAt: END, hasOwnLifetime: true, secret: { tokenHash: 'one' } },
}
const NEVER = { user: 0, organization: 0 }
const userChecked: SessionEvent = {
  type: 'session.user_checked.v1',
  data: { userId: 'ada', organizationId: 'north', generations: NEVER, checkedAt: NOON },
}
const renewed: SessionEvent = { type: 'session.token_renewed.v1', data: { secret: { tokenHash: 'two' } } }
const ended: SessionEvent = { type: 'session.ended.v1', data: { endedAt: LATER, reason: 'ended' } }
const failed: SessionEvent = { type: 'session.check_failed.v1', data: { check: 'web_auth_n', failedAt: NOON } }
const passkeyAsked: SessionEvent = {
  type: 'session.challenged.v1',
  data: {
    webAuthN: { challenge: 'c1', rpId: 'example.com', userVerification: 'required', allowed: ['k'], expiresAt: END },
  },
}
const smsAsked: SessionEvent = {
  type: 'session.challenged.v1',
  data: { otpSms: { expiresAt: END, issue: 1, secret: { hash: 'h' } } },
}

function change(more: Partial<SessionChange> = {}): SessionChange {
  return {
    at: LATER,
    checks: [],
    challenges: {},
    metadata: {},
    defaultExpiresAt: END,
    tokenHash: 'two',
    ...more,
  }
}
function update(more: Partial<SessionChange> & { shownHash?: string } = {}): SessionCommand {
  return {
    type: 'update',
    ...change(more),
    ...(more.shownHash !== undefined && { shownHash: more.shownHash }),
  }
}
function checking(check: Check, who: Person = person()) {
  return update({ person: who, checks: [check] })
}
const key: Check = { check: 'web_auth_n', challenge: 'c1', keyId: 'key', use: 'passkey', userVerified: true }

suite('session: create', () => {
  test('is one event without checks, and lives as long as is usual', () => {
    const data = { creatorId: 'login', expiresAt: END, hasOwnLifetime: false, secret: { tokenHash: 'two' } }
    given(session)
      .when({ type: 'create', creatorId: 'login', ...change() })
      .then({ type: 'session.created.v1', data })
  })

  test('is two events with a user check', () => {
    const decided = given(session).when({
      type: 'create',
      creatorId: 'login',
      ...change({ person: person(), checks: [{ check: 'user' }], expiresAt: END }),
    })
    const data = { creatorId: 'login', expiresAt: END, hasOwnLifetime: true, secret: { tokenHash: 'two' } }
    const checked = { userId: 'ada', organizationId: 'north', generations: NEVER, checkedAt: LATER }
    decided.then({ type: 'session.created.v1', data }, { type: 'session.user_checked.v1', data: checked })
  })

  test('with the answer to a challenge that was made before remembers it, also when the session has ended', () => {
    const answers = { challenge: 'c1', rpId: 'a', userVerification: 'required', allowed: [], expiresAt: END } as const
    const create = (answered: Check) =>
      given(session).when({
        type: 'create',
        creatorId: '',
        answers,
        ...change({ person: person(), checks: [{ check: 'user' }, answered] }),
      })
    const decided = create(key)
    decided.then(
      {
        type: 'session.created.v1',
        data: { creatorId: '', expiresAt: END, hasOwnLifetime: false, secret: { tokenHash: 'two' } },
      },
      { type: 'session.challenge_answered.v1', data: { challenge: 'c1' } },
      {
        type: 'session.user_checked.v1',
        data: { userId: 'ada', organizationId: 'north', generations: NEVER, checkedAt: LATER },
      },
      {
        type: 'session.web_authn_checked.v1',
        data: { checkedAt: LATER, keyId: 'key', use: 'passkey', userVerified: true },
      },
    )
    const { state } = decided
    assert.ok(state.status === 'open')
    assert.deepEqual([state.answered, state.challenges], ['c1', {}])
    const after = session.evolve(state, ended)
    assert.ok(after.status === 'ended')
    assert.equal(after.answered, 'c1')
    create({ ...key, challenge: 'c2' }).thenRefused('session.challenge_replaced')
  })

  test('never happens twice under one id', () => {
    given(session, created)
      .when({ type: 'create', creatorId: 'login', ...change() })
      .thenRefused('session.id_taken')
  })
})

suite('session: update', () => {
  test('renews the token even when nothing else changes', () => {
    given(session, created).when(update()).then(renewed)
  })

  test('is refused with any token but the current one, also for one that has ended', () => {
    given(session, created)
      .when(update({ shownHash: 'one' }))
      .then(renewed)
    given(session, created, renewed)
      .when(update({ shownHash: 'one' }))
      .thenRefused('session.token_invalid')
    given(session, created, ended)
      .when(update({ shownHash: 'other' }))
      .thenRefused('session.token_invalid')
  })

  test('is refused when the session has ended, has expired, or was never there', () => {
    given(session, created, ended)
      .when(update({ shownHash: 'one' }))
      .thenRefused('session.ended')
    given(session, created)
      .when(update({ at: END }))
      .thenRefused('session.expired')
    given(session).when(update()).thenRefused('session.not_found')
    given(session, created)
      .when(update({ at: instant(END - 1) }))
      .then(renewed)
  })

  test('checks a user, and the same one again, but never another one', () => {
    const again: SessionEvent = {
      type: 'session.user_checked.v1',
      data: { userId: 'ada', organizationId: 'north', generations: NEVER, checkedAt: LATER },
    }
    given(session, created)
      .when(checking({ check: 'user' }))
      .then(again, renewed)
    given(session, created, userChecked)
      .when(checking({ check: 'user' }))
      .then(again, renewed)
    given(session, created, userChecked)
      .when(checking({ check: 'user' }, person({ userId: 'bob' })))
      .thenRefused('session.other_user')
  })

  test('needs the user before every other check', () => {
    for (const check of ['password', 'intent', 'totp', 'otp_sms', 'otp_email', 'recovery_code'] as const) {
      given(session, created)
        .when(update({ checks: [{ check }] }))
        .thenRefused('session.no_user')
      given(session, created).when(checking({ check })).thenRefused('session.no_user')
    }
    given(session, created).when(checking(key)).thenRefused('session.no_user')
  })

  test('takes user and password in one request', () => {
    const { state } = given(session, created).when(
      update({ person: person(), checks: [{ check: 'user' }, { check: 'password' }] }),
    )
    assert.ok(state.status === 'open')
    assert.deepEqual([state.user?.id, state.factors.password], ['ada', LATER])
  })

  test('is refused for a user who was locked out since, or whose organization was, and can sign in again', () => {
    const lockedOut = person({ generations: { user: 1, organization: 0 } })
    given(session, created, userChecked)
      .when(update({ person: lockedOut }))
      .thenRefused('session.ended')
    given(session, created, userChecked)
      .when(checking({ check: 'user' }, person({ generations: { user: 0, organization: 1 } })))
      .thenRefused('session.ended')
    given(session, created, userChecked)
      .when({ type: 'add_factor', factor: 'totp', person: lockedOut, tokenHash: 'two', at: LATER })
      .thenRefused('session.ended')
    const { data } = userChecked as Extract<SessionEvent, { type: 'session.user_checked.v1' }>
    const { generations: _, ...former } = data
    const fromBefore: SessionEvent = { type: 'session.user_checked.v1', data: former }
    given(session, created, fromBefore)
      .when(update({ person: person() }))
      .then(renewed)
    given(session, created, fromBefore)
      .when(update({ person: lockedOut }))
      .thenRefused('session.ended')
  })

  test('is refused for a user who is locked or deactivated, or whose organization is', () => {
    for (const check of ['user', 'password', 'totp'] as const) {
      given(session, created, userChecked)
        .when(checking({ check }, person({ stoppedBy: 'user' })))
        .thenRefused('session.user_not_active')
      given(session, created, userChecked)
        .when(checking({ check }, person({ stoppedBy: 'organization' })))
        .thenRefused('session.organization_inactive')
    }
  })

  test('keeps to the login settings', () => {
    const open = given(session, created, userChecked, passkeyAsked, smsAsked)
    const when = (check: Check, login: Partial<LoginSettings>) => open.when(checking(check, person({}, login)))
    when({ check: 'password' }, { allowsPassword: false }).thenRefused('session.password_not_allowed')
    when({ check: 'intent' }, { allowsExternal: false }).thenRefused('session.external_not_allowed')
    when(key, { allowsPasskeys: false }).thenRefused('session.passkey_not_allowed')
    const no = 'session.second_factor_not_allowed'
    when({ check: 'totp' }, { secondFactors: ['otp_sms'] }).thenRefused(no)
    when({ check: 'otp_sms' }, { secondFactors: ['totp'] }).thenRefused(no)
    when({ check: 'recovery_code' }, { secondFactors: [] }).thenRefused(no)
  })

  test('needs a challenge for keys and for codes that are sent', () => {
    const open = given(session, created, userChecked)
    for (const check of [key, { check: 'otp_sms' }, { check: 'otp_email' }] as const) {
      open.when(checking(check)).thenRefused('session.no_challenge')
    }
  })

  test('uses a challenge once, and only the one that was answered', () => {
    const asked = given(session, created, userChecked, passkeyAsked)
    const data = { checkedAt: LATER, keyId: 'key', use: 'passkey', userVerified: true } as const
    asked.when(checking(key)).then({ type: 'session.web_authn_checked.v1', data }, renewed)
    asked.when(checking({ ...key, challenge: 'c0' })).thenRefused('session.challenge_replaced')
    given(session, created, userChecked, passkeyAsked, { type: 'session.web_authn_checked.v1', data })
      .when(checking(key))
      .thenRefused('session.no_challenge')
    given(session, created, userChecked, smsAsked, { type: 'session.otp_sms_checked.v1', data: { checkedAt: NOON } })
      .when(checking({ check: 'otp_sms' }))
      .thenRefused('session.no_challenge')
  })

  test('asks for nothing before there is a user', () => {
    const asked = { challenge: 'c1', rpId: 'example.com', userVerification: 'required', expiresAt: END } as const
    for (const allowed of [['k'], []]) {
      given(session, created)
        .when(update({ challenges: { webAuthN: { ...asked, allowed } } }))
        .thenRefused('session.no_user')
    }
  })

  test('sets and removes metadata, and writes nothing when nothing changes', () => {
    const set: SessionEvent = { type: 'session.metadata_set.v1', data: { set: { a: '1', b: '2' }, removed: [] } }
    given(session, created)
      .when(update({ metadata: { a: '1', b: '2', none: '' } }))
      .then(set, renewed)
    given(session, created, set)
      .when(update({ metadata: { a: '', b: '2' } }))
      .then({ type: 'session.metadata_set.v1', data: { set: {}, removed: ['a'] } }, renewed)
    given(session, created, set)
      .when(update({ metadata: { b: '2' } }))
      .then(renewed)
    const { state } = given(session, created, set).when(update({ metadata: { ['__proto__']: 'x' } }))
    assert.ok(state.status === 'open')
    assert.equal(JSON.stringify(state.metadata), '{"a":"1","b":"2","__proto__":"x"}')
  })

  test('keeps no more than a hundred keys of metadata', () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, 'v']))
    const full: SessionEvent = {
      type: 'session.metadata_set.v1',
      data: { set: keys(0, MOST_METADATA), removed: [] },
    }
    given(session, created, full)
      .when(update({ metadata: { one: 'more' } }))
      .thenRefused('session.metadata_too_large')
    const swapped: SessionEvent = { type: 'session.metadata_set.v1', data: { set: { one: 'more' }, removed: ['k0'] } }
    given(session, created, full)
      .when(update({ metadata: { one: 'more', k0: '' } }))
      .then(swapped, renewed)
  })

  test('lives as long as the client wants, else as long as is usual where its first user belongs', () => {
    const sooner = instant(END - 1)
    given(session, created)
      .when(update({ expiresAt: sooner }))
      .then({ type: 'session.lifetime_set.v1', data: { expiresAt: sooner, hasOwnLifetime: true } }, renewed)
    const usual = { ...created, data: { ...created.data, hasOwnLifetime: false } } as SessionEvent
    const user: SessionEvent = { type: 'session.user_checked.v1', data: { ...userChecked.data, checkedAt: LATER } }
    const command = update({ person: person(), checks: [{ check: 'user' }], defaultExpiresAt: sooner })
    given(session, usual)
      .when(command)
      .then(user, { type: 'session.lifetime_set.v1', data: { expiresAt: sooner, hasOwnLifetime: false } }, renewed)
    given(session, created).when(command).then(user, renewed)
    given(session, usual, userChecked).when(command).then(user, renewed)
  })

  test('keeps nothing when the last of its checks is refused', () => {
    const checks = [{ check: 'user' }, { check: 'password' }, { check: 'otp_sms' }] as const
    given(session, created)
      .when(update({ person: person(), checks, metadata: { a: 'b' } }))
      .thenRefused('session.no_challenge')
  })
})

suite('session: failures and the end', () => {
  test('a failed check is remembered, and the challenge stays', () => {
    const { state } = given(session, created, userChecked, passkeyAsked).when({
      type: 'fail_check',
      check: 'web_auth_n',
      at: LATER,
    })
    assert.ok(state.status === 'open')
    assert.deepEqual([state.failures, state.challenges.webAuthN?.challenge], [1, 'c1'])
  })

  test('after a hundred of them no more are looked at', () => {
    const failures = (count: number) => Array.from({ length: count }, () => failed)
    given(session, created, userChecked, passkeyAsked, ...failures(MOST_FAILURES))
      .when(checking(key))
      .thenRefused('session.too_many_failures')
    const { state } = given(session, created, userChecked, passkeyAsked, ...failures(MOST_FAILURES - 1)).when(
      checking(key),
    )
    assert.ok(state.status === 'open' && state.factors.webAuthN !== undefined)
  })

  test('an ended session stays ended, and knows whose it was', () => {
    const end: SessionCommand = { type: 'end', reason: 'ended', at: LATER }
    given(session, created, userChecked).when(end).then(ended)
    given(session, created, ended).when(end).then()
    given(session).when(end).thenRefused('session.not_found')
    const { state } = given(session, created, userChecked).when(end)
    assert.deepEqual(state, {
      status: 'ended',
      was: { creatorId: 'login', userId: 'ada', organizationId: 'north' },
      endedAt: LATER,
      secret: { tokenHash: 'one' },
    })
  })
})
