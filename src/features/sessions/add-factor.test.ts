/** The decision about a factor that a user has just set up with a code. */
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { BUILT_IN_LOGIN } from '../settings/index.ts'
import { type SessionCommand, session } from './decider.ts'
import type { SessionEvent } from './events.ts'
import type { Person } from './preconditions.ts'

const NOON = instant(1_800_000_000_000)
const END = instant(NOON + 3_600_000)

const created: SessionEvent = {
  type: 'session.created.v1',
  data: { creatorId: '', expiresAt: END, hasOwnLifetime: false, secret: { tokenHash: 'one' } },
}
const userChecked: SessionEvent = {
  type: 'session.user_checked.v1',
  data: { userId: 'ada', organizationId: 'north', checkedAt: NOON },
}
const ended: SessionEvent = { type: 'session.ended.v1', data: { endedAt: NOON, reason: 'ended' } }
const renewed: SessionEvent = { type: 'session.token_renewed.v1', data: { secret: { tokenHash: 'two' } } }

const ada: Person = {
  userId: 'ada',
  organizationId: 'north',
  login: BUILT_IN_LOGIN,
  generations: { user: 0, organization: 0 },
}

function add(person: Person | undefined = ada, at = NOON): SessionCommand {
  return { type: 'add_factor', factor: 'otp_email', person, tokenHash: 'two', at }
}

suite('session: a factor that was just set up', () => {
  test('counts for the session of its user, which gets a new token', () => {
    given(session, created, userChecked)
      .when(add())
      .then({ type: 'session.otp_email_checked.v1', data: { checkedAt: NOON } }, renewed)
  })

  test('does not count where the organization does not allow it', () => {
    const login = { ...BUILT_IN_LOGIN, secondFactors: ['totp'] as const }
    given(session, created, userChecked)
      .when(add({ ...ada, login }))
      .then(renewed)
  })

  test('needs an open session of a user who can sign in', () => {
    given(session).when(add()).thenRefused('session.not_found')
    given(session, created).when(add()).thenRefused('session.no_user')
    given(session, created, userChecked, ended).when(add()).thenRefused('session.ended')
    given(session, created, userChecked).when(add(ada, END)).thenRefused('session.expired')
    given(session, created, userChecked)
      .when(add({ ...ada, userId: 'bob' }))
      .thenRefused('session.no_user')
    given(session, created, userChecked)
      .when(add({ ...ada, stoppedBy: 'user' }))
      .thenRefused('session.user_not_active')
  })
})
