/** The v1 methods for members of projects and of project grants. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { MemberFieldColumnName } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { type RoleLevel, rolesAt } from '../../kernel/role.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { type MembershipScope, memberships } from '../memberships/index.ts'
import { grantForCaller, placeOf, placeOfGrant, projectForCaller } from '../projects/index.ts'
import { addMember } from './handlers/add-member.ts'
import { changeMember, removeMember } from './handlers/change-member.ts'
import { listMembers } from './list-members.ts'
import { writtenMembership } from './messages.ts'

const UNSORTED = { sortingColumn: MemberFieldColumnName.MEMBER_FIELD_NAME_UNSPECIFIED } as const

/** The methods of this module for projects. */
export function projectMemberMethodsV1(app: App): readonly Method[] {
  const onProject = async (call: Call, projectId: string): Promise<MembershipScope> => {
    const project = await projectForCaller(app, call, projectId)
    return { level: 'project', id: projectId, place: placeOf(project) }
  }
  const onGrant = async (call: Call, projectId: string, grantId: string): Promise<MembershipScope> => {
    const grant = await grantForCaller(app, call, projectId, grantId)
    return { level: 'project_grant', id: grantId, place: await placeOfGrant(app, grant) }
  }
  const listRoles = async (call: Call, level: RoleLevel) => {
    // Every caller who holds the permission anywhere can read the names of the roles.
    call.visibleOwners()
    const roles = rolesAt(level)
    const { sequence } = await app.store.find(memberships, { limit: 0 })
    return { details: listDetailsV1({ total: roles.length, sequence }, call.at), result: [...roles] }
  }

  return methods(ManagementService, {
    listProjectMemberRoles: (_, call) => listRoles(call, 'project'),
    async listProjectMembers({ projectId, query, queries }, call) {
      return listMembers(app, await onProject(call, projectId), { query, queries, ...UNSORTED }, call)
    },
    async addProjectMember({ projectId, userId, roles }, call) {
      const scope = await onProject(call, projectId)
      return { details: writtenMembership(await addMember(app, call, { scope, userId, roles })) }
    },
    async updateProjectMember({ projectId, userId, roles }, call) {
      const scope = await onProject(call, projectId)
      return { details: writtenMembership(await changeMember(app, call, { scope, userId, roles })) }
    },
    async removeProjectMember({ projectId, userId }, call) {
      return { details: writtenMembership(await removeMember(app, call, await onProject(call, projectId), userId)) }
    },
    listProjectGrantMemberRoles: (_, call) => listRoles(call, 'project_grant'),
    async listProjectGrantMembers({ projectId, grantId, query, queries }, call) {
      return listMembers(app, await onGrant(call, projectId, grantId), { query, queries, ...UNSORTED }, call)
    },
    async addProjectGrantMember({ projectId, grantId, userId, roles }, call) {
      const scope = await onGrant(call, projectId, grantId)
      return { details: writtenMembership(await addMember(app, call, { scope, userId, roles })) }
    },
    async updateProjectGrantMember({ projectId, grantId, userId, roles }, call) {
      const scope = await onGrant(call, projectId, grantId)
      return { details: writtenMembership(await changeMember(app, call, { scope, userId, roles })) }
    },
    async removeProjectGrantMember({ projectId, grantId, userId }, call) {
      const scope = await onGrant(call, projectId, grantId)
      return { details: writtenMembership(await removeMember(app, call, scope, userId)) }
    },
  })
}
