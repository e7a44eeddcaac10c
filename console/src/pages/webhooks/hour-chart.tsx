/** The requests to a webhook by hour. Loaded when there is something to draw, because the library is large. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { BarChart } from '@mantine/charts'
import type { WebhookHour } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { CHART_HEIGHT, Chart, SILENT, STILL } from '../../sign-ins/charts/charts.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { webhookTexts } from './texts/index.ts'

export function HourChart({ hours }: { readonly hours: readonly WebhookHour[] }) {
  const t = useTexts(webhookTexts)
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const rows = hours.map(({ date, delivered, failed }) => ({
    hour: date === undefined ? '' : format.format(timestampDate(date)),
    delivered: Number(delivered),
    failed: Number(failed),
  }))
  return (
    <Chart
      title={t.chart}
      columns={[
        { key: 'hour', label: t.hour },
        { key: 'delivered', label: t.delivered },
        { key: 'failed', label: t.notDelivered },
      ]}
      rows={rows.map(({ hour, delivered, failed }) => [hour, delivered, failed])}
    >
      <BarChart
        h={CHART_HEIGHT}
        type="stacked"
        data={rows}
        dataKey="hour"
        withLegend
        series={[
          { name: 'delivered', label: t.delivered, color: 'var(--chart-succeeded)' },
          { name: 'failed', label: t.notDelivered, color: 'var(--chart-failed)' },
        ]}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        barProps={STILL}
        barChartProps={SILENT}
      />
    </Chart>
  )
}
