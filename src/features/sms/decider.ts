/** Providers of text messages. A claim of their kind ensures that only one is active. Pure. */
import { isProvider, messageProviders, type Provider, sameMembers } from '../../kernel/message-provider.ts'
import type { SealedKey, SealedToken, SmsProviderEvent, TwilioAccount } from './events.ts'
import type { SmsRefusal } from './refusals.ts'

interface Living {
  readonly status: 'active' | 'inactive'
  readonly description: string
}

/** A webhook. */
export interface SmsWebhook extends Living {
  readonly type: 'http'
  readonly endpoint: string
  readonly secret: SealedKey
}

/** An account at Twilio. */
interface SmsAccount extends Living, TwilioAccount {
  readonly type: 'twilio'
  readonly secret: SealedToken
}

/** An existing provider. Text messages are sent through it when it is active. */
export type LivingSmsProvider = SmsWebhook | SmsAccount

export type SmsProvider = Provider<LivingSmsProvider>

/** Whether a provider exists. */
export const isLiving = isProvider<LivingSmsProvider>

const SWITCHED = {
  activated: 'sms_provider.activated.v1',
  deactivated: 'sms_provider.deactivated.v1',
  removed: 'sms_provider.removed.v1',
} as const

export const { decider: smsProvider, sealed: sealedOf } = messageProviders<
  LivingSmsProvider,
  SmsProviderEvent,
  SmsRefusal
>(
  { taken: 'sms.provider_id_taken', notFound: 'sms.provider_not_found', inactive: 'sms.provider_inactive' },
  {
    type: 'http',
    member: 'signingKey',
    starts: 'inactive',
    events: {
      ...SWITCHED,
      added: 'sms_provider.added.v1',
      changed: 'sms_provider.changed.v1',
      resealed: 'sms_provider.key_resealed.v1',
    },
    isSame: sameMembers('endpoint', 'description'),
    alreadyActive: 'sms.provider_active',
  },
  {
    type: 'twilio',
    member: 'token',
    starts: 'inactive',
    events: {
      ...SWITCHED,
      added: 'sms_provider.twilio_added.v1',
      changed: 'sms_provider.twilio_changed.v1',
      secretChanged: 'sms_provider.token_changed.v1',
      resealed: 'sms_provider.token_resealed.v1',
    },
    isSame: sameMembers('sid', 'senderNumber', 'verifyServiceSid', 'description'),
    alreadyActive: 'sms.provider_active',
  },
)
