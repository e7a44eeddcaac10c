/** What each role allows. The server decides with it, and the console hides what would be refused. */
import type { RoleAt, RoleLevel } from '../kernel/role.ts'

// biome-ignore format: read by area, one line each
const ORGANIZATION_OWNER_PERMISSIONS = [
    'org.read', 'org.write', 'org.delete',
    'org.member.read', 'org.member.write', 'org.member.delete',
    'org.idp.read', 'org.idp.write', 'org.idp.delete',
    'policy.read', 'policy.write', 'policy.delete',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'user.credential.write', 'user.passkey.write', 'user.provision',
    'group.read', 'group.create', 'group.write', 'group.delete', 'group.user.read', 'group.user.write', 'group.user.delete',
    'session.read', 'session.delete', 'webhook.read', 'webhook.write', 'signal.read', 'signal.write', 'signal.receive',
    'project.read', 'project.create', 'project.write', 'project.delete',
    'project.role.read', 'project.role.write', 'project.role.delete',
    'project.app.read', 'project.app.write', 'project.app.delete', 'project.app.register_dynamic',
    'project.member.read', 'project.member.write', 'project.member.delete',
    'project.grant.read', 'project.grant.write', 'project.grant.delete',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
    'impersonation', 'impersonation.admin',
] as const

