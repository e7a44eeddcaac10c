/** Every refusal about users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const userRefusals = {
  'user.not_found': ['not_found', 'There is no such user.'],
  'user.id_taken': ['conflict', 'This user id is, or was, in use.'],
  'user.username_taken': ['conflict', 'This user name is already in use.'],
  'user.username_invalid': ['invalid', 'This user name cannot be used.'],
  'user.username_unchanged': ['precondition', 'The user already has this user name.'],
  'user.field_invalid': ['invalid', 'The request has fields with characters that cannot be used.'],
  'user.email_invalid': ['invalid', 'This is not an e-mail address that can be used.'],
  'user.phone_invalid': ['invalid', 'This is not a phone number.'],
  'user.totp_secret_invalid': ['invalid', 'This is not the secret of an authenticator app.'],
  'user.language_invalid': ['invalid', 'This is not a language tag.'],
  'user.query_invalid': ['invalid', 'This query cannot be answered.'],
  'user.organization_not_found': ['not_found', 'There is no such organization.'],
  'user.organization_inactive': ['precondition', 'The organization is deactivated.'],
  'user.not_active': ['precondition', 'The user is not active.'],
  'user.not_inactive': ['precondition', 'The user is not deactivated.'],
  'user.not_locked': ['precondition', 'The user is not locked.'],
  'user.not_machine': ['precondition', 'The user is not a machine.'],
  'user.machine_unchanged': ['precondition', 'Nothing about the machine would change.'],
  'user.no_secret': ['precondition', 'The machine has no secret.'],
  'user.not_human': ['precondition', 'The user is not a person.'],
  'user.email_verified': ['precondition', 'The e-mail address is already verified.'],
  'user.phone_verified': ['precondition', 'The phone number is already verified.'],
  'user.url_template_invalid': ['invalid', 'This is not a template for links.'],
  'user.no_phone': ['precondition', 'The user has no phone number.'],
  'user.no_code': ['precondition', 'There is no code that could be sent again.'],
  'user.no_sms_provider': [
    'precondition',
    'No SMS can be sent: add an SMS provider with AddSMSProviderHTTP and activate it, or ask for the code with returnCode.',
  ],
  'user.not_invited': ['precondition', 'The user has not been invited by mail.'],
  'user.already_set_up': ['precondition', 'The user can already sign in.'],
  'user.identity_provider_not_found': ['not_found', 'There is no such identity provider.'],
} as const satisfies Catalogue

/** A code of this module. */
export type UserRefusal = keyof typeof userRefusals
