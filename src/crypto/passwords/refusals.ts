/** Every "no" of the password library; rooms let these pass or dress them with the field's name. */
import type { Catalogue } from '../../kernel/refusal.ts'

/** Code → kind and public sentence. */
export const passwordRefusals = {
  'password.busy': ['exhausted', 'Too many passwords are being checked right now. Try again shortly.'],
  'password.too_long': ['invalid', 'The password is too long.'],
  'password.not_text': ['invalid', 'The password is not well-formed Unicode text.'],
  'password.hash_unreadable': ['invalid', 'The password hash is not in a known format.'],
  'password.hash_cost_out_of_bounds': ['invalid', 'The cost of the password hash is out of bounds.'],
} as const satisfies Catalogue

/** One of the codes. */
export type PasswordRefusal = keyof typeof passwordRefusals
