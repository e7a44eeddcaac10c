/** Converts webhooks, their queues and their deliveries to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  WebhookDeliveryOutcome,
  type WebhookDeliverySchema,
  type WebhookHourSchema,
  type WebhookQueueSchema,
  WebhookQueueState,
  type WebhookSchema,
  WebhookState,
} from '../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import type { Attempt, AttemptsOfHour, QueueStatus } from '../deliveries/index.ts'
import type { LivingWebhook } from './decider.ts'
import { settingsMessage } from './settings.ts'

const STATES = {
  active: WebhookState.ACTIVE,
  paused: WebhookState.PAUSED,
  off: WebhookState.SWITCHED_OFF,
} as const satisfies Record<LivingWebhook['status'], WebhookState>

const OUTCOMES = {
  delivered: WebhookDeliveryOutcome.DELIVERED,
  refused: WebhookDeliveryOutcome.REFUSED,
  failed: WebhookDeliveryOutcome.FAILED,
  gone: WebhookDeliveryOutcome.GONE,
} as const satisfies Record<Attempt['outcome'], WebhookDeliveryOutcome>

function queueMessage(
  { failing, isParked, position, deferred, parked, deliveredAt }: QueueStatus,
  since: number,
  head: number,
): MessageInitShape<typeof WebhookQueueSchema> {
  const { WORKING, FAILING, PARKED } = WebhookQueueState
  const reached = position ?? since
  return {
    state: isParked ? PARKED : failing === undefined ? WORKING : FAILING,
    position: BigInt(reached),
    behind: BigInt(Math.max(0, head - reached)),
    ...(deliveredAt !== undefined && { lastDeliveryDate: timestampFromMs(deliveredAt) }),
    ...(failing !== undefined && {
      failingSince: timestampFromMs(failing.since),
      reason: failing.reason,
      ...(!isParked && { nextAttemptDate: timestampFromMs(failing.until) }),
    }),
    waiting: deferred.length,
    parked: parked.map(({ sequence, at, reason }) => ({
      sequence: BigInt(sequence),
      date: timestampFromMs(at),
      reason,
    })),
  }
}

/** A webhook with its queue. `head` is the number of the last event. */
export function webhookMessage(
  { instanceId, clock }: App,
  { id, owner, state, sequence, createdAt, changedAt }: Document<LivingWebhook>,
  queue: QueueStatus,
  head: number,
): MessageInitShape<typeof WebhookSchema> {
  const { status, formerUntil = 0 } = state
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    organizationId: owner === instanceId ? '' : owner,
    ...settingsMessage.show(state),
    state: STATES[status],
    queue: queueMessage(queue, sequence, head),
    ...(formerUntil > clock() && { formerSecretExpirationDate: timestampFromMs(formerUntil) }),
  }
}

/** One request and its answer. */
export function deliveryMessage(attempt: Attempt): MessageInitShape<typeof WebhookDeliverySchema> {
  const { sequence = 0, type, at, outcome, status, reason, milliseconds, body } = attempt
  return {
    sequence: BigInt(sequence),
    eventType: type,
    date: timestampFromMs(at),
    outcome: OUTCOMES[outcome],
    status,
    reason,
    duration: durationFromMs(milliseconds),
    answer: body,
  }
}

export function hourMessage({ at, delivered, failed }: AttemptsOfHour): MessageInitShape<typeof WebhookHourSchema> {
  return { date: timestampFromMs(at), delivered: BigInt(delivered), failed: BigInt(failed) }
}
