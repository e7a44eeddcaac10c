/**
 * Memberships: the roles of users on the instance, in organizations and on projects. This module stores them and returns the grants
 * of a user; granting and revoking roles is in `administrators`, which depends on users.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { memberships } from './documents.ts'
import { removeMembershipsIn } from './grants.ts'
import { membershipRefusals } from './refusals.ts'

export const membershipsModule = module({
  name: 'memberships',
  kinds: within('administrator', memberships),
  refusals: membershipRefusals,
  whenOrganizationRemoved: removeMembershipsIn,
})

export { isInstanceOwner, type Member, type Membership, rolesProblem } from './decider.ts'
export {
  grantIn,
  grantOf,
  holdsRole,
  type MembershipField,
  type MembershipScope,
  membershipId,
  membershipIdIn,
  memberships,
  membersIn,
  ownerOfScope,
  ownersOf,
} from './documents.ts'
export {
  allGrantsOf,
  currentGrantOf,
  endMemberships,
  findGrants,
  grantsOf,
  homeGrantsOf,
  isCovered,
  mayUsePath,
  requireCovers,
  requirePower,
} from './grants.ts'
export { membershipRefusals } from './refusals.ts'
