/**
 * The webhooks and Twilio accounts that text messages are sent to. Stream: `sms-provider`, owned by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

/** The encrypted key that signs requests to the webhook. */
export interface SealedKey {
  readonly signingKey: string
}

/** An account at Twilio, except its token. */
export interface TwilioAccount {
  readonly sid: string
  /** A number, a name, or the SID of a messaging service; empty if only a verify service sends. */
  readonly senderNumber: string
  /** Empty if messages are sent without one. */
  readonly verifyServiceSid: string
  readonly description: string
}

/** The encrypted token of an account at Twilio. */
export interface SealedToken {
  readonly token: string
}

export const smsProviderEvents = declareEvents({
  'sms_provider.added.v1': data<{
    readonly endpoint: string
    readonly description: string
    readonly secret: SealedKey
  }>(),
  /** Without `secret`, the signing key does not change. */
  'sms_provider.changed.v1': data<{
    readonly endpoint: string
    readonly description: string
    readonly secret?: SealedKey
  }>(),
  /** An unchanged signing key, encrypted with another data key. */
  'sms_provider.key_resealed.v1': data<{ readonly secret: SealedKey }>(),
  'sms_provider.twilio_added.v1': data<TwilioAccount & { readonly secret: SealedToken }>(),
  'sms_provider.twilio_changed.v1': data<TwilioAccount>(),
  'sms_provider.token_changed.v1': data<{ readonly secret: SealedToken }>(),
  /** An unchanged token, encrypted with another data key. */
  'sms_provider.token_resealed.v1': data<{ readonly secret: SealedToken }>(),
  'sms_provider.activated.v1': data(),
  'sms_provider.deactivated.v1': data(),
  'sms_provider.removed.v1': data(),
})

export type SmsProviderEvent = EventOf<typeof smsProviderEvents>
