import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type RefusalKind, Refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { hideReason, mayKnow } from './hidden-reasons.ts'

const instead = new Refused('the.same', 'invalid', 'It is refused.')

/** The code that a caller who may not know is told. */
function told(tried: 'password' | 'code', code: string, kind: RefusalKind): string {
  const shown = hideReason(new Refused(code, kind, 'A reason.'), tried, false, () => instead)
  return shown instanceof Refused ? shown.code : assert.fail('it is no refusal')
}

/** A caller who holds these permissions in one organization. */
function caller(...permissions: readonly string[]): Pick<Call, 'caller' | 'may'> {
  const may = (permission: string, place: unknown) => place === 'north' && permissions.includes(permission)
  return { caller: { userId: 'ada', organizationId: 'north', grants: [] }, may: may as Call['may'] }
}

suite('the reason of a refusal', () => {
  test('is told about oneself, and to those who read users or manage sessions there', () => {
    assert.ok(mayKnow(caller(), { id: 'ada', owner: 'south' }))
    for (const permission of ['user.read', 'session.write']) {
      assert.ok(mayKnow(caller(permission), { id: 'bob', owner: 'north' }))
      assert.equal(mayKnow(caller(permission), { id: 'bob', owner: 'south' }), false)
    }
    assert.equal(mayKnow(caller('user.write'), { owner: 'north' }), false)
  })

  test('is hidden from others who try a password, whatever it is; that they must wait is told', () => {
    for (const kind of ['invalid', 'not_found', 'precondition', 'forbidden'] as const) {
      assert.equal(told('password', 'any.reason', kind), 'the.same')
    }
    for (const kind of ['exhausted', 'unavailable', 'aborted'] as const) {
      assert.equal(told('password', 'any.reason', kind), 'any.reason')
    }
  })

  test('is hidden from others who try a code where it tells about the user, and told about what they send with it', () => {
    const hidden = [
      ['user.not_found', 'not_found'],
      ['user.not_active', 'precondition'],
      ['user.organization_inactive', 'precondition'],
      ['attempts.too_many', 'exhausted'],
      ['attempts.locked', 'precondition'],
      ['store.conflict', 'aborted'],
    ] as const
    for (const [code, kind] of hidden) assert.equal(told('code', code, kind), 'the.same')
    assert.equal(told('code', 'password.against_policy', 'invalid'), 'password.against_policy')
    assert.equal(told('code', 'store.unavailable', 'unavailable'), 'store.unavailable')
  })

  test('is never hidden from those who may know, and a fault is none', () => {
    const reason = new Refused('user.not_active', 'precondition', 'A reason.')
    assert.equal(
      hideReason(reason, 'code', true, () => instead),
      reason,
    )
    const fault = new Error('broken')
    assert.equal(
      hideReason(fault, 'password', false, () => instead),
      fault,
    )
  })
})
