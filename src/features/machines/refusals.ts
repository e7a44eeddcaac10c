/** Refusals about the credentials of machine users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const machineRefusals = {
  'machine.token_not_found': ['not_found', 'The personal access token does not exist.'],
  'machine.token_id_taken': ['conflict', 'The token ID is already taken.'],
  'machine.key_not_found': ['not_found', 'The machine key does not exist.'],
  'machine.key_id_taken': ['conflict', 'The key ID is already taken.'],
  'machine.no_secret': ['precondition', 'The machine user has no secret.'],
  'machine.expiration_past': ['invalid', 'The expiration date must be in the future.'],
  'machine.expiration_invalid': ['invalid', 'The expiration date must not be after the year 9999.'],
  'machine.public_key_invalid': ['invalid', 'The public key must be an RSA key of 2048 to 8192 bits in PEM format.'],
  'machine.token_key_taken': ['conflict', 'There is another token key with this ID.'],
  'machine.token_key_invalid': ['invalid', 'A token key must have 32 bytes.'],
  'machine.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MachineRefusal = keyof typeof machineRefusals
