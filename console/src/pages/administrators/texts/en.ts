/** The texts of administrators and their roles, in English. */

/** A role: its name and what it allows. */
type RoleText = readonly [name: string, hint: string]

const roleTexts: Readonly<Record<string, RoleText>> = {
  IAM_OWNER: ['Owner', 'Can do everything on this server.'],
  IAM_OWNER_VIEWER: ['Viewer', 'Can read everything and change nothing.'],
  IAM_USER_MANAGER: ['User manager', 'Manages users and their authorizations in all organizations.'],
  IAM_LOGIN_CLIENT: ['Login client', 'For a custom sign-in page.'],
  IAM_ADMIN_IMPERSONATOR: ['Impersonator of administrators', 'Can get tokens of all users.'],
  IAM_END_USER_IMPERSONATOR: ['Impersonator', 'Can get tokens of users without roles.'],
  ORG_OWNER: ['Organization owner', 'Can do everything in the organization.'],
  ORG_OWNER_VIEWER: ['Organization viewer', 'Can read everything in the organization.'],
  ORG_USER_MANAGER: ['Organization user manager', 'Manages the users of the organization and their authorizations.'],
  ORG_USER_PERMISSION_EDITOR: ['Authorization editor', 'Gives users roles of projects.'],
  ORG_PROJECT_PERMISSION_EDITOR: ['Project grant editor', 'Grants projects to other organizations.'],
  ORG_PROJECT_CREATOR: ['Project creator', 'Creates projects and owns those.'],
  ORG_ADMIN_IMPERSONATOR: ['Organization impersonator of administrators', 'Can get tokens of all users of it.'],
  ORG_END_USER_IMPERSONATOR: ['Organization impersonator', 'Can get tokens of its users without roles.'],
  PROJECT_OWNER: ['Project owner', 'Can do everything in the project.'],
  PROJECT_OWNER_VIEWER: ['Project viewer', 'Can read everything in the project.'],
  PROJECT_OWNER_GLOBAL: ['Project owner (global)', 'The same, for projects created from outside.'],
  PROJECT_OWNER_VIEWER_GLOBAL: ['Project viewer (global)', 'The same as project viewer, from outside.'],
  PROJECT_GRANT_OWNER: ['Grant owner', 'Manages members and authorizations of the granted project.'],
  PROJECT_GRANT_OWNER_VIEWER: ['Grant viewer', 'Can read the granted project.'],
}

export const en = {
  title: 'Administrators',
  description: 'Users with roles on this server, in organizations and on projects.',
  searchLabel: 'Name or login name',
  name: 'Name',
  where: 'Where',
  wheres: { instance: 'This server', other: 'Organizations and projects' },
  placeLabel: {
    instance: (_name: string) => 'This server',
    organization: (name: string) => `Organization ${name}`,
    project: (name: string) => `Project ${name}`,
    project_grant: (name: string) => `Granted project ${name}`,
  },
  parents: {
    instance: 'Administrators',
    organization: 'Organization',
    project: 'Project',
    project_grant: 'Project',
  },
  role: 'Role',
  roles: 'Roles',
  rolesHint: 'You can only give and take roles that you hold yourself.',
  added: 'Added',
  changed: 'Changed',
  add: 'Add administrator',
  addDone: 'The roles were given.',
  empty: 'There are no administrators.',
  members: 'Members',
  membersHint: 'Users who manage this. To give users access to applications, use authorizations.',
  addMember: 'Add member',
  noMembers: 'There are no members yet.',
  user: 'User',
  userElsewhere:
    'A user of another organization stays in its hands: the administrators there can sign in as that user, and use these roles.',
  userSearch: 'Search for a user',
  noUser: 'No user matches.',
  chooseRole: 'Choose at least one role.',
  notMember: 'This user holds no roles here.',
  openUser: 'Open user',
  removeTab: 'Remove',
  remove: 'Remove roles',
  removeHint: 'Takes all roles in this place away. The user itself stays.',
  removeDone: 'The roles were removed.',
  roleTexts,
}

export type AdministratorTexts = typeof en