// biome-ignore format: read by area, one line each
const INSTANCE_ROLE_PERMISSIONS = {
  IAM_OWNER: [
    'iam.read', 'iam.write',
    'iam.member.read', 'iam.member.write', 'iam.member.delete',
    'iam.idp.read', 'iam.idp.write', 'iam.idp.delete',
    'iam.policy.read', 'iam.policy.write', 'iam.policy.delete',
    'iam.web_key.read', 'iam.web_key.write', 'iam.web_key.delete',
    'iam.feature.read', 'iam.feature.write', 'iam.feature.delete', 'iam.restrictions.read', 'iam.restrictions.write',
    'org.read', 'org.create', 'org.write', 'org.delete',
    'org.member.read', 'org.member.write', 'org.member.delete',
    'org.idp.read', 'org.idp.write', 'org.idp.delete',
    'policy.read', 'policy.write', 'policy.delete',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'user.credential.write', 'user.passkey.write', 'user.provision',
    'group.read', 'group.create', 'group.write', 'group.delete', 'group.user.read', 'group.user.write', 'group.user.delete',
    'session.read', 'session.write', 'session.delete',
    'events.read', 'webhook.read', 'webhook.write', 'signal.read', 'signal.write', 'signal.receive',
    'project.read', 'project.create', 'project.write', 'project.delete',
    'project.role.read', 'project.role.write', 'project.role.delete',
    'project.app.read', 'project.app.write', 'project.app.delete', 'project.app.register_dynamic',
    'project.member.read', 'project.member.write', 'project.member.delete',
    'project.grant.read', 'project.grant.write', 'project.grant.delete',
    'project.grant.member.read', 'project.grant.member.write', 'project.grant.member.delete',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
    'impersonation', 'impersonation.admin',
    'action.target.read', 'action.target.write', 'action.target.delete',
    'action.execution.read', 'action.execution.write',
  ],
  IAM_OWNER_VIEWER: [
    'iam.read', 'iam.member.read', 'iam.idp.read', 'iam.policy.read', 'iam.web_key.read', 'iam.feature.read', 'iam.restrictions.read',
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
    'group.read', 'group.user.read',
    'session.read', 'events.read', 'webhook.read', 'signal.read',
    'project.read', 'project.role.read', 'project.app.read', 'project.member.read', 'project.grant.read',
    'project.grant.member.read', 'user.grant.read',
    'action.target.read', 'action.execution.read',
  ],
  /** The owner of every organization, present and future; the instance itself is none of its business. */
  IAM_ORG_MANAGER: ['org.create', ...ORGANIZATION_OWNER_PERMISSIONS],
  IAM_USER_MANAGER: [
    'org.read', 'org.member.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete', 'user.passkey.write',
    'group.read', 'group.user.read',
    'session.read', 'session.delete',
    'project.read', 'project.role.read', 'project.app.read',
    'project.grant.read', 'project.grant.write', 'project.grant.delete', 'project.grant.member.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  /** For a custom login page: it signs users in and registers them. It alone answers applications (`session.link`). */
  IAM_LOGIN_CLIENT: [
    'iam.read', 'iam.policy.read', 'iam.member.read', 'iam.member.write', 'iam.idp.read',
    'iam.feature.read', 'iam.restrictions.read', 'org.read', 'org.member.read', 'org.member.write', 'org.idp.read', 'policy.read',
    'user.read', 'user.membership.read', 'user.write', 'user.credential.write', 'user.passkey.write',
    'group.read', 'group.user.read',
    'session.read', 'session.write', 'session.link', 'session.delete',
    'project.read', 'project.role.read', 'project.app.read', 'project.grant.read',
    'user.grant.read', 'user.grant.write',
  ],
  /** Gets tokens of users through token exchange, also of administrators. */
  IAM_ADMIN_IMPERSONATOR: ['impersonation', 'impersonation.admin'],
  /** Gets tokens of users without roles through token exchange. */
  IAM_END_USER_IMPERSONATOR: ['impersonation'],
  /** For a machine that receives signals about the users of all organizations, and does nothing else. */
  IAM_SIGNAL_RECEIVER: ['signal.receive'],
} as const satisfies Record<RoleAt<'instance'>, readonly string[]>

// biome-ignore format: read by area, one line each
const ORGANIZATION_ROLE_PERMISSIONS = {
  ORG_OWNER: ORGANIZATION_OWNER_PERMISSIONS,
  ORG_OWNER_VIEWER: [
    'org.read', 'org.member.read', 'org.idp.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read',
    'group.read', 'group.user.read', 'webhook.read', 'signal.read',
    'project.read', 'project.role.read', 'project.app.read', 'project.member.read', 'project.grant.read',
    'project.grant.member.read', 'user.grant.read',
  ],
  ORG_USER_MANAGER: [
    'org.read', 'policy.read',
    'user.read', 'user.global.read', 'user.membership.read', 'user.write', 'user.delete',
    'group.read', 'group.user.read',
    'session.read', 'session.delete',
    'project.read', 'project.role.read',
    'user.grant.read', 'user.grant.write', 'user.grant.delete',
  ],
  ORG_USER_PERMISSION_EDITOR: [
    'org.read', 'org.member.read', 'user.read', 'user.global.read',
    'group.read', 'group.user.read',
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
  /** For a directory that feeds users in by SCIM, and for nothing else. */
  ORG_DIRECTORY_SYNC: ['user.provision'],
  /** For a machine that receives signals about the users of its organization, and does nothing else. */
  ORG_SIGNAL_RECEIVER: ['signal.receive'],
  ORG_ADMIN_IMPERSONATOR: ['impersonation', 'impersonation.admin'],
  ORG_END_USER_IMPERSONATOR: ['impersonation'],
  /** Manages the settings, domains and identity providers of an organization. */
  ORG_SETTINGS_MANAGER: [
    'org.read', 'org.write', 'org.member.read',
    'org.idp.read', 'org.idp.write', 'org.idp.delete',
    'policy.read', 'policy.write', 'policy.delete',
  ],
  /** Registers clients for the projects of the organization that allow such clients (RFC 7591). */
  ORG_DYNAMIC_CLIENT_REGISTRAR: ['org.read', 'project.read', 'project.app.register_dynamic'],
  // Two roles that existing configurations name: everybody manages themselves without a role here.
  ORG_USER_SELF_MANAGER: ['policy.read'],
  SELF_MANAGEMENT_GLOBAL: ['policy.read'],
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

/** The permissions of each role, by the level at which it is given. */
export const ROLE_PERMISSIONS: Readonly<Record<RoleLevel, Readonly<Record<string, readonly Permission[]>>>> = {
  instance: INSTANCE_ROLE_PERMISSIONS,
  organization: ORGANIZATION_ROLE_PERMISSIONS,
  project: PROJECT_ROLE_PERMISSIONS,
  project_grant: PROJECT_GRANT_ROLE_PERMISSIONS,
}
