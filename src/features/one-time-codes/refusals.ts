/** Every refusal about typed second factors; a wrong code is `verification.code_invalid` in `verifications`. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const oneTimeCodeRefusals = {
  'totp.already_set_up': ['conflict', 'The user has an authenticator app. Remove it first.'],
  'totp.not_set_up': ['precondition', 'The user has not set up an authenticator app.'],
  'totp.not_found': ['not_found', 'The user has no authenticator app.'],
  'totp.code_used': ['invalid', 'This code was used already. Wait for the next one.'],
  'otp.already_set_up': ['conflict', 'Codes are sent to the user this way already.'],
  'otp.not_set_up': ['precondition', 'The user has not set up codes that are sent this way.'],
  'otp.not_found': ['not_found', 'No codes are sent to the user this way.'],
  'otp.phone_not_verified': ['precondition', 'The user has no phone number that is verified.'],
  'otp.email_not_verified': ['precondition', 'The e-mail address of the user is not verified.'],
  'otp.too_many': ['exhausted', 'Too many codes were asked for. Try again later.'],
  'otp.challenge_expired': ['precondition', 'The code has expired. Ask for a new one.'],
  'otp.code_used': ['invalid', 'This code was used already, or a newer one was made.'],
  'otp.url_template_invalid': ['invalid', 'This is not a template for links.'],
  'recovery_codes.not_set_up': ['precondition', 'The user has no recovery codes.'],
  'recovery_codes.not_found': ['not_found', 'The user has no recovery codes.'],
  'recovery_codes.code_used': ['invalid', 'This recovery code was used already.'],
  'one_time_codes.removed': ['not_found', 'There is no such user.'],
  'one_time_codes.above_own': ['forbidden', 'You cannot set up a second factor of a user who may do more than you.'],
} as const satisfies Catalogue

export type OneTimeCodeRefusal = keyof typeof oneTimeCodeRefusals
