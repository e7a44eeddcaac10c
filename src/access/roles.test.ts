import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { rolesAt } from '../kernel/role.ts'
import type { Grant } from './call.ts'
import { ROLE_PERMISSIONS } from './role-permissions.ts'
import { covers, holdsEverywhere, holdsIn, holdsOnInstance, isPermission, permissionsIn } from './roles.ts'

function on(...roles: string[]): Grant {
  return { scope: 'instance', roles }
}
function inOrganization(organizationId: string, ...roles: string[]): Grant {
  return { scope: { organizationId }, roles }
}
function onProject(projectId: string, ...roles: string[]): Grant {
  return { scope: { projectId, ownerId: 'a' }, roles }
}

suite('roles', () => {
  test('on the instance itself: who may change settings of organizations may change those of the instance', () => {
    for (const role of rolesAt('instance')) {
      for (const verb of ['read', 'write', 'delete']) {
        const holds = (permission: string) => holdsOnInstance([on(role)], permission)
        assert.equal(holds(`policy.${verb}`), holds(`iam.policy.${verb}`), `${role} ${verb}`)
      }
    }
  })

  test('each stands at its level', () => {
    assert.deepEqual(rolesAt('instance'), [
      'IAM_OWNER',
      'IAM_OWNER_VIEWER',
      'IAM_ORG_MANAGER',
      'IAM_USER_MANAGER',
      'IAM_LOGIN_CLIENT',
      'IAM_ADMIN_IMPERSONATOR',
      'IAM_END_USER_IMPERSONATOR',
      'IAM_SIGNAL_RECEIVER',
    ])
    assert.deepEqual(rolesAt('organization'), [
      'ORG_OWNER',
      'ORG_OWNER_VIEWER',
      'ORG_USER_MANAGER',
      'ORG_USER_PERMISSION_EDITOR',
      'ORG_PROJECT_PERMISSION_EDITOR',
      'ORG_PROJECT_CREATOR',
      'ORG_DIRECTORY_SYNC',
      'ORG_SIGNAL_RECEIVER',
      'ORG_ADMIN_IMPERSONATOR',
      'ORG_END_USER_IMPERSONATOR',
      'ORG_SETTINGS_MANAGER',
      'ORG_DYNAMIC_CLIENT_REGISTRAR',
      'ORG_USER_SELF_MANAGER',
      'SELF_MANAGEMENT_GLOBAL',
    ])
    assert.equal(rolesAt('project').length, 4)
    assert.equal(rolesAt('project_grant').length, 2)
  })

  test('the owner of the instance has every permission of the roles at other levels', () => {
    const owned = new Set<string>(ROLE_PERMISSIONS.instance.IAM_OWNER)
    for (const level of ['organization', 'project', 'project_grant'] as const) {
      const others = Object.values(ROLE_PERMISSIONS[level]).flat()
      assert.deepEqual(
        [...new Set(others)].filter((permission) => !owned.has(permission)),
        [],
        level,
      )
    }
  })

  test('a role on a project applies to that project and its grants', () => {
    const owner = [onProject('p', 'PROJECT_OWNER')]
    assert.ok(holdsIn(owner, 'project.write', { projectId: 'p', ownerId: 'a' }))
    assert.ok(holdsIn(owner, 'project.grant.read', { projectId: 'p', ownerId: 'a', grantId: 'g', grantedId: 'b' }))
    assert.ok(!holdsIn(owner, 'project.write', { projectId: 'q', ownerId: 'a' }))
    assert.ok(!holdsIn(owner, 'project.read', 'a'))
  })

  test('what the granted organization does with a grant is read, but not changed, by those who granted it', () => {
    const place = { projectId: 'p', ownerId: 'a', grantId: 'g', grantedId: 'b' }
    const member: Grant[] = [{ scope: place, roles: ['PROJECT_GRANT_OWNER'] }]
    for (const granting of [[onProject('p', 'PROJECT_OWNER')], [inOrganization('a', 'ORG_OWNER')]]) {
      assert.ok(holdsIn(granting, 'project.grant.member.read', place))
      assert.ok(!holdsIn(granting, 'project.grant.member.write', place))
      assert.ok(!holdsIn(granting, 'project.grant.member.delete', place))
      assert.ok(!holdsIn(granting, 'user.grant.write', place))
      assert.ok(!covers(granting, member))
    }
    for (const granted of [[inOrganization('b', 'ORG_OWNER')], member, [on('IAM_OWNER')]]) {
      assert.ok(holdsIn(granted, 'project.grant.member.write', place))
      assert.ok(covers(granted, member))
    }
  })

  test('a role on a grant does not apply to the project', () => {
    const place = { projectId: 'p', ownerId: 'a', grantId: 'g', grantedId: 'b' }
    const owner: Grant[] = [{ scope: place, roles: ['PROJECT_GRANT_OWNER'] }]
    assert.ok(holdsIn(owner, 'user.grant.write', place))
    assert.ok(!holdsIn(owner, 'user.grant.write', { projectId: 'p', ownerId: 'a' }))
    assert.ok(!holdsIn(owner, 'user.grant.write', { ...place, grantId: 'h' }))
  })

  test('the granted organization has no say on the project itself', () => {
    const owner = [inOrganization('b', 'ORG_OWNER')]
    assert.ok(
      holdsIn(owner, 'project.grant.member.write', { projectId: 'p', ownerId: 'a', grantId: 'g', grantedId: 'b' }),
    )
    assert.ok(!holdsIn(owner, 'project.read', { projectId: 'p', ownerId: 'a' }))
  })

  test('an owner of an organization covers the owners of its projects, and no others', () => {
    assert.ok(covers([inOrganization('a', 'ORG_OWNER')], [onProject('p', 'PROJECT_OWNER')]))
    assert.ok(!covers([inOrganization('b', 'ORG_OWNER')], [onProject('p', 'PROJECT_OWNER_VIEWER')]))
    assert.ok(!covers([onProject('p', 'PROJECT_OWNER')], [inOrganization('a', 'ORG_OWNER_VIEWER')]))
  })

  test('the owner of the instance covers every role everywhere', () => {
    for (const role of rolesAt('instance')) assert.ok(covers([on('IAM_OWNER')], [on(role)]), role)
    for (const role of rolesAt('organization')) assert.ok(covers([on('IAM_OWNER')], [inOrganization('a', role)]), role)
  })

  test('nobody but an owner of the instance covers an owner of the instance', () => {
    for (const role of rolesAt('instance').slice(1)) assert.ok(!covers([on(role)], [on('IAM_OWNER')]), role)
    assert.ok(!covers([inOrganization('a', 'ORG_OWNER')], [on('IAM_OWNER_VIEWER')]))
  })

  test('a manager of organizations covers the owners of all of them, and nobody on the instance', () => {
    const manager = [on('IAM_ORG_MANAGER')]
    for (const role of rolesAt('organization')) assert.ok(covers(manager, [inOrganization('a', role)]), role)
    assert.ok(holdsEverywhere(manager, 'org.create'))
    assert.ok(!holdsEverywhere(manager, 'iam.read'))
    for (const role of ['IAM_OWNER_VIEWER', 'IAM_LOGIN_CLIENT']) assert.ok(!covers(manager, [on(role)]), role)
  })

  test('a role in every organization holds nothing on the instance itself', () => {
    for (const role of ['IAM_ORG_MANAGER', 'IAM_USER_MANAGER', 'IAM_END_USER_IMPERSONATOR']) {
      for (const permission of ROLE_PERMISSIONS.instance[role] ?? []) {
        assert.ok(holdsEverywhere([on(role)], permission), permission)
        assert.ok(holdsIn([on(role)], permission, 'a'), permission)
        assert.ok(!holdsOnInstance([on(role)], permission), permission)
      }
    }
    assert.ok(!covers([on('IAM_ORG_MANAGER')], [on('IAM_SIGNAL_RECEIVER')]))
    assert.ok(!covers([on('IAM_ORG_MANAGER')], [on('IAM_ADMIN_IMPERSONATOR')]))
    assert.ok(covers([on('IAM_ORG_MANAGER')], [on('IAM_END_USER_IMPERSONATOR')]))
    assert.ok(!covers([inOrganization('a', 'ORG_OWNER')], [on('IAM_END_USER_IMPERSONATOR')]))
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

  test('give permissions that can be listed for an organization', () => {
    const grants = [
      inOrganization('a', 'ORG_PROJECT_CREATOR'),
      inOrganization('b', 'ORG_OWNER'),
      onProject('p', 'PROJECT_OWNER_VIEWER'),
      { scope: { projectId: 'q', ownerId: 'b', grantId: 'g', grantedId: 'a' }, roles: ['PROJECT_GRANT_OWNER_VIEWER'] },
    ]
    const inA = permissionsIn(grants, 'a')
    assert.deepEqual(
      inA.filter((permission) => !permission.includes(':')),
      ['org.read', 'project.create', 'user.global.read', 'user.read'],
    )
    assert.ok(inA.includes('project.member.read:p'))
    assert.ok(inA.includes('project.grant.member.read:g'))
    assert.ok(!inA.includes('project.member.read:g'))
    assert.ok(permissionsIn(grants, 'b').includes('policy.write'))
    assert.deepEqual(permissionsIn(grants, 'c'), [])
    assert.ok(permissionsIn([on('IAM_OWNER')], 'c').includes('iam.write'))
  })
})
