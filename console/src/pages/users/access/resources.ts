/** What administrator roles apply to, as requests name it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Administrator } from '../../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import type { ResourceTypeSchema } from '../../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import type { RoleLevel } from '../../../../../src/kernel/role.ts'

export type Resource = MessageInitShape<typeof ResourceTypeSchema>

/** The resource of an administrator that was listed. */
export function resourceOf({ resource }: Administrator): Resource {
  switch (resource.case) {
    case 'organization':
      return { resource: { case: 'organizationId', value: resource.value.id } }
    case 'project':
      return { resource: { case: 'projectId', value: resource.value.id } }
    case 'projectGrant': {
      const { projectId, grantedOrganizationId: organizationId } = resource.value
      return { resource: { case: 'projectGrant', value: { projectId, organizationId } } }
    }
    default:
      return { resource: { case: 'instance', value: true } }
  }
}

/** The level of roles that apply to a resource. */
export function levelOf({ resource }: Administrator): RoleLevel {
  if (resource.case === 'projectGrant') return 'project_grant'
  return resource.case ?? 'instance'
}
