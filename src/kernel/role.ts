/** The roles by name, and where each can be given. What they allow is in `access/roles.ts`. */

/** A role is held on the whole instance or in one organization. */
export type RoleLevel = 'instance' | 'organization'

const ROLES = {
  instance: ['IAM_OWNER', 'IAM_OWNER_VIEWER', 'IAM_USER_MANAGER', 'IAM_LOGIN_CLIENT'],
  organization: ['ORG_OWNER', 'ORG_OWNER_VIEWER', 'ORG_USER_MANAGER'],
} as const satisfies Record<RoleLevel, readonly string[]>

/** A role of one level. */
export type RoleAt<Level extends RoleLevel> = (typeof ROLES)[Level][number]

/** The roles that can be given at a level. */
export function rolesAt(level: RoleLevel): readonly string[] {
  return ROLES[level]
}

/** The role that can do everything on the instance; at least one user always holds it. */
export const INSTANCE_OWNER = 'IAM_OWNER' satisfies RoleAt<'instance'>

/** The role that can do everything in an organization. */
export const ORGANIZATION_OWNER = 'ORG_OWNER' satisfies RoleAt<'organization'>
