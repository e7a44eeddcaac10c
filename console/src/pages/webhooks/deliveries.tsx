/** What was sent to a webhook lately, as a chart and as a list, with request and answer. */
import { durationMs } from '@bufbuild/protobuf/wkt'
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import {
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryOutcome,
} from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { type ItemColumn, ItemList } from '../../parts/item-list.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { WebhookTexts } from './texts/en.ts'
import { webhookTexts } from './texts/index.ts'

const HourChart = lazy(async () => ({ default: (await import('./hour-chart.tsx')).HourChart }))

interface DeliveriesProps {
  readonly webhook: Webhook
  readonly mayWrite: boolean
}

function columnsOf(t: WebhookTexts): [ItemColumn<WebhookDelivery>, ...ItemColumn<WebhookDelivery>[]] {
  return [
    {
      key: 'event',
      header: t.event,
      cell: ({ eventType, sequence }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {sequence > 0n ? `${sequence} ${eventType}` : eventType}
        </Text>
      ),
    },
    { key: 'time', header: t.time, cell: ({ date }) => <When time={date} /> },
    {
      key: 'answer',
      header: t.answer,
      cell: ({ outcome, status, reason }) => (
        <StateBadge
          mood={outcome === WebhookDeliveryOutcome.DELIVERED ? 'good' : 'bad'}
          label={reason || `HTTP ${status}`}
        />
      ),
    },
    {
      key: 'duration',
      header: t.duration,
      cell: ({ duration }) => <Text size="sm">{duration === undefined ? '' : `${durationMs(duration)} ms`}</Text>,
    },
  ]
}

export function DeliveriesSection({ webhook: { id }, mayWrite }: DeliveriesProps) {
  const t = useTexts(webhookTexts)
  const query = useQuery(WebhookService.method.listWebhookDeliveries, { webhookId: id }, { refetchInterval: 10_000 })
  const [shown, setShown] = useState<WebhookDelivery>()
  const hours = query.data?.hours ?? []
  return (
    <>
      {hours.length > 0 && (
        <Suspense fallback={<PageLoader />}>
          <HourChart hours={hours} />
        </Suspense>
      )}
      <Section title={t.deliveries} description={t.deliveriesHint}>
        <ItemList
          label={t.deliveries}
          columns={columnsOf(t)}
          list={{ rows: query.data?.deliveries, error: query.error, refetch: query.refetch }}
          keyOf={(delivery) => `${delivery.sequence} ${delivery.date?.seconds} ${delivery.date?.nanos}`}
          textOf={({ sequence, eventType, reason }) => `${sequence} ${eventType} ${reason}`}
          empty={t.noDeliveries}
          actions={(delivery) =>
            delivery.sequence > 0n && (
              <Button size="compact-sm" variant="subtle" onClick={() => setShown(delivery)}>
                {t.show}
              </Button>
            )
          }
        />
      </Section>
      {shown !== undefined && (
        <DeliveryDialog webhookId={id} delivery={shown} mayWrite={mayWrite} onClose={() => setShown(undefined)} />
      )}
    </>
  )
}

interface DialogProps {
  readonly webhookId: string
  readonly delivery: WebhookDelivery
  readonly mayWrite: boolean
  onClose(): void
}

function DeliveryDialog({ webhookId, delivery, mayWrite, onClose }: DialogProps) {
  const t = useTexts(webhookTexts)
  const { close } = useTexts(partsTexts)
  const { sequence, answer } = delivery
  const query = useQuery(WebhookService.method.getWebhookDelivery, { webhookId, sequence })
  const replay = useAction(WebhookService.method.replayWebhook, { done: t.replayed, onDone: onClose })
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t.requestTitle({ sequence: String(sequence) })}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Reading query={query}>
          {({ body }) => <CodeBlock code={JSON.stringify(body, null, 2)} label={t.requestBody} />}
        </Reading>
        {answer === '' ? <Text size="sm">{t.noAnswer}</Text> : <CodeBlock code={answer} label={t.answerBody} />}
        {mayWrite && (
          <Group justify="flex-end">
            <Button
              loading={replay.isRunning}
              onClick={() => replay.run({ webhookId, after: sequence - 1n, until: sequence })}
            >
              {t.replay}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}
