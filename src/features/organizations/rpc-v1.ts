/** The v1 methods for the organization of the call, and for all organizations of the instance. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { nameKey } from '../../kernel/name.ts'
import type { App } from '../../module/app.ts'
import { writtenV1 } from '../../module/details.ts'
import { defaultOrganizationId, importDefaultOrganization } from '../instances/index.ts'
import { findOrganizationByDomain, ORGANIZATION_NAME_CLAIM, requireOrganization } from './documents.ts'
import {
  deactivateOrganization,
  reactivateOrganization,
  removeOrganization,
  renameOrganization,
} from './handlers/change-organization.ts'
import { listOrganizationsV1 } from './list-v1.ts'
import { organizationV1 } from './messages.ts'

async function isNameTaken({ store }: App, name: string): Promise<boolean> {
  return (await store.findClaimHolder(ORGANIZATION_NAME_CLAIM, nameKey(name))) !== undefined
}

async function isDomainTaken(app: App, domain: string): Promise<boolean> {
  return domain !== '' && (await findOrganizationByDomain(app, domain)) !== undefined
}

/** The v1 methods of this module. */
export function organizationMethodsV1(app: App): readonly Method[] {
  return [
    ...methods(ManagementService, {
      async getMyOrg(_, call) {
        return { org: organizationV1(await requireOrganization(app, call.organizationId)) }
      },
      async updateOrg({ name }, call) {
        return { details: writtenV1(await renameOrganization(app, call, call.organizationId, name)) }
      },
      async deactivateOrg(_, call) {
        return { details: writtenV1(await deactivateOrganization(app, call, call.organizationId)) }
      },
      async reactivateOrg(_, call) {
        return { details: writtenV1(await reactivateOrganization(app, call, call.organizationId)) }
      },
      async removeOrg(_, call) {
        return { details: writtenV1(await removeOrganization(app, call, call.organizationId)) }
      },
    }),
    ...methods(AdminService, {
      async getOrgByID({ orgId }) {
        return { org: organizationV1(await requireOrganization(app, orgId)) }
      },
      async isOrgUnique({ name, domain }) {
        const isTaken = (name !== '' && (await isNameTaken(app, name))) || (await isDomainTaken(app, domain))
        return { isUnique: !isTaken }
      },
      listOrgs: (list, call) => listOrganizationsV1(app, call, list, { all: [] }),
      async removeOrg({ orgId }, call) {
        return { details: writtenV1(await removeOrganization(app, call, orgId)) }
      },
      async setDefaultOrg({ orgId }, { origin }) {
        const written = await app.store.write(origin, async (work) => {
          await requireOrganization(app, orgId, work)
          return importDefaultOrganization(app, work, orgId)
        })
        return { details: writtenV1(written) }
      },
      async getDefaultOrg() {
        return { org: organizationV1(await requireOrganization(app, await defaultOrganizationId(app))) }
      },
    }),
  ]
}
