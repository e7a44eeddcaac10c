/** The OrganizationService: organizations that the caller may reach. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { detailsV2, listDetailsV2 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import type { Filter } from '../../store/index.ts'
import { instances } from '../instances/index.ts'
import {
  addOrganization,
  deactivateOrganization,
  reactivateOrganization,
  removeOrganization,
  renameOrganization,
} from './changes.ts'
import { type OrganizationField, organizations } from './documents.ts'
import { domainMethods } from './domain-rpc.ts'
import { livingOrganization, organizationV2 } from './messages.ts'
import type { OrganizationsNeeds } from './needs.ts'
import { filterOf, sortingOf } from './queries.ts'

export function organizationMethodsV2(needs: OrganizationsNeeds): readonly Method[] {
  const defaultOrganizationId = async (): Promise<string> => {
    const instance = await needs.store.get(instances, needs.instanceId)
    return instance?.state.status === 'running' ? instance.state.defaultOrganizationId : ''
  }

  return [
    ...methods(OrganizationService, {
      async addOrganization({ name, organizationId, admins }, call) {
        call.authorize(needs.instanceId)
        const administrators = admins.map(({ userType, roles }) =>
          userType.case === 'human' ? { human: userType.value, roles } : { userId: userType.value ?? '', roles },
        )
        const { value, sequence } = await addOrganization(needs, call, { name, id: organizationId, administrators })
        const { organization, created } = value
        return {
          details: detailsV2(organization, sequence),
          organizationId: organization.id,
          createdAdmins: created.map(({ userId, emailCode, phoneCode }) => ({
            userId,
            ...(emailCode !== undefined && { emailCode }),
            ...(phoneCode !== undefined && { phoneCode }),
          })),
        }
      },
      async updateOrganization({ organizationId, name }, call) {
        call.authorize(organizationId)
        const { value } = await renameOrganization(needs, call, organizationId, name)
        return { changeDate: timestampFromMs(value.changedAt) }
      },
      async listOrganizations({ query, queries, sortingColumn }, call) {
        const visible = call.visibleOwners()
        const asksForDefault = queries.some(({ query }) => query.case === 'defaultQuery')
        const defaultId = asksForDefault ? await defaultOrganizationId() : ''
        const filters: Filter<OrganizationField>[] = queries.map((one) => filterOf(one, defaultId))
        if (visible !== 'all') filters.push({ field: 'id', in: visible })
        const page = await needs.store.find(organizations, {
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
        const { at } = await removeOrganization(needs, call, organizationId)
        return { deletionDate: timestampFromMs(at) }
      },
      async deactivateOrganization({ organizationId }, call) {
        call.authorize(organizationId)
        const { at } = await deactivateOrganization(needs, call, organizationId)
        return { changeDate: timestampFromMs(at) }
      },
      async activateOrganization({ organizationId }, call) {
        call.authorize(organizationId)
        const { at } = await reactivateOrganization(needs, call, organizationId)
        return { changeDate: timestampFromMs(at) }
      },
    }),
    ...domainMethods(needs),
  ]
}
