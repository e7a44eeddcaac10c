/** The state of a webhook in one word. */
import { type Webhook, WebhookQueueState, WebhookState } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useTexts } from '../../texts/index.tsx'
import { webhookTexts } from './texts/index.ts'

export function WebhookBadge({ webhook: { state, queue } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts)
  if (state === WebhookState.PAUSED) return <StateBadge mood="stopped" label={t.paused} />
  if (state === WebhookState.SWITCHED_OFF) return <StateBadge mood="stopped" label={t.off} />
  if (queue?.state === WebhookQueueState.PARKED) return <StateBadge mood="bad" label={t.parked} />
  if (queue?.state === WebhookQueueState.FAILING) return <StateBadge mood="bad" label={t.failing} />
  return <StateBadge mood="good" label={t.working} />
}
