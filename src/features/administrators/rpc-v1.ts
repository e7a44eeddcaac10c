/**
 * The v1 methods for members of the instance and of the organization of the call, and for the caller's own memberships.
 */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MemberFieldColumnName } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { permissionsIn } from '../../access/roles.ts'
import { rolesAt } from '../../kernel/role.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { type MembershipScope, memberships } from '../memberships/index.ts'
import { userOfOrganization } from '../users/index.ts'
import { addMember } from './handlers/add-member.ts'
import { changeMember, removeMember } from './handlers/change-member.ts'
import { listMembers, type MemberList } from './list-members.ts'
import { listMemberships } from './list-memberships.ts'
import { writtenMembership } from './messages.ts'

/** The methods of this module in the v1 services. */
export function memberMethodsV1(app: App): readonly Method[] {
  const { store } = app
  const onInstance = (): MembershipScope => ({ level: 'instance', id: app.instanceId })
  const inOrganization = (call: Call): MembershipScope => ({ level: 'organization', id: call.organizationId })

  const list = (scope: MembershipScope, message: MemberList, call: Call) => listMembers(app, scope, message, call)

  return [
    ...methods(AdminService, {
      async listIAMMemberRoles(_, call) {
        const roles = rolesAt('instance')
        const { sequence } = await store.find(memberships, { limit: 0 })
        return { details: listDetailsV1({ total: roles.length, sequence }, call.at), roles: [...roles] }
      },
      listIAMMembers: (message, call) => list(onInstance(), message, call),
      async addIAMMember({ userId, roles }, call) {
        return { details: writtenMembership(await addMember(app, call, { scope: onInstance(), userId, roles })) }
      },
      async updateIAMMember({ userId, roles }, call) {
        return { details: writtenMembership(await changeMember(app, call, { scope: onInstance(), userId, roles })) }
      },
      async removeIAMMember({ userId }, call) {
        return { details: writtenMembership(await removeMember(app, call, onInstance(), userId)) }
      },
    }),
    ...methods(ManagementService, {
      async listOrgMemberRoles() {
        return { result: [...rolesAt('organization')] }
      },
      listOrgMembers: (message, call) =>
        list(
          inOrganization(call),
          { ...message, sortingColumn: MemberFieldColumnName.MEMBER_FIELD_NAME_UNSPECIFIED },
          call,
        ),
      async addOrgMember({ userId, roles }, call) {
        const scope = inOrganization(call)
        return { details: writtenMembership(await addMember(app, call, { scope, userId, roles })) }
      },
      async updateOrgMember({ userId, roles }, call) {
        const scope = inOrganization(call)
        return { details: writtenMembership(await changeMember(app, call, { scope, userId, roles })) }
      },
      async removeOrgMember({ userId }, call) {
        return { details: writtenMembership(await removeMember(app, call, inOrganization(call), userId)) }
      },
      async listUserMemberships({ userId, ...list }, call) {
        await userOfOrganization(app, call, userId)
        return listMemberships(app, call, list, [
          { field: 'userId', equals: userId },
          { field: 'owner', in: [call.organizationId, app.instanceId] },
        ])
      },
    }),
    ...methods(AuthService, {
      async listMyZitadelPermissions(_, { caller, organizationId }) {
        return { result: [...permissionsIn(caller.grants, organizationId)] }
      },
      listMyMemberships: (list, call) =>
        listMemberships(app, call, list, [{ field: 'userId', equals: call.caller.userId }]),
    }),
  ]
}
