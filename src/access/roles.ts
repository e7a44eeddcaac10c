/** What a caller may do with the roles that they hold. Uses sets because they are read on every request. */
import { INSTANCE_OWNER, ON_INSTANCE_ITSELF, type RoleLevel } from '../kernel/role.ts'
import type { Grant, Place, ProjectScope, ProjectsInReach, Scope } from './call.ts'
import { type Permission, ROLE_PERMISSIONS } from './role-permissions.ts'

type RoleTable = ReadonlyMap<string, ReadonlySet<string>>

function tableOf(roles: Readonly<Record<string, readonly Permission[]>>): RoleTable {
  return new Map(Object.entries(roles).map(([role, permissions]) => [role, new Set(permissions)]))
}

// A role applies only at its own level: an instance role that is granted in an organization allows nothing there.
const TABLES: Readonly<Record<RoleLevel, RoleTable>> = {
  instance: tableOf(ROLE_PERMISSIONS.instance),
  organization: tableOf(ROLE_PERMISSIONS.organization),
  project: tableOf(ROLE_PERMISSIONS.project),
  project_grant: tableOf(ROLE_PERMISSIONS.project_grant),
}

/** Whether any role has this permission. */
export function isPermission(text: string): boolean {
  return [...TABLES.instance.values()].some((permissions) => permissions.has(text))
}

const ON_INSTANCE: RoleTable = new Map([...TABLES.instance].filter(([role]) => ON_INSTANCE_ITSELF.has(role)))

function levelOf({ scope }: Grant): RoleLevel {
  if (scope === 'instance') return 'instance'
  if ('organizationId' in scope) return 'organization'
  return 'grantId' in scope ? 'project_grant' : 'project'
}

/** Whether a permission changes nothing. */
function isReading(permission: string): boolean {
  return permission.endsWith('.read')
}

/**
 * Whether a role of the grant includes the permission. What ended stays ended at the level that ended it: a role below
 * that level changes nothing, least of all the end itself.
 */
function gives(grant: Grant, permission: string, table = TABLES[levelOf(grant)]): boolean {
  if (grant.isClosed === true && !isReading(permission)) return false
  return grant.roles.some((role) => table.get(role)?.has(permission) === true)
}

/**
 * Whether the grants include `permission` on the instance itself, and therefore in all organizations. A role that applies
 * in every organization is not one on the instance.
 */
export function holdsOnInstance(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => grant.scope === 'instance' && gives(grant, permission, ON_INSTANCE))
}

/** Whether the grants include `permission` in every organization, those that will be created included. */
export function holdsEverywhere(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => grant.scope === 'instance' && gives(grant, permission))
}

/** Whether a role in `scope` is one of those who own a project: on the project, or in the organization it belongs to. */
function isOfOwner(scope: Scope, { projectId, ownerId }: ProjectScope): boolean {
  if (scope === 'instance' || 'grantId' in scope) return false
  return 'organizationId' in scope ? scope.organizationId === ownerId : scope.projectId === projectId
}

/**
 * Whether a role in `scope` applies to what belongs to `place`. What the granted organization does with a project is its
 * own business: those who granted it can read it, and take the grant away.
 */
function reaches(scope: Scope, place: Place, permission: string): boolean {
  if (scope === 'instance') return true
  if (typeof place === 'string') return 'organizationId' in scope && scope.organizationId === place
  if (!('grantId' in place)) return isOfOwner(scope, place)
  if (isReading(permission) && isOfOwner(scope, place)) return true
  if (place.isClosed === true && !isReading(permission)) return false
  return 'organizationId' in scope
    ? scope.organizationId === place.grantedId
    : 'grantId' in scope && scope.grantId === place.grantId
}

/**
 * Whether the grants include `permission` in an organization or for a project or its grant: by a role on it, in the
 * organization it belongs to, or on the instance.
 */
export function holdsIn(grants: readonly Grant[], permission: string, place: Place): boolean {
  return grants.some((grant) => reaches(grant.scope, place, permission) && gives(grant, permission))
}

/** Whether the grants include `permission` anywhere. */
export function holdsSomewhere(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => gives(grant, permission))
}

/**
 * Returns the organizations in which the grants include `permission`, or 'all' when they include it in every one.
 */
export function ownersWith(grants: readonly Grant[], permission: string): 'all' | readonly string[] {
  if (holdsEverywhere(grants, permission)) return 'all'
  const owners = new Set<string>()
  for (const grant of grants) {
    const { scope } = grant
    if (scope === 'instance' || !('organizationId' in scope)) continue
    if (gives(grant, permission)) owners.add(scope.organizationId)
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
    const permissions = grant.roles.flatMap((role) => [...(table.get(role) ?? [])])
    for (const permission of permissions) if (gives(grant, permission)) found.add(permission + suffix)
  }
  return [...found].sort()
}

/** The projects and grants of projects for which a role on them includes `permission`. */
export function projectsWith(grants: readonly Grant[], permission: string): ProjectsInReach {
  const projectIds = new Set<string>()
  const grantIds = new Set<string>()
  for (const grant of grants) {
    const { scope } = grant
    if (scope === 'instance' || 'organizationId' in scope || !gives(grant, permission)) continue
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
      if (scope === 'instance') {
        const holds = ON_INSTANCE.has(role) ? holdsOnInstance : holdsEverywhere
        return [...permissions].every((permission) => holds(own, permission))
      }
      const place = 'organizationId' in scope ? scope.organizationId : scope
      return [...permissions].every((permission) => holdsIn(own, permission, place))
    }),
  )
}
