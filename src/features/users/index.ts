/**
 * Users, human and machine: their state and their names; finding, locking, deactivating and removing them. Data of
 * human users, and the methods that return users, are in `humans`; the credentials of machine users are in `machines`.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import type { Work } from '../../store/index.ts'
import { endForUser } from '../generations/index.ts'
import { users } from './documents.ts'
import { removeUsersOf } from './handlers/remove-user.ts'
import { userRefusals } from './refusals.ts'
import { userMethods } from './rpc.ts'

/** Ends what was opened for a user; nothing when there is no such user. */
async function end(work: Work, userId: string, what: Parameters<typeof endForUser>[3]): Promise<void> {
  const user = await work.get(users, userId)
  if (user !== undefined) await endForUser(work, userId, user.owner, what)
}

export const usersModule = module({
  name: 'users',
  kinds: within('human', users),
  refusals: userRefusals,
  methods: userMethods,
  whenOrganizationRemoved: removeUsersOf,
  whenPasswordChanged: (_, work, userId) => end(work, userId, { of: 'password' }),
  whenUserLockedOut: (_, work, userId) => end(work, userId, { of: 'all' }),
  whenAuthorizationEnded: (_, work, userId, projectId) => end(work, userId, { of: 'project', projectId }),
})

export { activePerson, findUserStanding, readActiveHuman, readActiveMachine } from './active-person.ts'
export { type UserField, users } from './documents.ts'
export type { Email, Gender, MachineProfile, Phone, Profile } from './events.ts'
export {
  checkMachineTexts,
  checkNewMachine,
  checkUserName,
  type FieldProblem,
  type GivenMachine,
  problem,
  refuseProblems,
} from './field-problems.ts'
export {
  findHuman,
  humanForCaller,
  isUserInReach,
  lastOrganizationOfUser,
  organizationOfUser,
  readableUsers,
  readHuman,
  requireHuman,
  requireUser,
  userForCaller,
  userInReachToChange,
  userNotFound,
  userOfCaller,
  userOfOrganization,
  userOfOrganizationToChange,
  userToChange,
} from './find-user.ts'
export { addMachineTo, renameUser, requireActiveOrganization, requireChosenId } from './handlers/add-user.ts'
export { importState, putInState, setActive } from './handlers/change-state.ts'
export {
  decideUser,
  directoryOf,
  isHeldByDirectory,
  isManagedElsewhere,
  manageUser,
  releaseUser,
} from './handlers/managed.ts'
export { DELETION_JOB, type Deletion, noteDeletion } from './handlers/note-deletion.ts'
export { removeUser, removeUserIn } from './handlers/remove-user.ts'
export { hasPicture, setPicture } from './handlers/set-picture.ts'
export {
  findByLoginName,
  findBySignInName,
  holdersOfAddress,
  isAddressTaken,
  onlyOwner,
} from './login-names.ts'
export { emailV1, genders, namesOf, phoneV1, profileV1, type ShownFacts, userV1, userV2 } from './messages.ts'
export { findMachineByName, isIdOrNameOfUser, isOnlyOwnName, requireOwnName, scopeForName } from './name-scope.ts'
export { canonicalName, lineProblem, nameProblem } from './names.ts'
export { filtersOfV1, filtersOfV2, sortingOf } from './queries.ts'
export { userRefusals } from './refusals.ts'
export {
  type HumanUser,
  isDeactivated,
  isLiving,
  type LivingUser,
  type MachineUser,
  ownWordsOf,
  shownName,
  type User,
} from './state.ts'
