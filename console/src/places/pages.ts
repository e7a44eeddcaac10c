/**
 * The pages that people go to by name. Navigation, the links of an area and the search read this list, so that a page is
 * named, and hidden from those who may not read it, in one place. Part of the first load: no heavy imports.
 */
import type { Permission, Permissions } from '../access/permissions.ts'
import type { IconName } from '../parts/icon-paths.ts'
import type { ShellTexts } from '../shell/texts/en.ts'

export type PageName = keyof ShellTexts['navigation']
export type NavigationGroup = keyof ShellTexts['navigationGroups']

export interface NamedPage {
  readonly to: string
  readonly name: PageName
  readonly icon: IconName
  /** One of these is needed; without any, every administrator may open the page. */
  readonly permissions?: readonly Permission[]
  /** Where the navigation shows it; false where only its area links to it. */
  readonly group: NavigationGroup | 'first' | false
  /** The page of the navigation that it is a part of. */
  readonly area?: string
  /** Its name among the pages of its area, where that is a shorter one. */
  readonly shortName?: PageName
}

const POLICIES = ['iam.policy.read', 'policy.read'] as const

export const PAGES: readonly NamedPage[] = [
  { to: '/', name: 'home', icon: 'home', group: 'first' },
  { to: '/users', name: 'users', icon: 'users', group: 'first', permissions: ['user.read'] },
  { to: '/groups', name: 'groups', icon: 'groups', group: 'first', permissions: ['group.read'] },
  { to: '/organizations', name: 'organizations', icon: 'organization', group: 'first', permissions: ['org.read'] },
  {
    to: '/applications',
    name: 'applications',
    icon: 'screen',
    group: 'first',
    permissions: ['project.app.read'],
  },
  { to: '/projects', name: 'projects', icon: 'project', group: 'first', permissions: ['project.read'] },
  {
    to: '/identity-providers',
    name: 'identityProviders',
    icon: 'provider',
    group: 'signIn',
    permissions: ['iam.idp.read', 'org.idp.read'],
  },
  {
    to: '/directory-sync',
    name: 'directorySync',
    icon: 'sync',
    group: 'signIn',
    permissions: ['org.write'],
  },
  {
    to: '/sign-in',
    name: 'signIn',
    shortName: 'signInMethods',
    icon: 'signIn',
    group: 'signIn',
    area: '/sign-in',
    permissions: POLICIES,
  },
  { to: '/sign-in/passwords', name: 'passwords', icon: 'lock', group: false, area: '/sign-in', permissions: POLICIES },
  { to: '/sign-in/names', name: 'loginNames', icon: 'person', group: false, area: '/sign-in', permissions: POLICIES },
  {
    to: '/agents',
    name: 'agents',
    shortName: 'agentAccess',
    icon: 'machine',
    group: 'signIn',
    area: '/agents',
    permissions: ['user.read'],
  },
  {
    to: '/agents/approvals',
    name: 'agentApprovals',
    icon: 'machine',
    group: false,
    area: '/agents',
    permissions: ['policy.read'],
  },
  {
    to: '/agents/settings',
    name: 'agentSettings',
    icon: 'machine',
    group: false,
    area: '/agents',
    permissions: ['iam.policy.read'],
  },
  {
    to: '/branding',
    name: 'branding',
    shortName: 'look',
    icon: 'palette',
    group: 'signIn',
    area: '/branding',
    permissions: POLICIES,
  },
  { to: '/branding/texts', name: 'pageTexts', icon: 'palette', group: false, area: '/branding', permissions: POLICIES },
  {
    to: '/mail',
    name: 'mail',
    shortName: 'mailServer',
    icon: 'mail',
    group: 'messages',
    area: '/mail',
    permissions: ['iam.read'],
  },
  { to: '/mail/texts', name: 'mailTexts', icon: 'mail', group: false, area: '/mail', permissions: ['policy.read'] },
  { to: '/mail/queue', name: 'mailQueue', icon: 'mail', group: false, area: '/mail', permissions: ['iam.read'] },
  { to: '/mail/inbox', name: 'mailInbox', icon: 'mail', group: false, area: '/mail', permissions: ['iam.write'] },
  { to: '/sms', name: 'sms', icon: 'message', group: 'messages', permissions: ['iam.read'] },
  { to: '/webhooks', name: 'webhooks', icon: 'webhook', group: 'messages', permissions: ['webhook.read'] },
  { to: '/actions', name: 'actions', icon: 'action', group: 'messages', permissions: ['action.target.read'] },
  { to: '/signals', name: 'signals', icon: 'signal', group: 'messages', permissions: ['signal.read'] },
  {
    to: '/administrators',
    name: 'administrators',
    icon: 'shield',
    group: 'system',
    permissions: ['iam.member.read', 'org.member.read'],
  },
  { to: '/web-keys', name: 'webKeys', icon: 'key', group: 'system', permissions: ['iam.web_key.read'] },
  {
    to: '/audit',
    name: 'audit',
    shortName: 'signIns',
    icon: 'history',
    group: 'system',
    area: '/audit',
    permissions: ['session.read', 'events.read'],
  },
  { to: '/audit/events', name: 'events', icon: 'history', group: false, area: '/audit', permissions: ['events.read'] },
  {
    to: '/settings',
    name: 'settings',
    shortName: 'instance',
    icon: 'settings',
    group: 'system',
    area: '/settings',
    permissions: ['iam.read'],
  },
  {
    to: '/settings/tokens',
    name: 'tokens',
    icon: 'settings',
    group: false,
    area: '/settings',
    permissions: ['iam.read'],
  },
  { to: '/settings/links', name: 'links', icon: 'settings', group: false, area: '/settings', permissions: POLICIES },
  {
    to: '/settings/features',
    name: 'features',
    icon: 'settings',
    group: false,
    area: '/settings',
    permissions: ['iam.read'],
  },
  {
    to: '/settings/import',
    name: 'import',
    icon: 'settings',
    group: false,
    area: '/settings',
    permissions: ['iam.write'],
  },
]

/** Whether a user with these permissions may open a page, or find a thing. The server decides about each call. */
export function mayOpen(
  { permissions = [] }: Pick<NamedPage, 'permissions'>,
  { canSomewhere }: Pick<Permissions, 'canSomewhere'>,
): boolean {
  return permissions.length === 0 || permissions.some(canSomewhere)
}
