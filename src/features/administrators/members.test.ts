import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MemberFieldColumnName } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { Type } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import type { Call } from '../../access/call.ts'
import { instant } from '../../kernel/instant.ts'
import { rolesAt } from '../../kernel/role.ts'
import { allGrantsOf, grantsOf } from '../memberships/index.ts'
import { users } from '../users/index.ts'
import { addMemberTo, removeMembershipsOf } from './index.ts'

const admin = AdminService.method
const management = ManagementService.method
const permission = InternalPermissionService.method

const INSTANCE = { resource: { case: 'instance', value: true } } as const
function inOrganization(value: string) {
  return { resource: { case: 'organizationId', value } } as const
}

function refusedFields(code: string, field: string) {
  return (error: { code: string; violations: { field: string }[] }) => {
    assert.equal(error.code, code)
    assert.deepEqual(
      error.violations.map((violation) => violation.field),
      [field],
    )
    return true
  }
}

async function addPerson({ call, owner }: World, organizationId?: string): Promise<string> {
  const email = { email: 'bea@example.com', verification: { case: 'isVerified', value: true } } as const
  const profile = { firstName: 'Bea', lastName: 'Bird' }
  const organization =
    organizationId === undefined ? {} : { organisation: { org: { case: 'orgId', value: organizationId } } as const }
  return (await call(UserService.method.addHumanUser, { profile, email, ...organization }, owner)).userId
}

