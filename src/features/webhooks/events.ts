/**
 * Endpoints that get events. Stream: `webhook`, owned by the organization or by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What is sent, and how. */
export interface WebhookSettings {
  readonly name: string
  readonly url: string
  /** Types of events, or `user.*` for all that begin so; empty: all. */
  readonly eventTypes: readonly string[]
  /** Kinds of objects; empty: all. */
  readonly objectTypes: readonly string[]
  readonly timeoutMs: number
  readonly perSecond: number
  /** Whether requests contain the object as it is when they are sent; not set: no. */
  readonly includesDocument?: boolean
}

/** The encrypted keys of the signatures. */
export interface SealedKeys {
  readonly key: string
  /** The one before, as long as it is used, too. */
  readonly former?: string
}

export const webhookEvents = declareEvents({
  'webhook.added.v1': data<WebhookSettings & { readonly secret: SealedKeys }>(),
  'webhook.changed.v1': data<Partial<WebhookSettings>>(),
  'webhook.secret_rotated.v1': data<{ readonly formerUntil?: Instant; readonly secret: SealedKeys }>(),
  /** Unchanged keys, encrypted with another data key. */
  'webhook.secret_resealed.v1': data<{ readonly secret: SealedKeys }>(),
  'webhook.paused.v1': data(),
  'webhook.resumed.v1': data(),
  /** The endpoint answered that it is gone. */
  'webhook.switched_off.v1': data(),
  'webhook.removed.v1': data(),
})

export type WebhookEvent = EventOf<typeof webhookEvents>
