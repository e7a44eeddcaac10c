/** A figure with its name, which leads to what it counts. Belongs into a list of terms (`dl`). */
import { Anchor, Group, Paper, Text } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useLanguage } from '../texts/index.tsx'
import { Icon, type IconName } from './icons.tsx'

export interface Figure {
  readonly label: string
  readonly value: bigint | number | string
  readonly icon: IconName
  readonly to?: string
  readonly search?: Readonly<Record<string, string>>
  readonly isBad?: boolean
}

/** The card. */
export function FigureCard({ label, value, icon, to, search = {}, isBad = false }: Figure) {
  const { language } = useLanguage()
  const { routesByPath } = useRouter()
  const leads = to !== undefined && Object.hasOwn(routesByPath, to)
  return (
    <Paper withBorder p="md">
      <Group gap={6} c="dimmed" wrap="nowrap" component="dt">
        <Icon name={icon} size={16} />
        {leads ? (
          <Anchor component={Link} to={to} search={search as never} size="sm">
            {label}
          </Anchor>
        ) : (
          <Text size="sm">{label}</Text>
        )}
      </Group>
      <Text component="dd" m={0} fz="1.6rem" fw={600} {...(isBad && { c: 'var(--mantine-color-error)' })}>
        {typeof value === 'string' ? value : value.toLocaleString(language)}
      </Text>
    </Paper>
  )
}
