import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { type SessionCommand, session } from './decider.ts'
import type { SessionEvent } from './events.ts'
import { hasExpired } from './state.ts'

const NOON = instant(1_800_000_000_000)
const END = instant(NOON + 3_600_000)

const created: SessionEvent = {
  type: 'session.created.v1',
  data: { creatorId: 'login', expiresAt: END, hasOwnLifetime: true, secret: { tokenHash: 'one' } },
}
const longer: SessionEvent = {
  type: 'session.lifetime_set.v1',
  data: { expiresAt: instant(END + 1), hasOwnLifetime: true },
}
const expired: SessionEvent = { type: 'session.expired.v1', data: { seenAt: END } }
const ended: SessionEvent = { type: 'session.ended.v1', data: { endedAt: NOON, reason: 'ended' } }

function expire(at: number): SessionCommand {
  return { type: 'expire', at: instant(at) }
}
function update(shownHash: string): SessionCommand {
  return {
    type: 'update',
    shownHash,
    at: NOON,
    checks: [],
    challenges: {},
    metadata: {},
    expiresAt: instant(END + 1),
    defaultExpiresAt: END,
    tokenHash: 'two',
  }
}

suite('session: expiry', () => {
  test('is written down when it has come, and once', () => {
    const living = given(session, created)
    living.when(expire(END - 1)).then()
    living.when(expire(END)).then(expired)
    const seen = given(session, created, expired)
    seen.when(expire(END)).then()
    seen.when(expire(END + 1)).then()
  })

  test('is nothing to a session that has ended, was made to live longer, or is not there', () => {
    given(session, created, ended).when(expire(END)).then()
    given(session, created, longer).when(expire(END)).then()
    given(session).when(expire(END)).thenRefused('session.not_found')
  })

  test('stays, whatever the time is: nothing changes or prolongs the session, but it can be ended', () => {
    const seen = given(session, created, expired)
    seen.when(update('one')).thenRefused('session.expired')
    seen.when(update('other')).thenRefused('session.token_invalid')
    seen.when({ type: 'end', reason: 'ended', at: NOON }).then(ended)
    const { state } = seen
    assert.ok(state.status === 'open')
    assert.deepEqual([state.endsAt, hasExpired(state, NOON)], [END, true])
  })
})
