/** Every refusal about codes and wrong attempts. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const verificationRefusals = {
  /** Wrong, used, expired, replaced, for something else, never issued: one answer, so that trying reveals nothing. */
  'verification.code_invalid': ['invalid', 'The code is wrong, was used, or has expired.'],
  'verification.too_many': ['exhausted', 'Too many codes were asked for. Try again later.'],
  'verification.removed': ['not_found', 'There is no such user.'],
  'password.wrong': ['invalid', 'The password is wrong.'],
  'attempts.too_many': ['exhausted', 'Too many wrong attempts. Try again shortly.'],
  'attempts.locked': ['precondition', 'Too many wrong attempts. An administrator can unlock the user.'],
} as const satisfies Catalogue

export type VerificationRefusal = keyof typeof verificationRefusals
