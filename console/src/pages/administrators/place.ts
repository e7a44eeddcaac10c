/** Where an administrator holds roles: on the instance, in an organization, on a project or on a project grant. */
import type { Administrator } from '../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import type { RoleLevel } from '../../../../src/kernel/role.ts'
import type { Permission } from '../../access/permissions.ts'

export type MemberPlace =
  | { readonly level: 'instance' }
  | { readonly level: 'organization'; readonly id: string }
  | { readonly level: 'project'; readonly id: string }
  | { readonly level: 'project_grant'; readonly id: string; readonly grantedTo: string }

export const INSTANCE: MemberPlace = { level: 'instance' }

const SEPARATOR = '~'

/** The place in the path of a page. */
export function placeParam(place: MemberPlace): string {
  if (place.level === 'instance') return 'instance'
  const parts = place.level === 'project_grant' ? [place.id, place.grantedTo] : [place.id]
  return [place.level, ...parts].join(SEPARATOR)
}

/** Reads it back; what cannot be read is the instance. */
export function placeFrom(param: string): MemberPlace {
  const [level, id = '', grantedTo = ''] = param.split(SEPARATOR)
  if (level === 'organization' || level === 'project') return { level, id }
  return level === 'project_grant' ? { level, id, grantedTo } : INSTANCE
}

/** The place in requests. */
export function resourceAt(place: MemberPlace) {
  switch (place.level) {
    case 'instance':
      return { resource: { case: 'instance', value: true } } as const
    case 'organization':
      return { resource: { case: 'organizationId', value: place.id } } as const
    case 'project':
      return { resource: { case: 'projectId', value: place.id } } as const
    case 'project_grant':
      return {
        resource: { case: 'projectGrant', value: { projectId: place.id, organizationId: place.grantedTo } },
      } as const
  }
}

/** The place of an answer. */
export function placeOf({ resource }: Administrator): MemberPlace {
  switch (resource.case) {
    case 'organization':
      return { level: 'organization', id: resource.value.id }
    case 'project':
      return { level: 'project', id: resource.value.id }
    case 'projectGrant':
      return {
        level: 'project_grant',
        id: resource.value.projectId,
        grantedTo: resource.value.grantedOrganizationId,
      }
    default:
      return INSTANCE
  }
}

/** The name of the organization or project. */
export function placeName({ resource }: Administrator): string {
  if (resource.case === 'organization' || resource.case === 'project') return resource.value.name || resource.value.id
  return resource.case === 'projectGrant' ? resource.value.projectName : ''
}

/** The organization that the place belongs to, where the answer names it. */
export function ownerOf({ resource }: Administrator): string | undefined {
  if (resource.case === 'organization') return resource.value.id
  return resource.case === 'project' || resource.case === 'projectGrant' ? resource.value.organizationId : undefined
}

const AREAS = {
  instance: 'iam.member',
  organization: 'org.member',
  project: 'project.member',
  project_grant: 'project.grant.member',
} as const satisfies Record<RoleLevel, string>

/** The permission that members at a level need. */
export function memberPermission(level: RoleLevel, verb: 'read' | 'write' | 'delete'): Permission {
  return `${AREAS[level]}.${verb}`
}

/** The list that the members of a place are in. */
export function parentPath(place: MemberPlace): string {
  if (place.level === 'instance') return '/administrators'
  return place.level === 'organization' ? `/organizations/${place.id}` : `/projects/${place.id}`
}
