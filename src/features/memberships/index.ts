/** The front of this room: all that others may know about memberships. */
import type { Method } from '../../access/method.ts'
import type { MembershipsNeeds } from './needs.ts'
import { memberMethodsV1 } from './rpc-v1.ts'
import { administratorMethods } from './rpc-v2.ts'

export {
  addMemberTo,
  appointMember,
  type NewMember,
  removeMembershipsOf,
  sweepMemberships,
  sweepUsers,
} from './changes.ts'
export { grantsOf, type MembershipScope, memberships } from './documents.ts'
export type { MembershipEvent } from './events.ts'
export type { MembershipsNeeds } from './needs.ts'
export { keepAnOwner, keepAnOwnerBeside } from './owners.ts'
export { type MembershipRefusal, membershipRefusals } from './refusals.ts'

/** The methods of this room. */
export function membershipMethods(needs: MembershipsNeeds): readonly Method[] {
  return [...memberMethodsV1(needs), ...administratorMethods(needs)]
}
