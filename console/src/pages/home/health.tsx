/** Whether the server takes requests, as load balancers ask it. */
import { useQuery } from '@tanstack/react-query'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** The state of the server, asked again and again. */
export function HealthBadge() {
  const t = useTexts(homeTexts)
  const { data, isPending } = useQuery({
    queryKey: ['readyz'],
    queryFn: async ({ signal }) => (await fetch('/readyz', { cache: 'no-store', signal })).ok,
    refetchInterval: 15_000,
  })
  if (isPending) return null
  return <StateBadge mood={data ? 'good' : 'bad'} label={data ? t.healthy : t.unhealthy} />
}
