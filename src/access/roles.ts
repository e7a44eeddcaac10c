/** The permissions of each role. Uses sets because they are read on every request. */
import { INSTANCE_OWNER, type RoleAt, type RoleLevel } from '../kernel/role.ts'
import type { Grant, Place, ProjectsInReach, Scope } from './call.ts'

// biome-ignore format: read by area, one line each
const INSTANCE_ROLE_PERMISSIONS = {
  IAM_OWNER: [
    'iam.read', 'iam.write',
    'iam.member.read', 'iam.member.write', 'iam.member.delete',
    'iam.idp.read', 'iam.idp.write', 'iam.idp.delete',
    'iam.policy.read', 'iam.policy.write', 'iam.policy.delete',
    'iam.web_key.read', 'iam.web_key.write', 'iam.web_key.delete',
    'iam.feature.write', 'iam.feature.delete',
    'org.read', 'org.create', 'org.write', 'org.delete',
    'org.member.read', 'org.member.write', 'org.member.delete',
    'org.idp.read', 'org.idp.write', 'org.idp.delete',
    'policy.read', 'policy.write', 'policy.delete',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'user.credential.write', 'user.passkey.write',
    'session.read', 'session.write', 'session.delete',
    'events.read',
    'project.read', 'project.create', 'project.write', 'project.delete',
    'project.role.read', 'project.role.write', 'project.role.delete',
    'project.app.read', 'project.app.write', 'project.app.delete',
    'project.member.read', 'project.member.write', 'project.member.delete',
    'project.grant.read', 'project.grant.write', 'project.grant.delete',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
    'impersonation', 'impersonation.admin',
  ],
  IAM_OWNER_VIEWER: [
    'iam.read', 'iam.member.read', 'iam.idp.read', 'iam.policy.read', 'iam.web_key.read',
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
    'session.read', 'events.read',
    'project.read', 'project.role.read', 'project.app.read', 'project.member.read', 'project.grant.read',
    'project.grant.member.read', 'user.grant.read',
  ],
  IAM_USER_MANAGER: [
    'org.read', 'org.member.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete', 'user.passkey.write',
    'session.read', 'session.delete',
    'project.read', 'project.role.read', 'project.app.read',
    'project.grant.read', 'project.grant.write', 'project.grant.delete', 'project.grant.member.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  /** For a custom login page: it signs users in and registers them. It alone answers applications (`session.link`). */
  IAM_LOGIN_CLIENT: [
    'iam.read', 'iam.policy.read', 'iam.member.read', 'iam.member.write', 'iam.idp.read',
    'org.read', 'org.member.read', 'org.member.write', 'org.idp.read', 'policy.read',
    'user.read', 'user.membership.read', 'user.write', 'user.credential.write', 'user.passkey.write',
    'session.read', 'session.write', 'session.link', 'session.delete',
    'project.read', 'project.role.read', 'project.app.read', 'project.grant.read',
    'user.grant.read', 'user.grant.write',
  ],
  /** Gets tokens of users through token exchange, also of administrators. */
  IAM_ADMIN_IMPERSONATOR: ['impersonation', 'impersonation.admin'],
  /** Gets tokens of users without roles through token exchange. */
  IAM_END_USER_IMPERSONATOR: ['impersonation'],
} as const satisfies Record<RoleAt<'instance'>, readonly string[]>

// biome-ignore format: read by area, one line each
const ORGANIZATION_ROLE_PERMISSIONS = {
  ORG_OWNER: [
    'org.read', 'org.write', 'org.delete',
    'org.member.read', 'org.member.write', 'org.member.delete',
    'org.idp.read', 'org.idp.write', 'org.idp.delete',
    'policy.read', 'policy.write', 'policy.delete',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'user.credential.write', 'user.passkey.write',
    'session.read', 'session.delete',
    'project.read', 'project.create', 'project.write', 'project.delete',
    'project.role.read', 'project.role.write', 'project.role.delete',
    'project.app.read', 'project.app.write', 'project.app.delete',
    'project.member.read', 'project.member.write', 'project.member.delete',
    'project.grant.read', 'project.grant.write', 'project.grant.delete',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
    'impersonation', 'impersonation.admin',
  ],
  ORG_OWNER_VIEWER: [
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
    'project.read', 'project.role.read', 'project.app.read', 'project.member.read', 'project.grant.read',
    'project.grant.member.read', 'user.grant.read',
  ],
  ORG_USER_MANAGER: [
    'org.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'session.read', 'session.delete',
    'project.read', 'project.role.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  ORG_USER_PERMISSION_EDITOR: [
    'org.read', 'org.member.read', 'user.read', 'user.global.read',
    'project.read', 'project.role.read', 'project.app.read', 'project.grant.read', 'project.grant.member.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  ORG_PROJECT_PERMISSION_EDITOR: [
    'org.read', 'org.member.read', 'user.read', 'user.global.read',
    'project.read', 'project.role.read', 'project.app.read',
    'project.grant.read', 'project.grant.write', 'project.grant.delete', 'project.grant.member.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  /** Creates projects, and becomes the owner of those it creates. */
  ORG_PROJECT_CREATOR: ['org.read', 'user.read', 'user.global.read', 'project.create'],
  ORG_ADMIN_IMPERSONATOR: ['impersonation', 'impersonation.admin'],
  ORG_END_USER_IMPERSONATOR: ['impersonation'],
} as const satisfies Record<RoleAt<'organization'>, readonly Permission[]>

// biome-ignore format: read by area, one line each
const PROJECT_OWNER_PERMISSIONS = [
    'project.read', 'project.write', 'project.delete',
    'project.role.read', 'project.role.write', 'project.role.delete',
    'project.app.read', 'project.app.write', 'project.app.delete',
    'project.member.read', 'project.member.write', 'project.member.delete',
    'project.grant.read', 'project.grant.write', 'project.grant.delete',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
] as const satisfies readonly Permission[]

// biome-ignore format: read by area, one line each
const PROJECT_VIEWER_PERMISSIONS = [
    'project.read', 'project.role.read', 'project.app.read', 'project.member.read', 'project.grant.read',
    'project.grant.member.read', 'user.grant.read',
] as const satisfies readonly Permission[]

const PROJECT_ROLE_PERMISSIONS = {
  PROJECT_OWNER: PROJECT_OWNER_PERMISSIONS,
  PROJECT_OWNER_VIEWER: PROJECT_VIEWER_PERMISSIONS,
  PROJECT_OWNER_GLOBAL: PROJECT_OWNER_PERMISSIONS,
  PROJECT_OWNER_VIEWER_GLOBAL: PROJECT_VIEWER_PERMISSIONS,
} as const satisfies Record<RoleAt<'project'>, readonly Permission[]>

// biome-ignore format: read by area, one line each
const PROJECT_GRANT_ROLE_PERMISSIONS = {
  PROJECT_GRANT_OWNER: [
    'project.read', 'project.role.read', 'project.grant.read',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  PROJECT_GRANT_OWNER_VIEWER: [
    'project.read', 'project.role.read', 'project.grant.read', 'project.grant.member.read', 'user.grant.read',
  ],
} as const satisfies Record<RoleAt<'project_grant'>, readonly Permission[]>

/** All permissions. The owner of the instance has all of them but those of a login client alone. */
export type Permission = (typeof INSTANCE_ROLE_PERMISSIONS)['IAM_OWNER' | 'IAM_LOGIN_CLIENT'][number]

type RoleTable = ReadonlyMap<string, ReadonlySet<string>>

function tableOf(roles: Readonly<Record<string, readonly Permission[]>>): RoleTable {
  return new Map(Object.entries(roles).map(([role, permissions]) => [role, new Set(permissions)]))
}

// A role applies only at its own level: an instance role that is granted in an organization allows nothing there.
const TABLES: Readonly<Record<RoleLevel, RoleTable>> = {
  instance: tableOf(INSTANCE_ROLE_PERMISSIONS),
  organization: tableOf(ORGANIZATION_ROLE_PERMISSIONS),
  project: tableOf(PROJECT_ROLE_PERMISSIONS),
  project_grant: tableOf(PROJECT_GRANT_ROLE_PERMISSIONS),
}

/** Whether any role has this permission. */
export function isPermission(text: string): boolean {
  return [...TABLES.instance.values()].some((permissions) => permissions.has(text))
}

function levelOf({ scope }: Grant): RoleLevel {
  if (scope === 'instance') return 'instance'
  if ('organizationId' in scope) return 'organization'
  return 'grantId' in scope ? 'project_grant' : 'project'
}

function gives(grant: Grant, permission: string): boolean {
  const table = TABLES[levelOf(grant)]
  return grant.roles.some((role) => table.get(role)?.has(permission) === true)
}

/** Whether the grants include `permission` on the instance, and therefore in all organizations. */
export function holdsOnInstance(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => grant.scope === 'instance' && gives(grant, permission))
}

/** Whether a role in `scope` applies to what belongs to `place`. */
function reaches(scope: Scope, place: Place): boolean {
  if (scope === 'instance') return true
  if (typeof place === 'string') return 'organizationId' in scope && scope.organizationId === place
  if ('organizationId' in scope) {
    return scope.organizationId === place.ownerId || ('grantId' in place && scope.organizationId === place.grantedId)
  }
  if ('grantId' in scope) return 'grantId' in place && scope.grantId === place.grantId
  return scope.projectId === place.projectId
}

/**
 * Whether the grants include `permission` in an organization or for a project or its grant: by a role on it, in the
 * organization it belongs to, or on the instance.
 */
export function holdsIn(grants: readonly Grant[], permission: string, place: Place): boolean {
  return grants.some((grant) => reaches(grant.scope, place) && gives(grant, permission))
}

/** Whether the grants include `permission` anywhere. */
export function holdsSomewhere(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => gives(grant, permission))
}

/**
 * Returns the organizations in which the grants include `permission`, or 'all' when they include it on the instance.
 */
export function ownersWith(grants: readonly Grant[], permission: string): 'all' | readonly string[] {
  if (holdsOnInstance(grants, permission)) return 'all'
  const owners = new Set<string>()
  for (const { scope, roles } of grants) {
    if (scope === 'instance' || !('organizationId' in scope)) continue
    if (gives({ scope, roles }, permission)) owners.add(scope.organizationId)
  }
  return [...owners]
}

/** What follows a permission of this scope in a list for an organization; undefined when it does not apply there. */
function suffixIn(scope: Scope, organizationId: string): string | undefined {
  if (scope === 'instance') return ''
  if ('organizationId' in scope) return scope.organizationId === organizationId ? '' : undefined
  if ('grantId' in scope) return scope.grantedId === organizationId ? `:${scope.grantId}` : undefined
  return scope.ownerId === organizationId ? `:${scope.projectId}` : undefined
}

/**
 * All permissions of the grants in an organization, sorted. Those on one project or grant of it only are followed by a
 * colon and its ID.
 */
export function permissionsIn(grants: readonly Grant[], organizationId: string): readonly string[] {
  const found = new Set<string>()
  for (const grant of grants) {
    const suffix = suffixIn(grant.scope, organizationId)
    if (suffix === undefined) continue
    const table = TABLES[levelOf(grant)]
    for (const role of grant.roles) for (const permission of table.get(role) ?? []) found.add(permission + suffix)
  }
  return [...found].sort()
}

/** The projects and grants of projects for which a role on them includes `permission`. */
export function projectsWith(grants: readonly Grant[], permission: string): ProjectsInReach {
  const projectIds = new Set<string>()
  const grantIds = new Set<string>()
  for (const { scope, roles } of grants) {
    if (scope === 'instance' || 'organizationId' in scope || !gives({ scope, roles }, permission)) continue
    if ('grantId' in scope) grantIds.add(scope.grantId)
    else projectIds.add(scope.projectId)
  }
  return { projectIds: [...projectIds], grantIds: [...grantIds] }
}

/**
 * Whether the grants of `own` include all permissions of `others`, at the same places. Callers who grant, change or
 * revoke roles, or who obtain a credential of another user, must have all permissions of that user. Otherwise they
 * would gain permissions.
 */
export function covers(own: readonly Grant[], others: readonly Grant[]): boolean {
  // An owner can give themself any other role.
  if (own.some(({ scope, roles }) => scope === 'instance' && roles.includes(INSTANCE_OWNER))) return true
  return others.every((other) =>
    other.roles.every((role) => {
      const permissions = TABLES[levelOf(other)].get(role)
      if (permissions === undefined) return true
      const { scope } = other
      if (scope === 'instance') return [...permissions].every((permission) => holdsOnInstance(own, permission))
      const place = 'organizationId' in scope ? scope.organizationId : scope
      return [...permissions].every((permission) => holdsIn(own, permission, place))
    }),
  )
}
