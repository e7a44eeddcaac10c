/** Refusals about memberships. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const membershipRefusals = {
  'membership.not_found': ['not_found', 'The user is not a member.'],
  'membership.exists': ['conflict', 'The user is already a member.'],
  'membership.user_not_found': ['not_found', 'The user does not exist.'],
  'membership.organization_not_found': ['not_found', 'The organization does not exist.'],
  'membership.roles_invalid': ['invalid', 'The roles are invalid for this membership.'],
  'membership.above_own': ['forbidden', 'You can only grant or revoke roles that you have yourself.'],
  'user.above_own': ['forbidden', 'The user has permissions that you do not have.'],
  'membership.last_owner': ['precondition', 'The instance must keep at least one owner who can sign in.'],
  'membership.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MembershipRefusal = keyof typeof membershipRefusals
