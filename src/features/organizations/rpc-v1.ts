/** The parts of the v1 services that are about organizations: the one of the call, and the default one. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { writtenV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { instances } from '../instances/index.ts'
import {
  addOrganization,
  deactivateOrganization,
  reactivateOrganization,
  removeOrganization,
  renameOrganization,
} from './changes.ts'
import { organizations } from './documents.ts'
import { livingOrganization, organizationV1 } from './messages.ts'
import type { OrganizationsNeeds } from './needs.ts'

export function organizationMethodsV1(needs: OrganizationsNeeds): readonly Method[] {
  return [
    ...methods(ManagementService, {
      async getMyOrg(_, call) {
        return { org: organizationV1(livingOrganization(await needs.store.get(organizations, call.organizationId))) }
      },
      async addOrg({ name }, call) {
        const written = await addOrganization(needs, call, { name })
        const { organization } = written.value
        return { id: organization.id, details: writtenV1({ ...written, value: organization }) }
      },
      async updateOrg({ name }, call) {
        return { details: writtenV1(await renameOrganization(needs, call, call.organizationId, name)) }
      },
      async deactivateOrg(_, call) {
        return { details: writtenV1(await deactivateOrganization(needs, call, call.organizationId)) }
      },
      async reactivateOrg(_, call) {
        return { details: writtenV1(await reactivateOrganization(needs, call, call.organizationId)) }
      },
      async removeOrg(_, call) {
        return { details: writtenV1(await removeOrganization(needs, call, call.organizationId)) }
      },
    }),
    ...methods(AdminService, {
      async getDefaultOrg() {
        const instance = await needs.store.get(instances, needs.instanceId)
        const id = instance?.state.status === 'running' ? instance.state.defaultOrganizationId : ''
        return { org: organizationV1(livingOrganization(await needs.store.get(organizations, id))) }
      },
    }),
  ]
}
