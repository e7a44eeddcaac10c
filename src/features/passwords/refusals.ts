/** Every refusal about passwords of users; a wrong password is `password.wrong` in `verifications`. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const passwordsRefusals = {
  'password.against_policy': ['invalid', 'The password breaks the rules for passwords.'],
  'password.not_set': ['precondition', 'The user has no password.'],
  'password.changed_meanwhile': ['aborted', 'The password was changed at the same moment. Try again.'],
  'password.removed': ['not_found', 'There is no such user.'],
  'password.above_own': ['forbidden', 'You cannot get hold of the password of a user who may do more than you.'],
  'password.code_of_oneself': ['forbidden', 'A code for your own password is sent to you, not returned.'],
  'password.link_invalid': ['invalid', 'The link in the mail cannot be made from this template.'],
} as const satisfies Catalogue

export type PasswordsRefusal = keyof typeof passwordsRefusals
