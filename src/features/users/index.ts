/** The front of this room: all that others may know about users. */
import type { Method } from '../../access/method.ts'
import type { UsersNeeds } from './needs.ts'
import { userMethodsV1 } from './rpc-v1.ts'
import { peopleMethodsV1 } from './rpc-v1-people.ts'
import { userMethodsV2 } from './rpc-v2.ts'
import { contactMethodsV2 } from './rpc-v2-contacts.ts'
import { invitationMethodsV2 } from './rpc-v2-invitations.ts'
import { linkMethodsV2 } from './rpc-v2-links.ts'
import { metadataMethodsV2 } from './rpc-v2-metadata.ts'
import { peopleMethodsV2 } from './rpc-v2-people.ts'

export { addUser, addUserTo, checkMachineTexts, checkUserId, checkUserName, type NewUser } from './adding.ts'
export {
  type AddedHuman,
  addHuman,
  type DraftFields,
  type HumanDraft,
  type NewLink,
  ownWordsOf,
  type PreparedHuman,
  prepareHuman,
} from './adding-humans.ts'
export { readHuman } from './changing-humans.ts'
export { type Verification, verifyEmailBy } from './contact.ts'
export type { UserCommand } from './decider.ts'
export { USER_NAME_CLAIM, type UserField, userNameClaim, users } from './documents.ts'
export { draftOfHuman, fieldsOfHuman } from './drafts-v2.ts'
export { emailProblem } from './email.ts'
export type { AccessTokenType, Email, Gender, MachineProfile, Phone, Profile, UserEvent } from './events.ts'
export { userForCaller, userOfOrganization } from './finding.ts'
export { instantOf } from './instants.ts'
export { acceptInvitation, inviteAgain } from './inviting.ts'
export { findByLoginName } from './name-scope.ts'
export { canonicalName, lineProblem, nameProblem, paragraphProblem } from './names.ts'
export type {
  AuthenticationMethod,
  CodeMessage,
  FindAuthenticationMethods,
  GivenPassword,
  Messages,
  PasswordFacts,
  PasswordPort,
  ReplacedPassword,
  SetPassword,
  TotpPort,
  UsersNeeds,
} from './needs.ts'
export { phoneNumber } from './phone.ts'
export type { ProfileChange } from './profile.ts'
export { type UserRefusal, userRefusals } from './refusals.ts'
export type { WhenRemoved } from './removing.ts'
export { type HumanUser, isLiving, type LivingUser, type MachineUser, shownName, type User } from './state.ts'
export { verifyEmail, verifyPhone } from './verifying.ts'

/** The methods of this room. */
export function userMethods(needs: UsersNeeds): readonly Method[] {
  return [
    ...userMethodsV1(needs),
    ...peopleMethodsV1(needs),
    ...userMethodsV2(needs),
    ...peopleMethodsV2(needs),
    ...contactMethodsV2(needs),
    ...invitationMethodsV2(needs),
    ...linkMethodsV2(needs),
    ...metadataMethodsV2(needs),
  ]
}
