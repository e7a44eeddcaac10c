import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Authorization, type AuthorizationCommand, authorization } from './decider.ts'

const ADD = {
  type: 'add',
  organizationId: 'o',
  userId: 'u',
  userOrganizationId: 'o',
  projectId: 'p',
  grantId: '',
  roleKeys: ['a', 'a', 'b'],
} as const

function after(...commands: AuthorizationCommand[]): Authorization {
  return commands.reduce<Authorization>(
    (state, command) => authorization.decide(command, state).events.reduce(authorization.evolve, state),
    authorization.initial,
  )
}

suite('decisions about authorizations', () => {
  test('the same roles are no change, or refused where they must differ', () => {
    const roleKeys = ['b', 'a']
    assert.deepEqual(authorization.decide({ type: 'change', roleKeys, mustDiffer: false }, after(ADD)), { events: [] })
    const { refusal } = authorization.decide({ type: 'change', roleKeys, mustDiffer: true }, after(ADD))
    assert.equal(refusal, 'authorization.unchanged')
  })

  test('deactivating, activating and removing can be repeated', () => {
    const inactive = after(ADD, { type: 'deactivate' })
    assert.equal(inactive.status, 'inactive')
    assert.deepEqual(authorization.decide({ type: 'deactivate' }, inactive), { events: [] })
    assert.deepEqual(authorization.decide({ type: 'reactivate' }, after(ADD)), { events: [] })
    assert.deepEqual(authorization.decide({ type: 'remove' }, after(ADD, { type: 'remove' })), { events: [] })
  })

  test('what does not exist is not found', () => {
    for (const state of [authorization.initial, after(ADD, { type: 'remove' })]) {
      assert.equal(authorization.decide({ type: 'reactivate' }, state).refusal, 'authorization.not_found')
    }
    assert.equal(authorization.decide(ADD, after(ADD)).refusal, 'authorization.id_taken')
  })
})
