/** How the endpoint of a webhook is, a test, and what to check when it fails. */
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import {
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryOutcome,
  WebhookQueueState,
  WebhookState,
} from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { webhookTexts } from './texts/index.ts'

interface HealthProps {
  readonly webhook: Webhook
  readonly mayWrite: boolean
}

export function HealthSection({ webhook, mayWrite }: HealthProps) {
  const t = useTexts(webhookTexts)
  const { language } = useLanguage()
  const [tested, setTested] = useState<WebhookDelivery>()
  const test = useAction(WebhookService.method.testWebhook, {
    done: t.testSent,
    onDone: ({ delivery }) => setTested(delivery),
  })
  const { queue } = webhook
  const hasProblem = webhook.state === WebhookState.SWITCHED_OFF || queue?.state !== WebhookQueueState.WORKING
  const isTestFailed = tested !== undefined && tested.outcome !== WebhookDeliveryOutcome.DELIVERED
  return (
    <Section title={t.state}>
      <Problem webhook={webhook} />
      <Group gap="xl">
        <Fact label={t.lastDelivery}>
          <When time={queue?.lastDeliveryDate} />
        </Fact>
        <Fact label={t.behind}>{Number(queue?.behind ?? 0n).toLocaleString(language)}</Fact>
      </Group>
      {queue !== undefined && queue.waiting > 0 && <Text size="sm">{t.refusedCount({ count: queue.waiting })}</Text>}
      {queue !== undefined && queue.parked.length > 0 && (
        <Text size="sm">{t.parkedCount({ count: queue.parked.length })}</Text>
      )}
      {mayWrite && (
        <Button
          variant="default"
          w="fit-content"
          loading={test.isRunning}
          onClick={() => test.run({ webhookId: webhook.id })}
        >
          {t.test}
        </Button>
      )}
      {tested !== undefined && <TestResult delivery={tested} />}
      {(hasProblem || isTestFailed) && (
        <Stack gap="xs">
          <Text fw={500}>{t.checkTitle}</Text>
          <List size="sm">
            {t.checks.map((check) => (
              <List.Item key={check}>{check}</List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Section>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  )
}

function Problem({ webhook: { state, queue } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  if (state === WebhookState.SWITCHED_OFF) {
    return (
      <Alert color="yellow" icon={<Icon name="warning" />} title={t.offTitle}>
        {t.offText}
      </Alert>
    )
  }
  if (queue?.state === WebhookQueueState.PARKED) {
    return (
      <Alert color="red" icon={<Icon name="warning" />} title={t.parkedTitle}>
        {t.parkedText}
      </Alert>
    )
  }
  if (queue?.state !== WebhookQueueState.FAILING) return null
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={t.failingTitle}>
      {t.failingSince({ reason: queue.reason })} {t.nextAttempt} <When time={queue.nextAttemptDate} />
    </Alert>
  )
}

function TestResult({ delivery: { outcome, status, reason, answer } }: { readonly delivery: WebhookDelivery }) {
  const t = useTexts(webhookTexts)
  const isFine = outcome === WebhookDeliveryOutcome.DELIVERED
  return (
    <Alert color={isFine ? 'green' : 'yellow'} role="status">
      <Stack gap="xs">
        <Text size="sm">{isFine ? t.testDelivered({ status }) : t.testFailed({ reason })}</Text>
        {answer !== '' && <CodeBlock code={answer} label={t.answerBody} />}
      </Stack>
    </Alert>
  )
}
