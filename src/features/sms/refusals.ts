/** Refusals about text messages. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const smsRefusals = {
  'sms.provider_not_found': ['not_found', 'The SMS provider does not exist.'],
  'sms.provider_id_taken': ['conflict', 'The SMS provider ID is already taken.'],
  'sms.provider_active': ['precondition', 'The SMS provider is already active.'],
  'sms.provider_inactive': ['precondition', 'The SMS provider is not active.'],
  'sms.other_active': ['conflict', 'Another SMS provider is active.'],
  'sms.endpoint_invalid': ['invalid', 'The SMS provider endpoint is invalid.'],
  'sms.twilio_invalid': ['invalid', 'The Twilio account settings are invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SmsRefusal = keyof typeof smsRefusals