for (const engine of bothEngines) {
  suite(`memberships on ${engine.name}`, () => {
    test('of the instance are added, changed, listed and removed', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId } = await world.addMachine()
      world.clock.now = instant(world.clock.now + 1000)
      const added = await world.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER_VIEWER'] }, world.owner)
      assert.equal(added.details?.resourceOwner, world.instanceId)
      await assert.rejects(world.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner), {
        code: 'membership.exists',
        kind: 'conflict',
      })
      await world.call(admin.updateIAMMember, { userId, roles: ['IAM_USER_MANAGER'] }, world.owner)
      const members = await world.call(
        admin.listIAMMembers,
        { sortingColumn: MemberFieldColumnName.MEMBER_FIELD_NAME_CREATION_DATE },
        world.owner,
      )
      assert.equal(members.details?.totalResult, 3n)
      const [newest] = members.result
      assert.equal(newest?.userId, userId)
      assert.deepEqual(newest?.roles, ['IAM_USER_MANAGER'])
      assert.equal(newest?.userType, Type.MACHINE)
      assert.equal(newest?.userResourceOwner, world.defaultOrganizationId)
      assert.match(newest?.preferredLoginName ?? '', /^machine-/)
      const human = members.result.find((member) => member.userId === world.administratorId)
      assert.equal(human?.email, 'admin@localhost')
      assert.equal(human?.firstName, 'Instance')
      const byName = {
        query: {
          case: 'firstNameQuery' as const,
          value: { firstName: 'INST', method: TextQueryMethod.STARTS_WITH_IGNORE_CASE },
        },
      }
      const found = await world.call(admin.listIAMMembers, { queries: [byName] }, world.owner)
      assert.deepEqual(
        found.result.map((member) => member.userId),
        [world.administratorId],
      )
      await world.call(admin.removeIAMMember, { userId }, world.owner)
      assert.deepEqual(await grantsOf(world.app, userId), [])
      // A retry succeeds.
      assert.ok((await world.call(admin.removeIAMMember, { userId }, world.owner)).details?.changeDate)
      await world.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
      const { roles } = await world.call(admin.listIAMMemberRoles, {}, world.owner)
      assert.deepEqual(roles, rolesAt('instance'))
    })

    test('of an organization are those of the organization of the call', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'ACME' },
        world.owner,
      )
      const here = { ...world.owner, organizationId }
      const { userId } = await world.addMachine()
      await world.call(management.addOrgMember, { userId, roles: ['ORG_USER_MANAGER'] }, here)
      const ids = async (request: typeof here | typeof world.owner) =>
        (await world.call(management.listOrgMembers, {}, request)).result.map((member) => member.userId)
      assert.ok((await ids(here)).includes(userId))
      assert.ok(!(await ids(world.owner)).includes(userId))
      await assert.rejects(world.call(management.updateOrgMember, { userId, roles: ['ORG_OWNER'] }, world.owner), {
        code: 'membership.not_found',
      })
      await world.call(management.updateOrgMember, { userId, roles: ['ORG_OWNER'] }, here)
      assert.deepEqual(await grantsOf(world.app, userId), [{ scope: { organizationId }, roles: ['ORG_OWNER'] }])
      await world.call(management.removeOrgMember, { userId }, here)
      const { result } = await world.call(management.listOrgMemberRoles, {}, here)
      assert.deepEqual(result, [...rolesAt('organization')])
    })

    test('need a user, an organization and roles of that level', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId } = await world.addMachine()
      const addTo = (roles: string[], user = userId) =>
        world.call(management.addOrgMember, { userId: user, roles }, world.owner)
      await assert.rejects(addTo(['ORG_OWNER'], 'nobody'), { code: 'membership.user_not_found' })
      await assert.rejects(addTo([]), refusedFields('membership.roles_invalid', 'roles'))
      await assert.rejects(addTo(['IAM_OWNER']), refusedFields('membership.roles_invalid', 'roles'))
      await assert.rejects(
        world.call(admin.addIAMMember, { userId, roles: ['ORG_OWNER'] }, world.owner),
        refusedFields('membership.roles_invalid', 'roles'),
      )
      const create = { userId, resource: inOrganization('nowhere'), roles: ['ORG_OWNER'] }
      await assert.rejects(world.call(permission.createAdministrator, create, world.owner), {
        code: 'membership.organization_not_found',
      })
    })

    test('a caller cannot give, change or take what they do not hold', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const login = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
      const { userId } = await world.addMachine()
      const above = { code: 'membership.above_own', kind: 'forbidden' }
      for (const roles of [['IAM_OWNER'], ['IAM_LOGIN_CLIENT', 'IAM_OWNER'], ['IAM_OWNER_VIEWER']]) {
        await assert.rejects(world.call(admin.addIAMMember, { userId, roles }, login.request), above)
      }
      await world.call(admin.addIAMMember, { userId, roles: ['IAM_LOGIN_CLIENT'] }, login.request)
      await assert.rejects(world.call(admin.updateIAMMember, { userId, roles: ['IAM_OWNER'] }, login.request), above)
      const self = { userId: login.userId, roles: ['IAM_OWNER'] }
      await assert.rejects(world.call(admin.updateIAMMember, self, login.request), above)
      const other = { userId: world.administratorId, roles: ['IAM_LOGIN_CLIENT'] }
      await assert.rejects(world.call(admin.updateIAMMember, other, login.request), above)
      await assert.rejects(world.call(management.addOrgMember, { userId, roles: ['ORG_OWNER'] }, login.request), above)
      const owner = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      await world.call(management.addOrgMember, { userId, roles: ['ORG_OWNER'] }, owner.request)
      await assert.rejects(world.call(admin.addIAMMember, self, owner.request), { code: 'access.forbidden' })
      const create = { userId, resource: INSTANCE, roles: ['IAM_OWNER'] }
      await assert.rejects(world.call(permission.createAdministrator, create, owner.request), {
        code: 'access.forbidden',
      })
    })

    test('an owner of the instance stays, also when the last two leave at the same moment', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const elsewhere = (await world.another()).app
      const origin = { actor: { user: 'test' }, at: world.clock.now } as const
      const second = await addPerson(world)
      await world.call(admin.addIAMMember, { userId: second, roles: ['IAM_OWNER'] }, world.owner)
      let rounds = 0
      const leaving = world.store.write(origin, async (work) => {
        await removeMembershipsOf(world.app, work, world.administratorId)
        // The other one leaves after this one was decided and before it is committed.
        if (rounds++ > 0) return
        await elsewhere.store.write(origin, (other) => removeMembershipsOf(elsewhere, other, second))
      })
      await assert.rejects(leaving, { code: 'membership.last_owner' })
      assert.equal(rounds, 1, 'the second round is refused before it counts')
      assert.equal((await grantsOf(world.app, world.administratorId)).length, 1)
      assert.equal((await grantsOf(world.app, second)).length, 0)
    })

    test('a caller who loses a role while giving it gives nothing', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const giver = await world.addMachine({ instanceRoles: ['IAM_OWNER'] })
      const { userId } = await world.addMachine()
      const scope = { level: 'instance', id: world.instanceId } as const
      const caller = { userId: giver.userId, organizationId: world.defaultOrganizationId, grants: [] }
      const call = { caller, origin: { actor: { user: giver.userId }, at: world.clock.now } } as unknown as Call
      let rounds = 0
      const giving = world.store.write(call.origin, async (work) => {
        await addMemberTo(world.app, work, call, { scope, userId, roles: ['IAM_OWNER'] })
        if (rounds++ === 0) await world.call(admin.removeIAMMember, { userId: giver.userId }, world.owner)
      })
      await assert.rejects(giving, { code: 'membership.above_own' })
      assert.deepEqual(await grantsOf(world.app, userId), [])
    })

    test('the last owner cannot be removed as a member, stepped down, removed as a user or closed in', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const organizationId = (
        await world.call(OrganizationService.method.addOrganization, { name: 'ACME' }, world.owner)
      ).organizationId
      const last = await world.addMachine({ organizationId, instanceRoles: ['IAM_OWNER'] })
      // A machine takes the place of a person only where there is none who can sign in.
      const person = { id: world.administratorId, origin: { actor: { user: 'test' }, at: world.clock.now } }
      const change = (type: 'deactivate' | 'reactivate') =>
        world.store.write(person.origin, (work) => work.decide(users, person.id, { type }))
      await change('deactivate')
      for (const userId of [world.administratorId, world.machineAdministratorId]) {
        await world.call(admin.removeIAMMember, { userId }, last.request)
      }
      const { userId } = last
      const refusal = { code: 'membership.last_owner', kind: 'precondition' }
      const here = { ...last.request, organizationId }
      await assert.rejects(world.call(admin.removeIAMMember, { userId }, last.request), refusal)
      await assert.rejects(
        world.call(admin.updateIAMMember, { userId, roles: ['IAM_OWNER_VIEWER'] }, last.request),
        refusal,
      )
      await assert.rejects(world.call(management.removeUser, { id: userId }, here), refusal)
      await assert.rejects(world.call(OrganizationService.method.deleteOrganization, { organizationId }, here), refusal)
      await assert.rejects(
        world.call(OrganizationService.method.deactivateOrganization, { organizationId }, here),
        refusal,
      )
      await change('reactivate')
      await world.call(admin.addIAMMember, { userId: world.administratorId, roles: ['IAM_OWNER'] }, last.request)
      await world.call(OrganizationService.method.deactivateOrganization, { organizationId }, here)
    })

    test('a machine does not take the place of the last person, in none of these ways', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'ACME' },
        world.owner,
      )
      const userId = await addPerson(world, organizationId)
      await world.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
      await world.call(admin.removeIAMMember, { userId: world.administratorId }, world.owner)
      const refusal = { code: 'membership.last_owner', kind: 'precondition' }
      const here = { ...world.owner, organizationId }
      await assert.rejects(world.call(admin.removeIAMMember, { userId }, world.owner), refusal)
      const less = { userId, roles: ['IAM_OWNER_VIEWER'] }
      await assert.rejects(world.call(admin.updateIAMMember, less, world.owner), refusal)
      await assert.rejects(world.call(management.removeUser, { id: userId }, here), refusal)
      await assert.rejects(world.call(management.lockUser, { id: userId }, here), refusal)
      const { deactivateOrganization, deleteOrganization } = OrganizationService.method
      await assert.rejects(world.call(deactivateOrganization, { organizationId }, here), refusal)
      await assert.rejects(world.call(deleteOrganization, { organizationId }, here), refusal)
    })

    test('end with their user, in the same commit', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId } = await world.addMachine({ instanceRoles: ['IAM_OWNER'], organizationRoles: ['ORG_OWNER'] })
      assert.equal((await allGrantsOf(world.app, userId)).length, 2)
      await world.call(management.removeUser, { id: userId }, world.owner)
      assert.deepEqual(await allGrantsOf(world.app, userId), [])
      assert.deepEqual(await grantsOf(world.app, userId), [])
      const { administrators } = await world.call(permission.listAdministrators, {}, world.owner)
      assert.ok(!administrators.some(({ user }) => user?.id === userId))
    })

    test('in organizations count for an owner of the instance as soon as the owner is none any more', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId, request } = await world.addMachine({ instanceRoles: ['IAM_OWNER'] })
      const add = async (name: string, by: typeof request) =>
        (await world.call(OrganizationService.method.addOrganization, { name }, by)).organizationId
      const [own, foreign] = [await add('Own', request), await add('Foreign', world.owner)]
      assert.deepEqual(await grantsOf(world.app, userId), [{ scope: 'instance', roles: ['IAM_OWNER'] }])
      await world.call(admin.removeIAMMember, { userId }, world.owner)
      const read = (organizationId: string) => world.call(management.getMyOrg, {}, { ...request, organizationId })
      assert.equal((await read(own)).org?.id, own)
      await assert.rejects(read(foreign), { code: 'access.forbidden' })
    })

    test('of the caller give the permissions that the caller can list', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { request } = await world.addMachine({ organizationRoles: ['ORG_PROJECT_CREATOR'] })
      const { result } = await world.call(AuthService.method.listMyZitadelPermissions, {}, request)
      assert.deepEqual(result, ['org.read', 'project.create', 'user.global.read', 'user.read'])
      const owned = await world.call(AuthService.method.listMyZitadelPermissions, {}, world.owner)
      assert.ok(owned.result.includes('iam.write'))
    })

    test('of the caller are listed with the names of their places', async (t) => {
      const world = await openWorld({ engine })
      t.after(world.dispose)
      const { userId, request } = await world.addMachine({
        instanceRoles: ['IAM_OWNER_VIEWER'],
        organizationRoles: ['ORG_OWNER'],
      })
      const mine = async (queries: unknown[]) =>
        (await world.call(AuthService.method.listMyMemberships, { queries: queries as never[] }, request)).result
      const all = await mine([])
      assert.deepEqual(
        all.map(({ displayName }) => displayName),
        ['Signet', 'Signet'],
      )
      assert.ok(all.every((one) => one.userId === userId))
      const onInstance = await mine([{ query: { case: 'iamQuery', value: { iam: true } } }])
      assert.deepEqual(
        onInstance.map(({ type }) => type),
        [{ case: 'iam', value: true }],
      )
      const there = await mine([{ query: { case: 'orgQuery', value: { orgId: world.defaultOrganizationId } } }])
      assert.deepEqual(
        there.map(({ roles }) => roles),
        [['ORG_OWNER']],
      )
      assert.deepEqual(await mine([{ query: { case: 'orgQuery', value: { orgId: 'nowhere' } } }]), [])
      const { id } = await world.call(management.addProject, { name: 'Shop' }, world.owner)
      await world.call(management.addProjectMember, { projectId: id, userId, roles: ['PROJECT_OWNER'] }, world.owner)
      const onProject = await mine([{ query: { case: 'projectQuery', value: { projectId: id } } }])
      assert.deepEqual(
        onProject.map(({ displayName, type }) => [displayName, type]),
        [['Shop', { case: 'projectId', value: id }]],
      )
      assert.deepEqual(await mine([{ query: { case: 'projectGrantQuery', value: { projectGrantId: id } } }]), [])
    })
  })
}
