import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MemberFieldColumnName } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { Type } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openHouse } from '../../../test/support/in-memory.ts'
import type { Call } from '../../access/call.ts'
import { instant } from '../../kernel/instant.ts'
import { addMemberTo, grantsOf, removeMembershipsOf } from './index.ts'

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

for (const engine of engines) {
  suite(`memberships on ${engine.name}`, () => {
    test('of the instance are added, changed, listed and removed', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { userId } = await house.addMachine()
      house.clock.now = instant(house.clock.now + 1000)
      const added = await house.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER_VIEWER'] }, house.owner)
      assert.equal(added.details?.resourceOwner, house.instanceId)
      await assert.rejects(house.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, house.owner), {
        code: 'membership.exists',
        kind: 'conflict',
      })
      await house.call(admin.updateIAMMember, { userId, roles: ['IAM_USER_MANAGER'] }, house.owner)
      const members = await house.call(
        admin.listIAMMembers,
        { sortingColumn: MemberFieldColumnName.MEMBER_FIELD_NAME_CREATION_DATE },
        house.owner,
      )
      assert.equal(members.details?.totalResult, 3n)
      const [newest] = members.result
      assert.equal(newest?.userId, userId)
      assert.deepEqual(newest?.roles, ['IAM_USER_MANAGER'])
      assert.equal(newest?.userType, Type.MACHINE)
      assert.equal(newest?.userResourceOwner, house.defaultOrganizationId)
      assert.match(newest?.preferredLoginName ?? '', /^machine-/)
      const human = members.result.find((member) => member.userId === house.administratorId)
      assert.equal(human?.email, 'admin@localhost')
      assert.equal(human?.firstName, 'Instance')
      const byName = {
        query: {
          case: 'firstNameQuery' as const,
          value: { firstName: 'INST', method: TextQueryMethod.STARTS_WITH_IGNORE_CASE },
        },
      }
      const found = await house.call(admin.listIAMMembers, { queries: [byName] }, house.owner)
      assert.deepEqual(
        found.result.map((member) => member.userId),
        [house.administratorId],
      )
      await house.call(admin.removeIAMMember, { userId }, house.owner)
      assert.deepEqual(await grantsOf(house.store, userId), [])
      await assert.rejects(house.call(admin.removeIAMMember, { userId }, house.owner), { code: 'membership.not_found' })
      await house.call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, house.owner)
      const { roles } = await house.call(admin.listIAMMemberRoles, {}, house.owner)
      assert.deepEqual(roles, ['IAM_OWNER', 'IAM_OWNER_VIEWER', 'IAM_USER_MANAGER', 'IAM_LOGIN_CLIENT'])
    })

    test('of an organization are those of the organization of the call', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { organizationId } = await house.call(
        OrganizationService.method.addOrganization,
        { name: 'ACME' },
        house.owner,
      )
      const here = { ...house.owner, organizationId }
      const { userId } = await house.addMachine()
      await house.call(management.addOrgMember, { userId, roles: ['ORG_USER_MANAGER'] }, here)
      const ids = async (request: typeof here | typeof house.owner) =>
        (await house.call(management.listOrgMembers, {}, request)).result.map((member) => member.userId)
      assert.ok((await ids(here)).includes(userId))
      assert.ok(!(await ids(house.owner)).includes(userId))
      await assert.rejects(house.call(management.updateOrgMember, { userId, roles: ['ORG_OWNER'] }, house.owner), {
        code: 'membership.not_found',
      })
      await house.call(management.updateOrgMember, { userId, roles: ['ORG_OWNER'] }, here)
      assert.deepEqual(await grantsOf(house.store, userId), [{ scope: { organizationId }, roles: ['ORG_OWNER'] }])
      await house.call(management.removeOrgMember, { userId }, here)
      const { result } = await house.call(management.listOrgMemberRoles, {}, here)
      assert.deepEqual(result, ['ORG_OWNER', 'ORG_OWNER_VIEWER', 'ORG_USER_MANAGER'])
    })

    test('need a user, an organization and roles of that level', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { userId } = await house.addMachine()
      const addTo = (roles: string[], user = userId) =>
        house.call(management.addOrgMember, { userId: user, roles }, house.owner)
      await assert.rejects(addTo(['ORG_OWNER'], 'nobody'), { code: 'membership.user_not_found' })
      await assert.rejects(addTo([]), refusedFields('membership.roles_invalid', 'roles'))
      await assert.rejects(addTo(['IAM_OWNER']), refusedFields('membership.roles_invalid', 'roles'))
      await assert.rejects(
        house.call(admin.addIAMMember, { userId, roles: ['ORG_OWNER'] }, house.owner),
        refusedFields('membership.roles_invalid', 'roles'),
      )
      const create = { userId, resource: inOrganization('nowhere'), roles: ['ORG_OWNER'] }
      await assert.rejects(house.call(permission.createAdministrator, create, house.owner), {
        code: 'membership.organization_not_found',
      })
    })

    test('nobody gives, changes or takes what they do not hold themself', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const login = await house.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
      const { userId } = await house.addMachine()
      const above = { code: 'membership.above_own', kind: 'forbidden' }
      for (const roles of [['IAM_OWNER'], ['IAM_LOGIN_CLIENT', 'IAM_OWNER'], ['IAM_OWNER_VIEWER']]) {
        await assert.rejects(house.call(admin.addIAMMember, { userId, roles }, login.request), above)
      }
      await house.call(admin.addIAMMember, { userId, roles: ['IAM_LOGIN_CLIENT'] }, login.request)
      await assert.rejects(house.call(admin.updateIAMMember, { userId, roles: ['IAM_OWNER'] }, login.request), above)
      const self = { userId: login.userId, roles: ['IAM_OWNER'] }
      await assert.rejects(house.call(admin.updateIAMMember, self, login.request), above)
      const other = { userId: house.administratorId, roles: ['IAM_LOGIN_CLIENT'] }
      await assert.rejects(house.call(admin.updateIAMMember, other, login.request), above)
      await assert.rejects(house.call(management.addOrgMember, { userId, roles: ['ORG_OWNER'] }, login.request), above)
      const owner = await house.addMachine({ organizationRoles: ['ORG_OWNER'] })
      await house.call(management.addOrgMember, { userId, roles: ['ORG_OWNER'] }, owner.request)
      await assert.rejects(house.call(admin.addIAMMember, self, owner.request), { code: 'access.forbidden' })
      const create = { userId, resource: INSTANCE, roles: ['IAM_OWNER'] }
      await assert.rejects(house.call(permission.createAdministrator, create, owner.request), {
        code: 'access.forbidden',
      })
    })

    test('an owner of the instance stays, also when the last two leave at the same moment', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const elsewhere = (await house.another()).store
      const instanceId = house.instanceId
      const origin = { actor: 'test', at: house.clock.now }
      let rounds = 0
      const leaving = house.store.write(origin, async (work) => {
        await removeMembershipsOf({ store: house.store, instanceId })(work, house.administratorId)
        // The other one leaves after this one was decided and before it is committed.
        if (rounds++ > 0) return
        const leave = removeMembershipsOf({ store: elsewhere, instanceId })
        await elsewhere.write(origin, (other) => leave(other, house.machineAdministratorId))
      })
      await assert.rejects(leaving, { code: 'membership.last_owner' })
      assert.equal(rounds, 1, 'the second round is refused before it counts')
      assert.equal((await grantsOf(house.store, house.administratorId)).length, 1)
      assert.equal((await grantsOf(house.store, house.machineAdministratorId)).length, 0)
    })

    test('who loses a role while giving it away gives nothing', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const giver = await house.addMachine({ instanceRoles: ['IAM_OWNER'] })
      const { userId } = await house.addMachine()
      const scope = { level: 'instance', id: house.instanceId } as const
      const needs = { store: house.store, instanceId: house.instanceId }
      const caller = { userId: giver.userId, organizationId: house.defaultOrganizationId, grants: [] }
      const call = { caller, origin: { actor: giver.userId, at: house.clock.now } } as unknown as Call
      let rounds = 0
      const giving = house.store.write(call.origin, async (work) => {
        await addMemberTo(needs, work, call, { scope, userId, roles: ['IAM_OWNER'] })
        if (rounds++ === 0) await house.call(admin.removeIAMMember, { userId: giver.userId }, house.owner)
      })
      await assert.rejects(giving, { code: 'membership.above_own' })
      assert.deepEqual(await grantsOf(house.store, userId), [])
    })

    test('the last owner cannot be removed as a member, stepped down, removed as a user or closed in', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const organizationId = (
        await house.call(OrganizationService.method.addOrganization, { name: 'ACME' }, house.owner)
      ).organizationId
      const last = await house.addMachine({ organizationId, instanceRoles: ['IAM_OWNER'] })
      for (const userId of [house.administratorId, house.machineAdministratorId]) {
        await house.call(admin.removeIAMMember, { userId }, last.request)
      }
      const { userId } = last
      const refusal = { code: 'membership.last_owner', kind: 'precondition' }
      const here = { ...last.request, organizationId }
      await assert.rejects(house.call(admin.removeIAMMember, { userId }, last.request), refusal)
      await assert.rejects(
        house.call(admin.updateIAMMember, { userId, roles: ['IAM_OWNER_VIEWER'] }, last.request),
        refusal,
      )
      await assert.rejects(house.call(management.removeUser, { id: userId }, here), refusal)
      await assert.rejects(house.call(OrganizationService.method.deleteOrganization, { organizationId }, here), refusal)
      await assert.rejects(
        house.call(OrganizationService.method.deactivateOrganization, { organizationId }, here),
        refusal,
      )
      await house.call(admin.addIAMMember, { userId: house.administratorId, roles: ['IAM_OWNER'] }, last.request)
      await house.call(OrganizationService.method.deactivateOrganization, { organizationId }, here)
    })

    test('end with their user, in the same commit', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { userId } = await house.addMachine({ instanceRoles: ['IAM_OWNER'], organizationRoles: ['ORG_OWNER'] })
      assert.equal((await grantsOf(house.store, userId)).length, 2)
      await house.call(management.removeUser, { id: userId }, house.owner)
      assert.deepEqual(await grantsOf(house.store, userId), [])
      const { administrators } = await house.call(permission.listAdministrators, {}, house.owner)
      assert.ok(!administrators.some(({ user }) => user?.id === userId))
    })

    test('of the caller are listed with the names of their places', async (t) => {
      const house = await openHouse(engine)
      t.after(house.dispose)
      const { userId, request } = await house.addMachine({
        instanceRoles: ['IAM_OWNER_VIEWER'],
        organizationRoles: ['ORG_OWNER'],
      })
      const mine = async (queries: unknown[]) =>
        (await house.call(AuthService.method.listMyMemberships, { queries: queries as never[] }, request)).result
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
      const there = await mine([{ query: { case: 'orgQuery', value: { orgId: house.defaultOrganizationId } } }])
      assert.deepEqual(
        there.map(({ roles }) => roles),
        [['ORG_OWNER']],
      )
      assert.deepEqual(await mine([{ query: { case: 'orgQuery', value: { orgId: 'nowhere' } } }]), [])
    })
  })
}
