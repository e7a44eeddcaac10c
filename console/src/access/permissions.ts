/** What the memberships of a user allow, by the same table that the server decides with. */
import { type Permission, ROLE_PERMISSIONS } from '../../../src/access/role-permissions.ts'
import type { RoleLevel } from '../../../src/kernel/role.ts'

export type { Permission }

export interface Membership {
  readonly level: RoleLevel
  /** The organization, project or grant; empty on the instance. */
  readonly id: string
  readonly roles: readonly string[]
}

/** What an object belongs to. Without any of them: the instance. */
export interface Place {
  readonly organizationId?: string | undefined
  readonly projectId?: string | undefined
  readonly grantId?: string | undefined
}

export interface Permissions {
  /** Whether the user may do this to what belongs to the place. */
  can(permission: Permission, place?: Place): boolean
  /** Whether the user may do this anywhere; for navigation and lists. */
  canSomewhere(permission: Permission): boolean
  /** Whether the user holds any role. */
  readonly isAdministrator: boolean
}

function allows({ level, roles }: Membership, permission: Permission): boolean {
  return roles.some((role) => ROLE_PERMISSIONS[level][role]?.includes(permission))
}

function reaches({ level, id }: Membership, { organizationId, projectId, grantId }: Place): boolean {
  if (level === 'instance') return true
  return id === { organization: organizationId, project: projectId, project_grant: grantId }[level]
}

/** The permissions of a user with these memberships. */
export function permissionsOf(memberships: readonly Membership[]): Permissions {
  return {
    can: (permission, place = {}) => memberships.some((one) => reaches(one, place) && allows(one, permission)),
    canSomewhere: (permission) => memberships.some((one) => allows(one, permission)),
    isAdministrator: memberships.length > 0,
  }
}
