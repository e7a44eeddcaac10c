/** How many people signed in, by day, method and application: figures that lead to what they count, and charts. */
import { useQuery } from '@connectrpc/connect-query'
import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { FigureCard } from '../../parts/figure-card.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Reading } from '../../parts/reading.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type CountScope, countRequestOf } from '../count-request.ts'
import { type DayRow, dayRowsOf, localStart, totalsOf } from './series.ts'
import { chartTexts } from './texts/index.ts'

const loadCharts = () => import('./charts.tsx')
const OutcomeChart = lazy(async () => ({ default: (await loadCharts()).OutcomeChart }))
const MethodChart = lazy(async () => ({ default: (await loadCharts()).MethodChart }))
const PasskeyChart = lazy(async () => ({ default: (await loadCharts()).PasskeyChart }))
const ApplicationChart = lazy(async () => ({ default: (await loadCharts()).ApplicationChart }))

const PERIODS = [7, 30, 90] as const

/** The figures and charts of a scope. */
export function SignInActivity({ scope }: { readonly scope: CountScope }) {
  const t = useTexts(chartTexts)
  const [days, setDays] = useState<number>(7)
  const query = useQuery(SignInService.method.countSignIns, countRequestOf(scope, days), {
    placeholderData: keepPreviousData,
  })
  return (
    <Stack component="section" aria-label={t.title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t.title}
        </Title>
        <SegmentedControl
          aria-label={t.period}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={PERIODS.map((count) => ({ value: String(count), label: t.days({ count }) }))}
        />
      </Group>
      <Reading query={query}>
        {(answer) => {
          const rows = dayRowsOf(answer)
          const { succeeded, failed } = totalsOf(rows)
          return (
            <>
              <Figures scope={scope} rows={rows} />
              {succeeded + failed === 0 ? (
                <Paper withBorder p="xl" ta="center">
                  <Text c="dimmed">{t.empty}</Text>
                </Paper>
              ) : (
                <Suspense fallback={<PageLoader />}>
                  <SimpleGrid cols={{ base: 1, lg: 2 }}>
                    <OutcomeChart rows={rows} />
                    <MethodChart rows={rows} />
                    <PasskeyChart rows={rows} />
                    {answer.applications.length > 0 && scope.applicationId === undefined && (
                      <ApplicationChart applications={answer.applications} />
                    )}
                  </SimpleGrid>
                </Suspense>
              )}
            </>
          )
        }}
      </Reading>
    </Stack>
  )
}

interface FiguresProps {
  readonly scope: CountScope
  readonly rows: readonly DayRow[]
}

/** Each figure names its period and leads to the sign-ins that it counts. */
function Figures({ scope: { organizationId, applicationId }, rows }: FiguresProps) {
  const t = useTexts(chartTexts)
  const { succeeded, failed, passkeyShare } = totalsOf(rows)
  const days = rows.length
  const [first] = rows
  const counted = {
    ...(first && { since: localStart(first.start) }),
    ...(applicationId && { application: applicationId }),
    ...(organizationId && !applicationId && { organization: organizationId }),
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} component="dl" m={0}>
      <FigureCard
        label={t.ofPeriod({ label: t.succeeded, count: days })}
        value={succeeded}
        icon="signIn"
        to="/audit"
        search={{ ...counted, outcome: 'succeeded' }}
      />
      <FigureCard
        label={t.ofPeriod({ label: t.failed, count: days })}
        value={failed}
        icon="lock"
        to="/audit"
        search={{ ...counted, outcome: 'failed' }}
      />
      <FigureCard
        label={t.ofPeriod({ label: t.passkeyShare, count: days })}
        value={passkeyShare === undefined ? '–' : `${passkeyShare} %`}
        icon="key"
        to="/audit"
        search={{ ...counted, outcome: 'succeeded', method: 'passkey' }}
      />
    </SimpleGrid>
  )
}
