/** Refusals about the account page. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const accountRefusals = {
  'account.registration_closed': ['forbidden', 'Visitors cannot create an account in this organization.'],
  'account.deletion_not_allowed': ['forbidden', 'Users cannot delete their own account.'],
  'account.last_sign_in_method': ['precondition', 'This is the last way to sign in. Add another one first.'],
} as const satisfies Catalogue
