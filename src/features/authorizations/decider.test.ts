import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { authorization } from './decider.ts'

const place = { organizationId: 'north', projectId: 'shop', grantId: '' }
const data = { ...place, userId: 'ada', userOrganizationId: 'south', roleKeys: ['buyer'] }
const added = { type: 'authorization.added.v1', data } as const
const off = { type: 'authorization.deactivated.v1', data: {} } as const
const removed = { type: 'authorization.removed.v1', data: {} } as const

suite('an authorization', () => {
  test('is given once, with each role once', () => {
    given(authorization)
      .when({ type: 'add', ...data, roleKeys: ['buyer', 'buyer'] })
      .then(added)
    for (const events of [[added], [added, removed]]) {
      given(authorization, ...events)
        .when({ type: 'add', ...data })
        .thenRefused('authorization.id_taken')
    }
  })

  test('of a group is for the organization of the group', () => {
    const forGroup = { ...place, groupId: 'team', groupOrganizationId: 'south', roleKeys: ['buyer'] }
    const groupAdded = { type: 'authorization.group_added.v1', data: forGroup } as const
    given(authorization)
      .when({ type: 'add_for_group', ...forGroup })
      .then(groupAdded)
    given(authorization, added)
      .when({ type: 'add_for_group', ...forGroup })
      .thenRefused('authorization.id_taken')
    const { state } = given(authorization, groupAdded)
    assert.ok(state.status === 'active')
    assert.deepEqual([state.groupId, state.userId, state.userOrganizationId], ['team', undefined, 'south'])
  })

  test('changes its roles, whatever their order; the same ones are refused where they must differ', () => {
    const change = (roleKeys: readonly string[], mustDiffer = false) =>
      ({ type: 'change', roleKeys, mustDiffer }) as const
    const two = { type: 'authorization.changed.v1', data: { roleKeys: ['buyer', 'seller'] } } as const
    given(authorization, added)
      .when(change(['buyer', 'seller', 'buyer']))
      .then(two)
    given(authorization, added, two)
      .when(change(['seller', 'buyer']))
      .then()
    given(authorization, added, two)
      .when(change(['seller', 'buyer'], true))
      .thenRefused('authorization.unchanged')
  })

  test('is switched off and on', () => {
    const on = { type: 'authorization.reactivated.v1', data: {} } as const
    given(authorization, added).when({ type: 'deactivate' }).then(off)
    given(authorization, added, off).when({ type: 'deactivate' }).then()
    given(authorization, added, off).when({ type: 'reactivate' }).then(on)
    given(authorization, added).when({ type: 'reactivate' }).then()
  })

  test('is removed, also twice, and then only its place is known', () => {
    given(authorization, added, off).when({ type: 'remove' }).then(removed)
    given(authorization, added, removed).when({ type: 'remove' }).then()
    given(authorization).when({ type: 'remove' }).thenRefused('authorization.not_found')
    given(authorization, added, removed).when({ type: 'deactivate' }).thenRefused('authorization.not_found')
    assert.deepEqual(given(authorization, added, removed).state, { status: 'removed', of: place })
  })
})
