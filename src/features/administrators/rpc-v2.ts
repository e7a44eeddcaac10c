/**
 * The InternalPermissionService: administrators of the instance, of organizations, projects and project grants.
 */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { changeDateOf } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { memberships } from '../memberships/index.ts'
import { projectsById } from '../projects/index.ts'
import { addMember } from './handlers/add-member.ts'
import { changeMember, removeMember } from './handlers/change-member.ts'
import { administrator, currentMembers, organizationNames, usersBehind } from './messages.ts'
import { administratorFilters, administratorSorting } from './queries.ts'
import { authorizedScope, readableMembers, scopeIfAny } from './resources.ts'

/** The methods of this module in the v2 services. */
export function administratorMethods(app: App): readonly Method[] {
  const { store } = app

  return methods(InternalPermissionService, {
    async listAdministrators({ pagination, sortingColumn, filters }, call) {
      const among = readableMembers(app, call)
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const page = await store.find(memberships, {
        where: { all: [among, ...(await administratorFilters(app, call, filters, among))] },
        orderBy: administratorSorting(sortingColumn),
        offset,
        limit,
        descending,
      })
      const members = currentMembers(page.documents)
      const [behind, names, projects] = await Promise.all([
        usersBehind(app, call, members),
        organizationNames(app, members),
        projectsById(
          app,
          members.flatMap(({ state }) => state.project?.id ?? []),
        ),
      ])
      const nameOf = ({ owner, state }: (typeof members)[number]) =>
        state.project === undefined ? names.get(owner) : projects.get(state.project.id)?.state.name
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        administrators: members.map((member) => administrator(member, behind.get(member.state.userId), nameOf(member))),
      }
    },
    async createAdministrator({ userId, resource, roles }, call) {
      const scope = await authorizedScope(app, call, resource, 'write')
      const { at } = await addMember(app, call, { scope, userId, roles })
      return { creationDate: timestampFromMs(at) }
    },
    async updateAdministrator({ userId, resource, roles }, call) {
      const scope = await authorizedScope(app, call, resource, 'write')
      return { changeDate: changeDateOf(await changeMember(app, call, { scope, userId, roles })) }
    },
    async deleteAdministrator({ userId, resource }, call) {
      const scope = await scopeIfAny(app, call, resource)
      if (scope === undefined) return {}
      const { value } = await removeMember(app, call, scope, userId)
      // Who never was an administrator has no events.
      return value.revision === 0 ? {} : { deletionDate: timestampFromMs(value.changedAt) }
    },
  })
}
