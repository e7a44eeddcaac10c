/** Refusals about passwords of users; a wrong password is `password.wrong` in `verifications`. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const passwordsRefusals = {
  'password.against_policy': ['invalid', 'The password does not meet the password policy.'],
  'password.not_set': ['precondition', 'The user has no password.'],
  'password.changed_meanwhile': ['aborted', 'The password was changed at the same time. Try again.'],
  'password.removed': ['not_found', 'The user does not exist.'],
  'password.code_of_oneself': [
    'forbidden',
    'A reset code for your own password can only be sent to you. It is not returned.',
  ],
  'password.reset_not_allowed': ['forbidden', 'Users cannot reset their password by themselves here.'],
  'password.link_invalid': ['invalid', 'The URL template is invalid.'],
} as const satisfies Catalogue

export type PasswordsRefusal = keyof typeof passwordsRefusals
