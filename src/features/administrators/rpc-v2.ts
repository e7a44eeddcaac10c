/**
 * The InternalPermissionService: administrators of the instance and of all organizations that the caller can access.
 */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  InternalPermissionService,
  type ResourceType,
} from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import type { App } from '../../access/app.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Filter } from '../../store/index.ts'
import { type MembershipField, type MembershipScope, memberships } from '../memberships/index.ts'
import { addMember } from './handlers/add-member.ts'
import { changeMember, removeMember } from './handlers/change-member.ts'
import { administrator, currentMembers, organizationNames, usersBehind } from './messages.ts'
import { administratorFilters, administratorSorting } from './queries.ts'

/** The methods of this module in the v2 services. */
export function administratorMethods(app: App): readonly Method[] {
  const { store } = app

  /**
   * The scope of the roles. Throws unless the caller has the permission there. The instance has a separate permission.
   */
  const authorizedScope = (
    call: Call,
    resource: ResourceType | undefined,
    verb: 'write' | 'delete',
  ): MembershipScope => {
    const scope: MembershipScope =
      resource?.resource.case === 'organizationId'
        ? { level: 'organization', id: resource.resource.value }
        : { level: 'instance', id: app.instanceId }
    call.authorize(scope.id)
    if (scope.level === 'instance' && !call.may(`iam.member.${verb}`, scope.id)) {
      throw refused(accessRefusals, 'access.forbidden')
    }
    return scope
  }

  const visibleTo = (call: Call): Filter<MembershipField> => {
    const owners = call.visibleOwners()
    const inOrganizations: Filter<MembershipField> =
      owners === 'all' ? { field: 'level', equals: 'organization' } : { field: 'scopeId', in: owners }
    return call.may('iam.member.read', app.instanceId)
      ? { any: [inOrganizations, { field: 'level', equals: 'instance' }] }
      : inOrganizations
  }

  return methods(InternalPermissionService, {
    async listAdministrators({ pagination, sortingColumn, filters }, call) {
      const among = visibleTo(call)
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const page = await store.find(memberships, {
        where: { all: [among, ...(await administratorFilters(app, call, filters, among))] },
        orderBy: administratorSorting(sortingColumn),
        offset,
        limit,
        descending,
      })
      const members = currentMembers(page.documents)
      const [behind, names] = await Promise.all([usersBehind(app, call, members), organizationNames(app, members)])
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        administrators: members.map((member) =>
          administrator(member, behind.get(member.state.userId), names.get(member.owner)),
        ),
      }
    },
    async createAdministrator({ userId, resource, roles }, call) {
      const scope = authorizedScope(call, resource, 'write')
      const { at } = await addMember(app, call, { scope, userId, roles })
      return { creationDate: timestampFromMs(at) }
    },
    async updateAdministrator({ userId, resource, roles }, call) {
      const scope = authorizedScope(call, resource, 'write')
      const { at } = await changeMember(app, call, { scope, userId, roles })
      return { changeDate: timestampFromMs(at) }
    },
    async deleteAdministrator({ userId, resource }, call) {
      const scope = authorizedScope(call, resource, 'delete')
      const { at } = await removeMember(app, call, scope, userId)
      return { deletionDate: timestampFromMs(at) }
    },
  })
}
