/** The roles by name, and where each can be given. What they allow is in `access/role-permissions.ts`. */

/** A role is held on the whole instance, in one organization, on one project, or on one grant of a project. */
export type RoleLevel = 'instance' | 'organization' | 'project' | 'project_grant'

/**
 * The roles that are held on the whole instance, and their scope. Those of `everyOrganization` apply to what organizations
 * own, now and later, and not to what belongs to the instance itself: its settings, its owners, the project of our API.
 */
const INSTANCE_ROLES = {
  IAM_OWNER: 'instance',
  IAM_OWNER_VIEWER: 'instance',
  IAM_ORG_MANAGER: 'everyOrganization',
  IAM_USER_MANAGER: 'everyOrganization',
  IAM_LOGIN_CLIENT: 'instance',
  IAM_ADMIN_IMPERSONATOR: 'instance',
  IAM_END_USER_IMPERSONATOR: 'everyOrganization',
  IAM_SIGNAL_RECEIVER: 'instance',
} as const

const ROLES = {
  instance: Object.keys(INSTANCE_ROLES) as readonly (keyof typeof INSTANCE_ROLES)[],
  organization: [
    'ORG_OWNER',
    'ORG_OWNER_VIEWER',
    'ORG_USER_MANAGER',
    'ORG_USER_PERMISSION_EDITOR',
    'ORG_PROJECT_PERMISSION_EDITOR',
    'ORG_PROJECT_CREATOR',
    'ORG_DIRECTORY_SYNC',
    'ORG_SIGNAL_RECEIVER',
    'ORG_ADMIN_IMPERSONATOR',
    'ORG_END_USER_IMPERSONATOR',
    'ORG_SETTINGS_MANAGER',
    'ORG_DYNAMIC_CLIENT_REGISTRAR',
    'ORG_USER_SELF_MANAGER',
    'SELF_MANAGEMENT_GLOBAL',
  ],
  project: ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER', 'PROJECT_OWNER_GLOBAL', 'PROJECT_OWNER_VIEWER_GLOBAL'],
  project_grant: ['PROJECT_GRANT_OWNER', 'PROJECT_GRANT_OWNER_VIEWER'],
} as const satisfies Record<RoleLevel, readonly string[]>

/** The roles of the instance that apply to the instance itself. */
export const ON_INSTANCE_ITSELF: ReadonlySet<string> = new Set(
  ROLES.instance.filter((role) => INSTANCE_ROLES[role] === 'instance'),
)

/** How far an application reaches in our API: nowhere, in its project, in the organization of that, or everywhere. */
export type ApiAccess = 'none' | Exclude<RoleLevel, 'project_grant'>

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

/** The role that can do everything on a project. */
export const PROJECT_OWNER = 'PROJECT_OWNER' satisfies RoleAt<'project'>
