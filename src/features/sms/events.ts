/**
 * The webhooks that text messages leave through. Stream: `sms-provider`, owned by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

/** The key that signs requests to the webhook, sealed. */
export interface SealedKey {
  readonly signingKey: string
}

export type SmsProviderEvent =
  | Fact<
      'sms_provider.added.v1',
      { readonly endpoint: string; readonly description: string; readonly secret: SealedKey }
    >
  /** Without `secret` the signing key stays. */
  | Fact<
      'sms_provider.changed.v1',
      { readonly endpoint: string; readonly description: string; readonly secret?: SealedKey }
    >
  /** The same key, sealed with another one. */
  | Fact<'sms_provider.key_resealed.v1', { readonly secret: SealedKey }>
  | Fact<'sms_provider.activated.v1', Record<never, never>>
  | Fact<'sms_provider.deactivated.v1', Record<never, never>>
  | Fact<'sms_provider.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const smsEventTypes: readonly string[] = Object.keys({
  'sms_provider.added.v1': true,
  'sms_provider.changed.v1': true,
  'sms_provider.key_resealed.v1': true,
  'sms_provider.activated.v1': true,
  'sms_provider.deactivated.v1': true,
  'sms_provider.removed.v1': true,
} satisfies Record<SmsProviderEvent['type'], true>)
