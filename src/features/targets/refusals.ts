/** Refusals about targets. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const targetRefusals = {
  'target.not_found': ['not_found', 'The target does not exist.'],
  'target.id_taken': ['conflict', 'The target ID is already taken.'],
  'target.name_taken': ['conflict', 'Another target has this name.'],
  'target.endpoint_invalid': ['invalid', 'The endpoint of the target is invalid.'],
  'target.public_key_invalid': ['invalid', 'The public key is invalid.'],
  'target.public_key_not_found': ['precondition', 'The target or its public key does not exist.'],
  'target.public_key_expired': ['precondition', 'The public key has expired.'],
  'target.public_key_active': ['precondition', 'The public key is active.'],
} as const satisfies Catalogue

/** A code of this module. */
export type TargetRefusal = keyof typeof targetRefusals
