/** To whom a provider belongs, and the service that changes it. */
import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { IDPOwnerType, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useTargetOrganization } from '../../access/organization.tsx'
import { SPECS, type Template } from './templates.ts'

/** The whole instance, or one organization. */
export type Owner = 'instance' | 'organization'

/** The owner of a provider. */
export function ownerOf({ owner }: Provider): Owner {
  return owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM ? 'instance' : 'organization'
}

/** What is read again after a provider was changed. */
export const PROVIDER_READS = [
  ManagementService.method.listProviders,
  ManagementService.method.getProviderByID,
  ManagementService.method.listLoginPolicyIDPs,
  AdminService.method.listLoginPolicyIDPs,
] as const

/**
 * The method that adds or updates a provider of a kind. Both services have them under the same names, and their
 * messages have the same fields; each takes those that it knows.
 */
export function methodFor(
  owner: Owner,
  verb: 'add' | 'update',
  template: Template,
): DescMethodUnary<DescMessage, DescMessage> {
  const { method } = owner === 'instance' ? AdminService : ManagementService
  const name = `${verb}${SPECS[template].method}`
  return (method as unknown as Record<string, DescMethodUnary<DescMessage, DescMessage>>)[name] as DescMethodUnary<
    DescMessage,
    DescMessage
  >
}

/** What the user may do with the providers of an owner. */
export function useProviderPermissions() {
  const { can } = usePermissions()
  const organizationId = useTargetOrganization()
  return {
    mayWrite: (owner: Owner) =>
      owner === 'instance' ? can('iam.idp.write') : can('org.idp.write', { organizationId }),
    mayOffer: (owner: Owner) =>
      owner === 'instance' ? can('iam.policy.write') : can('policy.write', { organizationId }),
  }
}
