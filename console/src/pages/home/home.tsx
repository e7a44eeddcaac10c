/** The first page: how the server is, what happened in the last day, and what is not set up yet. */
import { useQuery } from '@connectrpc/connect-query'
import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { MonitoringService } from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { useMe, usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Section } from '../../parts/section.tsx'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { environment } from '../../session/environment.ts'
import { SignInActivity } from '../../sign-ins/charts/activity.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Checklist } from './checklist.tsx'
import { Figures } from './figures.tsx'
import { HealthBadge } from './health.tsx'
import { ProtectCard } from './protect-card.tsx'
import { StandingTokens } from './standing-tokens.tsx'
import { homeTexts } from './texts/index.ts'

/** How often the figures are read again. */
const REFRESH_MS = 30_000

/** The page. Those who may not read the instance see the server and their own part of the checklist. */
export function HomePage() {
  const t = useTexts(homeTexts)
  const { displayName, organizationId: ownId } = useMe()
  const { can } = usePermissions()
  usePageTitle(t.title)
  const enabled = can('iam.read')
  // Of the chosen organization; with all of them chosen, of the instance where the user may read it.
  const { organizationId } = useOrganization()
  const counted = organizationId ?? (can('session.read') ? undefined : ownId)
  const mayCount = can('session.read', { organizationId: counted })
  const { data, error, refetch } = useQuery(
    MonitoringService.method.getOverview,
    {},
    { enabled, refetchInterval: REFRESH_MS },
  )
  return (
    <Stack>
      <Title order={1}>{t.welcome({ name: displayName })}</Title>
      <ProtectCard />
      {enabled && error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {enabled && data === undefined && error === null && <PageLoader />}
      {data && <Figures overview={data} />}
      {mayCount && <SignInActivity scope={{ organizationId: counted }} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <Server />
          {can('iam.member.read') && <StandingTokens />}
        </Stack>
        <div>
          <Checklist overview={data} />
        </div>
      </SimpleGrid>
    </Stack>
  )
}

function Server() {
  const t = useTexts(homeTexts)
  const { issuer, version } = environment()
  return (
    <Section title={t.server} badge={<HealthBadge />}>
      <CopyField label={t.address} value={issuer} />
      <Text size="sm" c="dimmed">
        {t.version} {version}
      </Text>
    </Section>
  )
}
