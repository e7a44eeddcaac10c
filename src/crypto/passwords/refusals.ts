/** The refusals of the password library. Modules pass them on or add the name of the field. */
import type { Catalogue } from '../../kernel/refusal.ts'

/** Code → kind and public sentence. */
export const passwordRefusals = {
  'password.busy': ['exhausted', 'Too many passwords are being checked. Try again later.'],
  'password.too_long': ['invalid', 'The password is too long.'],
  'password.not_text': ['invalid', 'The password is not valid Unicode text.'],
  'password.hash_unreadable': ['invalid', 'The format of the password hash is not supported.'],
  'password.hash_cost_out_of_bounds': ['invalid', 'The cost parameters of the password hash are out of range.'],
} as const satisfies Catalogue

/** One of the codes. */
export type PasswordRefusal = keyof typeof passwordRefusals
