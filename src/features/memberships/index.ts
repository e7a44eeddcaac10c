/**
 * Memberships: which roles a user holds on the instance or in an organization. This module keeps them and answers what a
 * user holds; giving and taking roles is in `administrators`, which knows users.
 */
import { module } from '../../access/module.ts'
import { memberships } from './documents.ts'
import { removeMembershipsIn } from './grants.ts'
import { membershipRefusals } from './refusals.ts'

export const membershipsModule = module({
  name: 'memberships',
  kinds: [memberships],
  refusals: membershipRefusals,
  whenOrganizationRemoved: removeMembershipsIn,
})

export { isInstanceOwner, type Member, type Membership, rolesProblem } from './decider.ts'
export {
  grantOf,
  holdsRole,
  type MembershipField,
  type MembershipScope,
  membershipId,
  memberships,
  ownersOf,
} from './documents.ts'
export { grantsOf, isAboveOrganization, isCovered, requireCovers } from './grants.ts'
export { membershipRefusals } from './refusals.ts'
