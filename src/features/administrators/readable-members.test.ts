import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { TextQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld } from '../../../test/support/world.ts'

const management = ManagementService.method
const { listAdministrators } = InternalPermissionService.method

for (const engine of bothEngines) {
  test(`a member of another organization is shown by id and organization only on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { call, owner, defaultOrganizationId } = world
    const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'Other' }, owner)
    const { request } = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
    const profile = { firstName: 'Victoria', lastName: 'Secret' }
    const email = { email: 'victoria@example.com', verification: { case: 'isVerified', value: true } } as const
    const { userId } = await call(UserService.method.addHumanUser, { username: 'victoria', profile, email }, owner)
    await call(management.addOrgMember, { userId, roles: ['ORG_OWNER_VIEWER'] }, request)

    const { result } = await call(management.listOrgMembers, {}, request)
    const member = result.find((one) => one.userId === userId)
    assert.equal(member?.userResourceOwner, defaultOrganizationId)
    const shown = [member.email, member.firstName, member.lastName, member.displayName, member.preferredLoginName]
    assert.deepEqual(shown, ['', '', '', '', ''])
    const { administrators } = await call(listAdministrators, {}, request)
    const administrator = administrators.find(({ user }) => user?.id === userId)
    assert.deepEqual([administrator?.user?.displayName, administrator?.user?.preferredLoginName], ['', ''])

    // Nor does a search say what their address is.
    const value = { email: 'victoria', method: TextQueryMethod.STARTS_WITH }
    const queries = [{ query: { case: 'emailQuery', value } } as const]
    assert.equal((await call(management.listOrgMembers, { queries }, request)).result.length, 0)
    const there = { ...owner, organizationId }
    assert.equal((await call(management.listOrgMembers, { queries }, there)).result[0]?.email, 'victoria@example.com')
  })
}
