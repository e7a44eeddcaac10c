/** The front of this room: all that others may know about users. */
import type { Method } from '../../access/method.ts'
import type { UsersNeeds } from './needs.ts'
import { userMethodsV1 } from './rpc-v1.ts'
import { userMethodsV2 } from './rpc-v2.ts'

export { addUser, checkMachineTexts, checkUserId, checkUserName, type NewUser } from './adding.ts'
export type { UserCommand } from './decider.ts'
export { USER_NAME_CLAIM, type UserField, users } from './documents.ts'
export type { AccessTokenType, Email, Gender, MachineProfile, Phone, Profile, UserEvent } from './events.ts'
export { userEventTypes } from './events.ts'
export { userForCaller, userOfOrganization } from './finding.ts'
export { instantOf } from './instants.ts'
export { canonicalName, lineProblem, nameProblem, paragraphProblem } from './names.ts'
export type { UsersNeeds } from './needs.ts'
export { type UserRefusal, userRefusals } from './refusals.ts'
export type { WhenRemoved } from './removing.ts'
export { type HumanUser, isLiving, type LivingUser, type MachineUser, shownName, type User } from './state.ts'

/** The methods of this room. */
export const userMethods = (needs: UsersNeeds): readonly Method[] => [...userMethodsV1(needs), ...userMethodsV2(needs)]
