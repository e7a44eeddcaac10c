/** The figures at the top of the first page, as they are now; each leads to where it comes from. */
import { SimpleGrid } from '@mantine/core'
import type { GetOverviewResponse } from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { type Figure, FigureCard } from '../../parts/figure-card.tsx'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** The row of figures. */
export function Figures({ overview }: { readonly overview: GetOverviewResponse }) {
  const t = useTexts(homeTexts)
  const figures: readonly Figure[] = [
    { label: t.users, value: overview.users, icon: 'users', to: '/users' },
    { label: t.sessions, value: overview.sessions, icon: 'screen' },
    { label: t.mailsWaiting, value: overview.mailsWaiting, icon: 'mail', to: '/mail' },
    {
      label: t.mailsFailed,
      value: overview.mailsFailed,
      icon: 'warning',
      to: '/mail/queue',
      isBad: overview.mailsFailed > 0n,
    },
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
      {figures.map((figure) => (
        <FigureCard key={figure.label} {...figure} />
      ))}
    </SimpleGrid>
  )
}
