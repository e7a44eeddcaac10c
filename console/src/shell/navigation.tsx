/** The areas of the console. What the user may not read is not shown, nor is an area without pages. */
import { NavLink, ScrollArea, Text } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { usePermissions } from '../access/me.tsx'
import { Icon } from '../parts/icons.tsx'
import { mayOpen, type NamedPage, PAGES } from '../places/pages.ts'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

const GROUPS = ['first', 'signIn', 'messages', 'system'] as const

/** The navigation at the side. */
export function Navigation() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const { routesByPath } = useRouter()
  const permissions = usePermissions()
  const isShown = (page: NamedPage) => Object.hasOwn(routesByPath, page.to) && mayOpen(page, permissions)
  const isCurrent = (to: string) => (to === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${to}/`))
  const shown = PAGES.filter(isShown)
  const groups = GROUPS.map((name) => ({ name, items: shown.filter(({ group }) => group === name) }))
  return (
    <ScrollArea component="nav" aria-label={t.menu} h="100%" type="auto" scrollbarSize={6}>
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ name: group, items }) => (
          <div key={group} className="navigation-group">
            {group !== 'first' && (
              <Text size="xs" fw={600} c="dimmed" px="sm">
                {t.navigationGroups[group]}
              </Text>
            )}
            {items.map(({ to, name, icon }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={t.navigation[name]}
                leftSection={<Icon name={icon} />}
                active={isCurrent(to)}
                aria-current={isCurrent(to) ? 'page' : undefined}
                style={{ borderRadius: 'var(--mantine-radius-md)' }}
              />
            ))}
          </div>
        ))}
    </ScrollArea>
  )
}
