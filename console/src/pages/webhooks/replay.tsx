/** Sends a range of events again. */
import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import type { Webhook } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { webhookTexts } from './texts/index.ts'

export function ReplaySection({ webhook: { id } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  const [after, setAfter] = useState<number | string>('')
  const [until, setUntil] = useState<number | string>('')
  const replay = useAction(WebhookService.method.replayWebhook, { done: t.replayed })
  const run = () => replay.run({ webhookId: id, after: BigInt(after), ...(until !== '' && { until: BigInt(until) }) })
  return (
    <Section title={t.replayRange} description={t.replayHint}>
      <Group align="flex-end">
        <NumberInput label={t.after} min={0} allowDecimal={false} value={after} onChange={setAfter} />
        <NumberInput
          label={t.until}
          placeholder={t.untilHint}
          min={1}
          allowDecimal={false}
          value={until}
          onChange={setUntil}
        />
        <Button variant="default" disabled={after === ''} loading={replay.isRunning} onClick={run}>
          {t.replay}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t.untilHint}
      </Text>
    </Section>
  )
}
