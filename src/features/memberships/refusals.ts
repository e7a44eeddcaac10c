/** Every refusal about memberships. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const membershipRefusals = {
  'membership.not_found': ['not_found', 'The user is not a member there.'],
  'membership.exists': ['conflict', 'The user is already a member there.'],
  'membership.unchanged': ['precondition', 'The member already has exactly these roles.'],
  'membership.user_not_found': ['not_found', 'There is no such user.'],
  'membership.organization_not_found': ['not_found', 'There is no such organization.'],
  'membership.roles_invalid': ['invalid', 'These roles cannot be given there.'],
  'membership.above_own': ['forbidden', 'You can give, change and take only roles that you hold yourself.'],
  'user.above_own': ['forbidden', 'The user may do more than you: only who holds as much can change their addresses.'],
  'membership.last_owner': ['precondition', 'The instance must keep an owner who can sign in.'],
  'membership.query_invalid': ['invalid', 'This query cannot be answered.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MembershipRefusal = keyof typeof membershipRefusals
