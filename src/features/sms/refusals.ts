/** Every refusal about text messages. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const smsRefusals = {
  'sms.no_provider': [
    'precondition',
    'Text messages cannot be sent: add a webhook for them with AddSMSProviderHTTP (POST /admin/v1/sms/http) and activate it with ActivateSMSProvider.',
  ],
  'sms.provider_not_found': ['not_found', 'There is no such way for text messages.'],
  'sms.provider_id_taken': ['conflict', 'This id of a way for text messages is, or was, in use.'],
  'sms.provider_active': ['precondition', 'Text messages already leave this way.'],
  'sms.provider_inactive': ['precondition', 'Text messages do not leave this way.'],
  'sms.other_active': ['conflict', 'Text messages leave another way.'],
  'sms.endpoint_invalid': ['invalid', 'Text messages cannot be sent to this address.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SmsRefusal = keyof typeof smsRefusals
