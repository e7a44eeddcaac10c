import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { rolesAt } from '../kernel/role.ts'
import type { Grant } from './call.ts'
import { covers, holdsIn, holdsOnInstance, isPermission } from './roles.ts'

function on(...roles: string[]): Grant {
  return { scope: 'instance', roles }
}
function inOrganization(organizationId: string, ...roles: string[]): Grant {
  return { scope: { organizationId }, roles }
}

suite('roles', () => {
  test('there are seven, each at its level', () => {
    assert.deepEqual(rolesAt('instance'), ['IAM_OWNER', 'IAM_OWNER_VIEWER', 'IAM_USER_MANAGER', 'IAM_LOGIN_CLIENT'])
    assert.deepEqual(rolesAt('organization'), ['ORG_OWNER', 'ORG_OWNER_VIEWER', 'ORG_USER_MANAGER'])
  })

  test('the owner of the instance covers every role everywhere', () => {
    for (const role of rolesAt('instance')) assert.ok(covers([on('IAM_OWNER')], [on(role)]), role)
    for (const role of rolesAt('organization')) assert.ok(covers([on('IAM_OWNER')], [inOrganization('a', role)]), role)
  })

  test('nobody but an owner of the instance covers an owner of the instance', () => {
    for (const role of rolesAt('instance').slice(1)) assert.ok(!covers([on(role)], [on('IAM_OWNER')]), role)
    assert.ok(!covers([inOrganization('a', 'ORG_OWNER')], [on('IAM_OWNER_VIEWER')]))
  })

  test('an owner of one organization covers nobody in another', () => {
    assert.ok(covers([inOrganization('a', 'ORG_OWNER')], [inOrganization('a', 'ORG_USER_MANAGER')]))
    assert.ok(!covers([inOrganization('a', 'ORG_OWNER')], [inOrganization('b', 'ORG_OWNER_VIEWER')]))
  })

  test('somebody without roles is covered by everybody', () => {
    assert.ok(covers([], []))
    assert.ok(covers([], [on('NO_SUCH_ROLE')]))
  })

  test('a role at the wrong level gives nothing', () => {
    assert.ok(!holdsIn([inOrganization('a', 'IAM_OWNER')], 'org.read', 'a'))
    assert.ok(!holdsOnInstance([on('ORG_OWNER')], 'org.read'))
  })

  test('viewers hold nothing but read permissions', () => {
    for (const permission of [
      'user.write',
      'user.delete',
      'org.write',
      'org.member.write',
      'iam.write',
      'session.write',
    ]) {
      assert.ok(isPermission(permission))
      assert.ok(!holdsOnInstance([on('IAM_OWNER_VIEWER')], permission))
      assert.ok(!holdsIn([inOrganization('a', 'ORG_OWNER_VIEWER')], permission, 'a'))
    }
    assert.ok(!isPermission('constructor'))
  })
})
