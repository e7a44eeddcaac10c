/** Refusals about codes and wrong attempts. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const verificationRefusals = {
  /**
   * Wrong, used, expired, replaced, for another purpose, or never issued: the same refusal, so that trying reveals
   * nothing.
   */
  'verification.code_invalid': ['invalid', 'The code is wrong, was already used or has expired.'],
  'verification.too_many': ['exhausted', 'Too many codes were requested. Try again later.'],
  'verification.removed': ['not_found', 'The user does not exist.'],
  'password.wrong': ['invalid', 'The password is wrong.'],
  'attempts.too_many': ['exhausted', 'Too many failed attempts. Try again later.'],
  'attempts.locked': [
    'precondition',
    'Too many failed attempts. The user is locked for some time. Try again later, or ask an administrator to unlock the user.',
  ],
} as const satisfies Catalogue

export type VerificationRefusal = keyof typeof verificationRefusals
