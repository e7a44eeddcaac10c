/** Every refusal about the credentials of machines. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const machineRefusals = {
  'machine.token_not_found': ['not_found', 'There is no such personal access token.'],
  'machine.token_id_taken': ['conflict', 'This token id is, or was, in use.'],
  'machine.key_not_found': ['not_found', 'There is no such key.'],
  'machine.key_id_taken': ['conflict', 'This key id is, or was, in use.'],
  'machine.no_secret': ['precondition', 'The machine has no secret.'],
  'machine.above_own': ['forbidden', 'You cannot get hold of a credential of a user who may do more than you.'],
  'machine.expiration_past': ['invalid', 'The expiration date must be in the future.'],
  'machine.expiration_invalid': ['invalid', 'The expiration date is beyond the year 9999.'],
  'machine.public_key_invalid': ['invalid', 'The public key must be an RSA key of 2048 to 8192 bits in PEM.'],
  'machine.query_invalid': ['invalid', 'This query cannot be answered.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MachineRefusal = keyof typeof machineRefusals
