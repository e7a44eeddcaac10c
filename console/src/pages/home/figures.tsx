/** The figures at the top of the first page; each leads to where it comes from. */
import { Anchor, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { GetOverviewResponse } from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

interface Figure {
  readonly label: string
  readonly value: bigint | number
  readonly icon: IconName
  readonly to?: string
  readonly isBad?: boolean
}

/** The row of figures. */
export function Figures({ overview }: { readonly overview: GetOverviewResponse }) {
  const t = useTexts(homeTexts)
  const sum = (name: 'succeeded' | 'failed') => overview.signIns.reduce((total, hour) => total + hour[name], 0)
  const failed = sum('failed')
  const figures: readonly Figure[] = [
    { label: t.users, value: overview.users, icon: 'users', to: '/users' },
    { label: t.sessions, value: overview.sessions, icon: 'screen' },
    { label: t.signIns, value: sum('succeeded'), icon: 'signIn' },
    { label: t.failures, value: failed, icon: 'lock' },
    { label: t.mailsWaiting, value: overview.mailsWaiting, icon: 'mail', to: '/mail' },
    {
      label: t.mailsFailed,
      value: overview.mailsFailed,
      icon: 'warning',
      to: '/mail',
      isBad: overview.mailsFailed > 0n,
    },
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }} component="dl" m={0}>
      {figures.map((figure) => (
        <FigureCard key={figure.label} {...figure} />
      ))}
    </SimpleGrid>
  )
}

function FigureCard({ label, value, icon, to, isBad = false }: Figure) {
  const { language } = useLanguage()
  const { routesByPath } = useRouter()
  const leads = to !== undefined && Object.hasOwn(routesByPath, to)
  return (
    <Paper withBorder p="md">
      <Group gap={6} c="dimmed" wrap="nowrap" component="dt">
        <Icon name={icon} size={16} />
        {leads ? (
          <Anchor component={Link} to={to} size="sm">
            {label}
          </Anchor>
        ) : (
          <Text size="sm">{label}</Text>
        )}
      </Group>
      <Text component="dd" m={0} fz="1.6rem" fw={600} {...(isBad && { c: 'var(--mantine-color-error)' })}>
        {value.toLocaleString(language)}
      </Text>
    </Paper>
  )
}
