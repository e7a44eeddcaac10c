/** Every "no" about users. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const userRefusals = {
  'user.not_found': ['not_found', 'There is no such user.'],
  'user.id_taken': ['conflict', 'This user id is, or was, in use.'],
  'user.username_taken': ['conflict', 'This user name is already in use.'],
  'user.username_invalid': ['invalid', 'This user name cannot be used.'],
  'user.username_unchanged': ['precondition', 'The user already has this user name.'],
  'user.field_invalid': ['invalid', 'The request has fields with characters that cannot be used.'],
  'user.query_invalid': ['invalid', 'This query cannot be answered.'],
  'user.organization_not_found': ['not_found', 'There is no such organization.'],
  'user.organization_inactive': ['precondition', 'The organization is deactivated.'],
  'user.not_active': ['precondition', 'The user is not active.'],
  'user.not_inactive': ['precondition', 'The user is not deactivated.'],
  'user.not_locked': ['precondition', 'The user is not locked.'],
  'user.not_machine': ['precondition', 'The user is not a machine.'],
  'user.machine_unchanged': ['precondition', 'Nothing about the machine would change.'],
  'user.no_secret': ['precondition', 'The machine has no secret.'],
} as const satisfies Catalogue

/** A code of this room. */
export type UserRefusal = keyof typeof userRefusals
