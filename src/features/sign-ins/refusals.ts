/** Refusals about sign-ins. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const signInRefusals = {
  'sign_in.not_found': ['not_found', 'The sign-in does not exist, or is older than 90 days.'],
} as const satisfies Catalogue
