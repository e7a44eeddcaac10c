/** Refusals about webhooks. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const webhookRefusals = {
  'webhook.not_found': ['not_found', 'The webhook does not exist.'],
  'webhook.id_taken': ['conflict', 'The webhook ID is already taken.'],
  'webhook.url_invalid': ['invalid', 'The URL of the webhook is invalid.'],
  'webhook.filter_unknown': ['invalid', 'The filter of the webhook names something that does not exist.'],
  'webhook.paused_already': ['precondition', 'The webhook is already paused.'],
  'webhook.inactive': ['precondition', 'The webhook is not active. Resume it first.'],
  'webhook.range_invalid': ['invalid', 'The range of events is invalid.'],
  'webhook.too_many_replays': ['exhausted', 'Too many replays are waiting. Try again later.'],
  'webhook.delivery_not_found': ['not_found', 'The webhook does not get this event, or it is no longer in the log.'],
} as const satisfies Catalogue

/** A code of this module. */
export type WebhookRefusal = keyof typeof webhookRefusals
