/** Refusals about typed second factors; a wrong code is `verification.code_invalid` in `verifications`. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const oneTimeCodeRefusals = {
  'totp.already_set_up': ['conflict', 'The user already has an authenticator app. Remove it first.'],
  'totp.not_set_up': ['precondition', 'The user has not set up an authenticator app.'],
  'totp.not_found': ['not_found', 'The user has no authenticator app.'],
  'totp.code_used': ['invalid', 'The code was already used. Wait for the next one.'],
  'otp.already_set_up': ['conflict', 'This verification method is already turned on.'],
  'otp.not_set_up': ['precondition', 'The user has not turned on this verification method.'],
  'otp.not_found': ['not_found', 'This verification method is not turned on.'],
  'otp.phone_not_verified': ['precondition', 'The user has no verified phone number.'],
  'otp.email_not_verified': ['precondition', 'The user has no verified email address.'],
  'otp.too_many': ['exhausted', 'Too many codes were requested. Try again later.'],
  'otp.sms_unavailable': ['precondition', 'No SMS provider is active, so no code can be sent.'],
  'otp.challenge_expired': ['precondition', 'The code has expired. Request a new one.'],
  'otp.code_used': ['invalid', 'The code was already used or replaced by a newer one.'],
  'otp.url_template_invalid': ['invalid', 'The URL template is invalid.'],
  'recovery_codes.not_set_up': ['precondition', 'The user has no recovery codes.'],
  'recovery_codes.code_used': ['invalid', 'The recovery code was already used.'],
  'one_time_codes.removed': ['not_found', 'The user does not exist.'],
} as const satisfies Catalogue

export type OneTimeCodeRefusal = keyof typeof oneTimeCodeRefusals
