import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { membership } from './decider.ts'
import { membershipId } from './documents.ts'
import type { MembershipEvent } from './events.ts'

const member = {
  level: 'instance',
  scopeId: 'i1',
  userId: 'u1',
  userOrganizationId: 'o1',
  roles: ['IAM_OWNER'],
  addedAt: instant(1000),
} as const
const added: MembershipEvent = { type: 'membership.added.v1', data: member }
const removed: MembershipEvent = { type: 'membership.removed.v1', data: {} }
const add = { type: 'add', ...member } as const
const change = { type: 'change', roles: ['IAM_OWNER_VIEWER'], hasOtherOwner: true } as const

suite('membership', () => {
  test('begins once, ends, and can begin again', () => {
    given(membership).when(add).then(added)
    given(membership, added).when(add).thenRefused('membership.exists')
    given(membership, added).when({ type: 'remove', hasOtherOwner: true }).then(removed)
    given(membership, added, removed).when(add).then(added)
    given(membership, added, removed).when(change).thenRefused('membership.not_found')
    given(membership).when({ type: 'remove', hasOtherOwner: true }).then()
    given(membership, added, removed).when({ type: 'remove', hasOtherOwner: true }).then()
  })

  test('has at least one role, of its own level', () => {
    for (const roles of [[], ['ORG_OWNER'], ['IAM_OWNER', 'NO_SUCH'], ['constructor'], ['']]) {
      given(membership)
        .when({ ...add, roles })
        .thenRefused('membership.roles_invalid')
      given(membership, added)
        .when({ ...change, roles })
        .thenRefused('membership.roles_invalid')
    }
    given(membership)
      .when({ ...add, level: 'organization' })
      .thenRefused('membership.roles_invalid')
  })

  test('a role given twice is held once', () => {
    given(membership)
      .when({ ...add, roles: ['IAM_OWNER', 'IAM_OWNER'] })
      .then(added)
  })

  test('the same roles in another order are no change', () => {
    const two: MembershipEvent = {
      type: 'membership.changed.v1',
      data: { roles: ['IAM_OWNER', 'IAM_USER_MANAGER'] },
    }
    given(membership, added, two)
      .when({ ...change, roles: ['IAM_USER_MANAGER', 'IAM_OWNER'] })
      .then()
    given(membership, added, two)
      .when({ ...change, roles: ['IAM_OWNER'] })
      .then({ type: 'membership.changed.v1', data: { roles: ['IAM_OWNER'] } })
  })

  test('the last owner of the instance can neither go nor step down', () => {
    given(membership, added).when({ type: 'remove', hasOtherOwner: false }).thenRefused('membership.last_owner')
    given(membership, added)
      .when({ ...change, hasOtherOwner: false })
      .thenRefused('membership.last_owner')
    given(membership, added)
      .when({ ...change, roles: ['IAM_OWNER', 'IAM_LOGIN_CLIENT'], hasOtherOwner: false })
      .then({ type: 'membership.changed.v1', data: { roles: ['IAM_OWNER', 'IAM_LOGIN_CLIENT'] } })
  })

  test('what has ended has nothing by which it could be found', () => {
    assert.deepEqual(given(membership, added, removed).state, { status: 'none' })
  })

  test('two memberships never share an id, whatever is in the ids of users and organizations', () => {
    assert.notEqual(membershipId('a/b', 'c'), membershipId('a', 'b/c'))
    assert.notEqual(membershipId('a%2Fb', 'c'), membershipId('a/b', 'c'))
    assert.equal(typeof membershipId('\ud800', 'x'), 'string')
  })
})
