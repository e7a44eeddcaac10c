/** The OrganizationService: organizations that the caller can access. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { changeDateOf, listDetailsV2 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Filter } from '../../store/index.ts'
import { defaultOrganizationId } from '../instances/index.ts'
import { hasExisted, livingOrganization, type OrganizationField, organizations } from './documents.ts'
import {
  deactivateOrganization,
  reactivateOrganization,
  removeOrganization,
  renameOrganization,
} from './handlers/change-organization.ts'
import { organizationV2 } from './messages.ts'
import { filterOf, sortingOf } from './queries.ts'

/** The methods of the OrganizationService, except those for domains. */
export function organizationMethodsV2(app: App): readonly Method[] {
  return methods(OrganizationService, {
    async updateOrganization({ organizationId, name }, call) {
      call.authorize(organizationId)
      return { changeDate: changeDateOf(await renameOrganization(app, call, organizationId, name)) }
    },
    async listOrganizations({ query, queries, sortingColumn }, call) {
      const visible = call.visibleOwners()
      const asksForDefault = queries.some(({ query }) => query.case === 'defaultQuery')
      const defaultId = asksForDefault ? await defaultOrganizationId(app) : ''
      const filters: Filter<OrganizationField>[] = queries.map((one) => filterOf(one, defaultId))
      if (visible !== 'all') filters.push({ field: 'id', in: visible })
      const page = await app.store.find(organizations, {
        where: { all: filters },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return {
        details: listDetailsV2(page, call.at),
        sortingColumn,
        result: page.documents.map((document) => organizationV2(livingOrganization(document))),
      }
    },
    async deleteOrganization({ organizationId }, call) {
      call.authorize(organizationId)
      if (!(await hasExisted(app, organizationId))) return {}
      const { value } = await removeOrganization(app, call, organizationId)
      return { deletionDate: timestampFromMs(value.changedAt) }
    },
    async deactivateOrganization({ organizationId }, call) {
      call.authorize(organizationId)
      const { at } = await deactivateOrganization(app, call, organizationId)
      return { changeDate: timestampFromMs(at) }
    },
    async activateOrganization({ organizationId }, call) {
      call.authorize(organizationId)
      const { at } = await reactivateOrganization(app, call, organizationId)
      return { changeDate: timestampFromMs(at) }
    },
  })
}
