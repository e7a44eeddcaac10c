/** The pages of one area, as links above each of them. */
import { Button, Group } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { usePermissions } from '../access/me.tsx'
import { mayOpen, PAGES } from '../places/pages.ts'
import { shellTexts } from '../shell/texts/index.ts'
import { useTexts } from '../texts/index.tsx'
import { useCurrentInView } from './use-current-in-view.ts'

interface AreaLink {
  readonly to: string
  readonly label: string
}

interface AreaLinksProps {
  /** The page of the navigation that the area belongs to. */
  readonly area: string
  /** Pages that belong to another area and that people look for here. */
  readonly more?: readonly AreaLink[]
}

/** The links that the user may follow; the current one is marked. */
export function AreaLinks({ area, more = [] }: AreaLinksProps) {
  const { navigation } = useTexts(shellTexts)
  const permissions = usePermissions()
  const { pathname } = useLocation()
  const row = useCurrentInView()
  const title = PAGES.find(({ to }) => to === area)?.name
  const own = PAGES.filter((page) => page.area === area && mayOpen(page, permissions))
  const links = [...own.map(({ to, name, shortName }) => ({ to, label: navigation[shortName ?? name] })), ...more]
  return (
    <Group ref={row} component="nav" aria-label={title && navigation[title]} gap={4} className="scrolling-tabs" py={2}>
      {links.map(({ to, label }) => {
        const isCurrent = pathname.replace(/\/$/, '') === to
        return (
          <Button
            key={to}
            component={Link}
            to={to}
            size="compact-sm"
            variant={isCurrent ? 'light' : 'subtle'}
            color={isCurrent ? undefined : 'gray'}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {label}
          </Button>
        )
      })}
    </Group>
  )
}
