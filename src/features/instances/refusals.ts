/** Every refusal about the instance. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const instanceRefusals = {
  'instance.exists': ['conflict', 'This database already has an instance.'],
  'instance.not_found': ['not_found', 'There is no such instance.'],
  'instance.machine_gone': ['precondition', 'The machine administrator has been removed or is not active.'],
  'instance.setup_done': ['precondition', 'The administrator has already been set up.'],
  'instance.setup_code_invalid': ['invalid', 'This set-up link is not valid, or no longer.'],
  'instance.key_not_found': ['not_found', 'There is no such key.'],
  'instance.key_active': ['precondition', 'The active key cannot be removed.'],
  'instance.key_exists': ['conflict', 'This key is already in the ring.'],
} as const satisfies Catalogue

/** A code of this module. */
export type InstanceRefusal = keyof typeof instanceRefusals
