/** The charts of sign-ins. Loaded when there is something to draw, because the library is large. */
import { BarChart, BarsList, LineChart } from '@mantine/charts'
import { VisuallyHidden } from '@mantine/core'
import '@mantine/charts/styles.css'
import type { ReactNode } from 'react'
import type { SignInsOfApplication } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { Section } from '../../parts/section.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { signInWords } from '../texts/index.ts'
import { type DayRow, METHOD_NAMES, passkeyShareOf } from './series.ts'
import { chartTexts } from './texts/index.ts'

export const CHART_HEIGHT = 220

/** Nothing moves by itself, and the table beside it is what screen readers and the keyboard reach. */
export const STILL = { isAnimationActive: false } as const
export const SILENT = { accessibilityLayer: false } as const

interface Column {
  readonly key: string
  readonly label: string
}

interface ChartProps {
  readonly title: string
  readonly description?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly children: ReactNode
}

/** A drawing, with a table of the same figures for those who cannot see it. */
export function Chart({ title, description, columns, rows, children }: ChartProps) {
  return (
    <Section title={title} {...(description !== undefined && { description })}>
      {/* A drawing follows the size of its place a moment later, which must not make the page wider. */}
      <div aria-hidden="true" style={{ overflow: 'hidden', minWidth: 0 }}>
        {children}
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {columns.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells are known by their column
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Section>
  )
}

function useDayNames(): { short(row: DayRow): string; long(row: DayRow): string } {
  const { language } = useLanguage()
  const short = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  const long = new Intl.DateTimeFormat(language, { dateStyle: 'long' })
  return { short: ({ start }) => short.format(start), long: ({ start }) => long.format(start) }
}

interface ByDayProps {
  readonly rows: readonly DayRow[]
}

/** Sign-ins and failures by day. */
export function OutcomeChart({ rows }: ByDayProps) {
  const t = useTexts(chartTexts)
  const day = useDayNames()
  return (
    <Chart
      title={t.outcomes}
      columns={[
        { key: 'day', label: t.day },
        { key: 'succeeded', label: t.succeeded },
        { key: 'failed', label: t.failed },
      ]}
      rows={rows.map((row) => [day.long(row), row.succeeded, row.failed])}
    >
      <BarChart
        h={CHART_HEIGHT}
        type="stacked"
        data={rows.map((row) => ({ ...row, day: day.short(row) }))}
        dataKey="day"
        withLegend
        series={[
          { name: 'succeeded', label: t.succeeded, color: 'var(--chart-succeeded)' },
          { name: 'failed', label: t.failed, color: 'var(--chart-failed)' },
        ]}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        barProps={STILL}
        barChartProps={SILENT}
      />
    </Chart>
  )
}

/** Sign-ins by day and method. */
export function MethodChart({ rows }: ByDayProps) {
  const t = useTexts(chartTexts)
  const { methods } = useTexts(signInWords)
  const day = useDayNames()
  return (
    <Chart
      title={t.byMethod}
      columns={[{ key: 'day', label: t.day }, ...METHOD_NAMES.map((key) => ({ key, label: methods[key] }))]}
      rows={rows.map((row) => [day.long(row), ...METHOD_NAMES.map((name) => row[name])])}
    >
      <BarChart
        h={CHART_HEIGHT}
        type="stacked"
        data={rows.map((row) => ({ ...row, day: day.short(row) }))}
        dataKey="day"
        withLegend
        series={METHOD_NAMES.map((name) => ({ name, label: methods[name], color: `var(--chart-${name})` }))}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        barProps={STILL}
        barChartProps={SILENT}
      />
    </Chart>
  )
}

/** The share of sign-ins with passkeys by day. Days without sign-ins have none. */
export function PasskeyChart({ rows }: ByDayProps) {
  const t = useTexts(chartTexts)
  const day = useDayNames()
  const percent = (share: number | undefined) => (share === undefined ? '–' : `${share} %`)
  return (
    <Chart
      title={t.passkeys}
      description={t.passkeysHint}
      columns={[
        { key: 'day', label: t.day },
        { key: 'share', label: t.share },
      ]}
      rows={rows.map((row) => [day.long(row), percent(passkeyShareOf(row))])}
    >
      <LineChart
        h={CHART_HEIGHT}
        data={rows.map((row) => ({ day: day.short(row), share: passkeyShareOf(row) ?? null }))}
        dataKey="day"
        series={[{ name: 'share', label: t.share, color: 'var(--chart-passkey)' }]}
        curveType="linear"
        connectNulls
        unit=" %"
        xAxisProps={{ padding: { left: 16, right: 16 } }}
        yAxisProps={{ domain: [0, 100], width: 60 }}
        lineProps={STILL}
        lineChartProps={{ ...SILENT, margin: { top: 10 } }}
      />
    </Chart>
  )
}

/** The applications with the most sign-ins. */
export function ApplicationChart({ applications }: { readonly applications: readonly SignInsOfApplication[] }) {
  const t = useTexts(chartTexts)
  const { language } = useLanguage()
  const named = applications.map(({ application, succeeded, failed }) => ({
    id: application?.id ?? '',
    name: application?.name || application?.id || t.otherApplication,
    succeeded: Number(succeeded),
    failed: Number(failed),
  }))
  return (
    <Chart
      title={t.byApplication}
      description={t.byApplicationHint}
      columns={[
        { key: 'application', label: t.application },
        { key: 'succeeded', label: t.succeeded },
        { key: 'failed', label: t.failed },
      ]}
      rows={named.map(({ name, succeeded, failed }) => [name, succeeded, failed])}
    >
      <BarsList
        data={named.map(({ name, succeeded, failed }) => ({ name, value: succeeded + failed }))}
        barColor="var(--chart-bar)"
        variant="filled"
        barTextColor="var(--mantine-color-text)"
        valueFormatter={(value) => value.toLocaleString(language)}
      />
    </Chart>
  )
}
