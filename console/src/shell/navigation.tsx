/** The areas of the console. What the user may not read is not shown, nor is an area without pages. */
import { NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { usePermissions } from '../access/me.tsx'
import type { Permission, Permissions } from '../access/permissions.ts'
import { Icon, type IconName } from '../parts/icons.tsx'
import { useTexts } from '../texts/index.tsx'
import type { ShellTexts } from './texts/en.ts'
import { shellTexts } from './texts/index.ts'

interface Item {
  readonly to: string
  readonly label: keyof ShellTexts['navigation']
  readonly icon: IconName
  /** One of these is needed; without any, everybody sees the item. */
  readonly permissions?: readonly Permission[]
}

interface NavigationGroup {
  readonly label?: keyof ShellTexts['navigationGroups']
  readonly items: readonly Item[]
}

const GROUPS: readonly NavigationGroup[] = [
  {
    items: [
      { to: '/', label: 'home', icon: 'home' },
      { to: '/users', label: 'users', icon: 'users', permissions: ['user.read'] },
      { to: '/organizations', label: 'organizations', icon: 'organization', permissions: ['org.read'] },
      { to: '/projects', label: 'projects', icon: 'project', permissions: ['project.read'] },
    ],
  },
  {
    label: 'signIn',
    items: [
      {
        to: '/identity-providers',
        label: 'identityProviders',
        icon: 'provider',
        permissions: ['iam.idp.read', 'org.idp.read'],
      },
      { to: '/sign-in', label: 'signIn', icon: 'signIn', permissions: ['iam.policy.read', 'policy.read'] },
      { to: '/branding', label: 'branding', icon: 'palette', permissions: ['iam.policy.read', 'policy.read'] },
    ],
  },
  {
    label: 'messages',
    items: [
      { to: '/mail', label: 'mail', icon: 'mail', permissions: ['iam.read'] },
      { to: '/sms', label: 'sms', icon: 'message', permissions: ['iam.read'] },
    ],
  },
  {
    label: 'system',
    items: [
      {
        to: '/administrators',
        label: 'administrators',
        icon: 'shield',
        permissions: ['iam.member.read', 'org.member.read'],
      },
      { to: '/web-keys', label: 'webKeys', icon: 'key', permissions: ['iam.web_key.read'] },
      { to: '/audit', label: 'audit', icon: 'history', permissions: ['events.read'] },
      { to: '/settings', label: 'settings', icon: 'settings', permissions: ['iam.read'] },
    ],
  },
]

function mayOpen({ permissions = [] }: Item, { canSomewhere }: Permissions): boolean {
  return permissions.length === 0 || permissions.some(canSomewhere)
}

/** The navigation at the side. */
export function Navigation() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const { routesByPath } = useRouter()
  const permissions = usePermissions()
  const isShown = (item: Item) => Object.hasOwn(routesByPath, item.to) && mayOpen(item, permissions)
  const isCurrent = (to: string) => (to === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${to}/`))
  const groups = GROUPS.map((group) => ({ ...group, items: group.items.filter(isShown) }))
  return (
    <ScrollArea component="nav" aria-label={t.menu} h="100%" type="auto">
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ label, items }) => (
          <Stack key={label ?? ''} gap={2} mb="sm">
            {label && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs">
                {t.navigationGroups[label]}
              </Text>
            )}
            {items.map((item) => (
              <NavLink
                key={item.to}
                component={Link}
                to={item.to}
                label={t.navigation[item.label]}
                leftSection={<Icon name={item.icon} />}
                active={isCurrent(item.to)}
                aria-current={isCurrent(item.to) ? 'page' : undefined}
                style={{ borderRadius: 'var(--mantine-radius-md)' }}
              />
            ))}
          </Stack>
        ))}
    </ScrollArea>
  )
}
