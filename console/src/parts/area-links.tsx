/** The pages of one area, as links above each of them. */
import { Button, Group } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useCurrentInView } from './use-current-in-view.ts'

export interface AreaLink {
  readonly to: string
  readonly label: string
}

interface AreaLinksProps {
  readonly label: string
  /** Links that the user may not follow are left out by the caller. */
  readonly links: readonly (AreaLink | false)[]
}

/** The links; the current one is marked. */
export function AreaLinks({ label, links }: AreaLinksProps) {
  const { pathname } = useLocation()
  const row = useCurrentInView()
  return (
    <Group ref={row} component="nav" aria-label={label} gap={4} className="scrolling-tabs" py={2}>
      {links
        .filter((link): link is AreaLink => link !== false)
        .map(({ to, label: name }) => {
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
              {name}
            </Button>
          )
        })}
    </Group>
  )
}
