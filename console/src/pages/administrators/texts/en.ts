/** The texts of administrators and their roles, in English. */
import type { Sentences } from '../../../texts/languages.ts'

/** A role: its name and what it allows. */

const roleTexts = {
  IAM_OWNER: ['Owner', 'Can do everything on this server.'],
  IAM_OWNER_VIEWER: ['Viewer', 'Can view everything but change nothing.'],
  IAM_ORG_MANAGER: [
    'Organization manager',
    'Manages all organizations, their users and projects, but not the instance.',
  ],
  IAM_USER_MANAGER: ['User manager', 'Manages users and their authorizations in all organizations.'],
  IAM_LOGIN_CLIENT: ['Login client', 'For a custom sign-in page.'],
  IAM_ADMIN_IMPERSONATOR: ['Impersonator, including administrators', 'Can get tokens for any user.'],
  IAM_SIGNAL_RECEIVER: [
    'Signal receiver of the instance',
    'Receives security signals about the users of all organizations, and can do nothing else.',
  ],
  IAM_END_USER_IMPERSONATOR: ['Impersonator', 'Can get tokens for users without administrator roles.'],
  ORG_OWNER: ['Organization owner', 'Can do everything in the organization.'],
  ORG_OWNER_VIEWER: ['Organization viewer', 'Can view everything in the organization.'],
  ORG_USER_MANAGER: ['Organization user manager', 'Manages the users of the organization and their authorizations.'],
  ORG_USER_PERMISSION_EDITOR: ['Authorization editor', 'Assigns project roles to users.'],
  ORG_PROJECT_PERMISSION_EDITOR: ['Project grant editor', 'Grants projects to other organizations.'],
  ORG_PROJECT_CREATOR: ['Project creator', 'Creates projects and owns the ones they create.'],
  ORG_DIRECTORY_SYNC: ['Directory sync', 'Feeds users in by SCIM, and can do nothing else.'],
  ORG_SIGNAL_RECEIVER: [
    'Signal receiver',
    'Receives security signals about the users of the organization, and can do nothing else.',
  ],
  ORG_ADMIN_IMPERSONATOR: [
    'Organization impersonator, including administrators',
    'Can get tokens for any user of the organization.',
  ],
  ORG_END_USER_IMPERSONATOR: [
    'Organization impersonator',
    'Can get tokens for users of the organization without administrator roles.',
  ],
  ORG_SETTINGS_MANAGER: [
    'Settings manager',
    'Manages the settings, domains and identity providers of the organization.',
  ],
  ORG_DYNAMIC_CLIENT_REGISTRAR: ['Client registrar', 'Can register clients for the projects that allow it.'],
  ORG_USER_SELF_MANAGER: ['Self-manager', 'Can view the policies of the organization.'],
  SELF_MANAGEMENT_GLOBAL: ['Global self-manager', 'Can view the policies of the organization.'],
  PROJECT_OWNER: ['Project owner', 'Can do everything in the project.'],
  PROJECT_OWNER_VIEWER: ['Project viewer', 'Can view everything in the project.'],
  PROJECT_OWNER_GLOBAL: [
    'Project owner (global)',
    'Project owner, for projects created from outside the organization.',
  ],
  PROJECT_OWNER_VIEWER_GLOBAL: [
    'Project viewer (global)',
    'Project viewer, for projects created from outside the organization.',
  ],
  PROJECT_GRANT_OWNER: ['Grant owner', 'Manages members and authorizations of the granted project.'],
  PROJECT_GRANT_OWNER_VIEWER: ['Grant viewer', 'Can view the granted project.'],
} as const

export const en = {
  title: 'Administrators',
  description: 'Users with roles on this server, in organizations and on projects.',
  searchLabel: 'Name or login name',
  name: 'Name',
  where: 'Where',
  wheres: { instance: 'This server', other: 'Organizations and projects' },
  placeLabel: {
    instance: 'This server',
    organization: 'Organization {name}',
    project: 'Project {name}',
    project_grant: 'Granted project {name}',
  },
  parents: {
    instance: 'Administrators',
    organization: 'Organization',
    project: 'Project',
    project_grant: 'Project',
  },
  role: 'Role',
  roles: 'Roles',
  rolesHint: 'You can only assign or remove roles that you hold yourself.',
  added: 'Added',
  changed: 'Changed',
  add: 'Add administrator',
  addDone: 'Roles assigned.',
  empty: 'No administrators.',
  members: 'Members',
  membersHint: 'Users who manage this. To give people access to applications, use authorizations.',
  addMember: 'Add member',
  noMembers: 'No members yet.',
  user: 'User',
  userElsewhere:
    'This user belongs to another organization. Its administrators can act as that user, and so can use these roles.',
  userSearch: 'Search for a user',
  noUser: 'No matching users.',
  chooseRole: 'Choose at least one role.',
  notMember: 'This user has no roles here.',
  openUser: 'Open user',
  removeTab: 'Remove',
  remove: 'Remove roles',
  removeHint: 'Removes all of the user’s roles here. The user account is kept.',
  removeDone: 'Roles removed.',
  roleTexts,
} as const

export type AdministratorTexts = Sentences<typeof en>
