/** Refusals about the instance. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const instanceRefusals = {
  'instance.exists': ['conflict', 'This database already has an instance.'],
  'instance.name_invalid': ['invalid', 'The name of the instance is not valid.'],
  'instance.not_found': ['not_found', 'The instance does not exist.'],
  'instance.api_project_exists': ['conflict', 'The instance already has an API project.'],
  'instance.machine_gone': ['precondition', 'The machine administrator was removed or is not active.'],
  'instance.setup_done': [
    'precondition',
    'The first administrator is already set up. To let an administrator in again, run signet admin recover.',
  ],
  'instance.not_owner': ['precondition', 'The user is not an owner of the instance.'],
  'instance.setup_code_invalid': ['invalid', 'The setup link is invalid or has expired.'],
  'instance.key_not_found': ['not_found', 'The encryption key does not exist.'],
  'instance.key_active': ['precondition', 'The active encryption key cannot be removed.'],
  'instance.key_exists': ['conflict', 'The encryption key is already in the key ring.'],
} as const satisfies Catalogue

/** A code of this module. */
export type InstanceRefusal = keyof typeof instanceRefusals
