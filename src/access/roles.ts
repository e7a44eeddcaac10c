/** The permissions of each role. Uses sets because they are read on every request. */
import { INSTANCE_OWNER, type RoleAt, type RoleLevel } from '../kernel/role.ts'
import type { Grant } from './call.ts'

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
    'session.read', 'session.write', 'session.link', 'session.delete',
    'events.read',
  ],
  IAM_OWNER_VIEWER: [
    'iam.read', 'iam.member.read', 'iam.idp.read', 'iam.policy.read', 'iam.web_key.read',
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
    'session.read', 'events.read',
  ],
  IAM_USER_MANAGER: [
    'org.read', 'org.member.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete', 'user.passkey.write',
    'session.read', 'session.delete',
  ],
  /** For a custom login page: it signs users in and registers them. */
  IAM_LOGIN_CLIENT: [
    'iam.read', 'iam.policy.read', 'iam.member.read', 'iam.member.write', 'iam.idp.read',
    'org.read', 'org.member.read', 'org.member.write', 'org.idp.read', 'policy.read',
    'user.read', 'user.membership.read', 'user.write', 'user.credential.write', 'user.passkey.write',
    'session.read', 'session.write', 'session.link', 'session.delete',
  ],
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
  ],
  ORG_OWNER_VIEWER: [
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
  ],
  ORG_USER_MANAGER: [
    'org.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'session.read', 'session.delete',
  ],
} as const satisfies Record<RoleAt<'organization'>, readonly Permission[]>

/** All permissions. The owner of the instance has all of them. */
export type Permission = (typeof INSTANCE_ROLE_PERMISSIONS)['IAM_OWNER'][number]

type RoleTable = ReadonlyMap<string, ReadonlySet<string>>

function tableOf(roles: Readonly<Record<string, readonly Permission[]>>): RoleTable {
  return new Map(Object.entries(roles).map(([role, permissions]) => [role, new Set(permissions)]))
}

// A role applies only at its own level: an instance role that is granted in an organization allows nothing there.
const TABLES: Readonly<Record<RoleLevel, RoleTable>> = {
  instance: tableOf(INSTANCE_ROLE_PERMISSIONS),
  organization: tableOf(ORGANIZATION_ROLE_PERMISSIONS),
}

/** Whether any role has this permission. */
export function isPermission(text: string): boolean {
  return TABLES.instance.get(INSTANCE_OWNER)?.has(text) ?? false
}

function levelOf({ scope }: Grant): RoleLevel {
  return scope === 'instance' ? 'instance' : 'organization'
}

function gives(grant: Grant, permission: string): boolean {
  const table = TABLES[levelOf(grant)]
  return grant.roles.some((role) => table.get(role)?.has(permission) === true)
}

/** Whether the grants include `permission` on the instance, and therefore in all organizations. */
export function holdsOnInstance(grants: readonly Grant[], permission: string): boolean {
  return grants.some((grant) => grant.scope === 'instance' && gives(grant, permission))
}

/** Whether the grants include `permission` in an organization, by a role in it or on the instance. */
export function holdsIn(grants: readonly Grant[], permission: string, organizationId: string): boolean {
  return grants.some(
    (grant) =>
      (grant.scope === 'instance' || grant.scope.organizationId === organizationId) && gives(grant, permission),
  )
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
  for (const grant of grants) {
    if (grant.scope !== 'instance' && gives(grant, permission)) owners.add(grant.scope.organizationId)
  }
  return [...owners]
}

/**
 * Whether the grants of `own` include all permissions of `others`, at the same places. Callers who grant, change or
 * revoke roles, or who obtain a credential of another user, must have all permissions of that user. Otherwise they
 * would gain permissions.
 */
export function covers(own: readonly Grant[], others: readonly Grant[]): boolean {
  return others.every((other) =>
    other.roles.every((role) => {
      const permissions = TABLES[levelOf(other)].get(role)
      if (permissions === undefined) return true
      const { scope } = other
      return [...permissions].every((permission) =>
        scope === 'instance' ? holdsOnInstance(own, permission) : holdsIn(own, permission, scope.organizationId),
      )
    }),
  )
}
