/** The sign-ins and failures of the last 24 hours as bars, and as a table for those who cannot see them. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Group, Text, VisuallyHidden } from '@mantine/core'
import type {
  GetOverviewResponse,
  SignInsOfHour,
} from '../../../../contract/gen/signet/monitoring/v1/monitoring_service_pb.ts'
import { Section } from '../../parts/section.tsx'
import { When } from '../../parts/when.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import classes from './sign-in-chart.module.css'
import { homeTexts } from './texts/index.ts'

const WIDTH = 400
const HEIGHT = 160
const BASE = 138

/** The chart. */
export function SignInChart({ overview: { signIns, completeSince } }: { readonly overview: GetOverviewResponse }) {
  const t = useTexts(homeTexts)
  const isEmpty = signIns.every(({ succeeded, failed }) => succeeded + failed === 0)
  return (
    <Section title={t.chartTitle}>
      {isEmpty ? <Text c="dimmed">{t.chartEmpty}</Text> : <Bars hours={signIns} />}
      <Group gap="lg">
        <Group gap={6}>
          <span className={`${classes.key} ${classes.succeededKey}`} aria-hidden="true" />
          <Text size="sm">{t.signIns}</Text>
        </Group>
        <Group gap={6}>
          <span className={`${classes.key} ${classes.failedKey}`} aria-hidden="true" />
          <Text size="sm">{t.failures}</Text>
        </Group>
      </Group>
      {completeSince && (
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {t.countedSince}
          </Text>
          <When time={completeSince} />
        </Group>
      )}
      <ChartTable hours={signIns} />
    </Section>
  )
}

function useHour(): (hour: SignInsOfHour) => string {
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  return ({ start }) => (start ? format.format(timestampDate(start)) : '')
}

function Bars({ hours }: { readonly hours: readonly SignInsOfHour[] }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const step = WIDTH / hours.length
  const heightOf = (count: number) => (count / most) * (BASE - 18)
  const hour = useHour()
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.chart} aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={BASE} y2={BASE} className={classes.axis} />
      <text x="0" y="12" className={classes.text}>
        {most}
      </text>
      {hours.map((one, index) => {
        const { succeeded, failed } = one
        const x = index * step + 2
        const good = heightOf(succeeded)
        const bad = heightOf(failed)
        return (
          <g key={String(one.start?.seconds)}>
            <rect x={x} width={step - 4} y={BASE - good} height={good} rx="1" className={classes.succeeded} />
            <rect x={x} width={step - 4} y={BASE - good - bad} height={bad} rx="1" className={classes.failed} />
            {index % 6 === 0 && (
              <text x={x} y={HEIGHT - 4} className={classes.text}>
                {hour(one)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function ChartTable({ hours }: { readonly hours: readonly SignInsOfHour[] }) {
  const t = useTexts(homeTexts)
  const hour = useHour()
  return (
    <VisuallyHidden>
      <table>
        <caption>{t.chartTitle}</caption>
        <thead>
          <tr>
            <th>{t.hour}</th>
            <th>{t.signIns}</th>
            <th>{t.failures}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((one) => (
            <tr key={String(one.start?.seconds)}>
              <th>{hour(one)}</th>
              <td>{one.succeeded}</td>
              <td>{one.failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
