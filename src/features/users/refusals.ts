/** Refusals about users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const userRefusals = {
  'user.not_found': ['not_found', 'The user does not exist.'],
  'user.id_taken': ['conflict', 'The user ID is already taken.'],
  'user.username_taken': ['conflict', 'The username is already taken.'],
  'user.username_invalid': ['invalid', 'The username is invalid.'],
  'user.username_not_own': [
    'forbidden',
    'Without the permission user.write your username can only be your own verified email address.',
  ],
  'user.username_unchanged': ['precondition', 'The user already has this username.'],
  'user.field_invalid': ['invalid', 'The request has fields with characters that are not allowed.'],
  'user.email_invalid': ['invalid', 'The email address is invalid.'],
  'user.phone_invalid': ['invalid', 'The phone number is invalid.'],
  'user.totp_secret_invalid': ['invalid', 'The authenticator app secret is invalid.'],
  'user.language_invalid': ['invalid', 'The language tag is invalid.'],
  'user.query_invalid': ['invalid', 'The search query is invalid.'],
  'user.organization_not_found': ['not_found', 'The organization does not exist.'],
  'user.organization_inactive': ['precondition', 'The organization is deactivated.'],
  'user.managed': [
    'precondition',
    'A directory manages this user. Change it in the directory, or detach the user from it first.',
  ],
  'user.not_active': ['precondition', 'The user is not active.'],
  'user.not_inactive': ['precondition', 'The user is not deactivated.'],
  'user.not_locked': ['precondition', 'The user is not locked.'],
  'user.own_access': ['precondition', 'You cannot lock or deactivate yourself. Ask another administrator to do it.'],
  'user.not_machine': ['precondition', 'The user is not a machine user.'],
  'user.machine_unchanged': ['precondition', 'The request does not change the machine user.'],
  'user.no_secret': ['precondition', 'The machine user has no secret.'],
  'user.not_human': ['precondition', 'The user is not a human user.'],
  'user.email_verified': ['precondition', 'The email address is already verified.'],
  'user.email_not_verified': [
    'precondition',
    'The email address is not verified. Nothing that gives access is sent to it; verify it first.',
  ],
  'user.phone_not_verified': [
    'precondition',
    'The phone number is not verified. Nothing that gives access is sent to it; verify it first.',
  ],
  'user.phone_verified': ['precondition', 'The phone number is already verified.'],
  'user.url_template_invalid': ['invalid', 'The URL template is invalid.'],
  'user.no_phone': ['precondition', 'The user has no phone number.'],
  'user.no_code': ['precondition', 'There is no code to resend.'],
  'user.not_invited': ['precondition', 'The user has not been invited by email.'],
  'user.already_set_up': ['precondition', 'The user can already sign in.'],
  'user.identity_provider_not_found': ['not_found', 'The identity provider does not exist.'],
} as const satisfies Catalogue

/** A code of this module. */
export type UserRefusal = keyof typeof userRefusals
