/** The rules of users: which changes are allowed in which state. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { DirectoryOverride } from '../../kernel/managed.ts'
import { decideHuman, type HumanCommand } from './decisions/human.ts'
import type { Email, MachineProfile, NameAge, NameScope, Phone, Profile, UserEvent } from './events.ts'
import { nameProblem } from './names.ts'
import type { UserRefusal } from './refusals.ts'
import { evolveUser, isLiving, type LivingUser, managedFieldsOf, mayAct, type User } from './state.ts'

type AnyUserCommand =
  | HumanCommand
  | ({
      readonly type: 'add_human'
      readonly userName: string
      readonly profile: Profile
      readonly email: Email
      readonly phone?: Phone
      /** True until this human user has a way to sign in. */
      readonly needsSetUp: boolean
    } & NameScope &
      NameAge)
  | ({ readonly type: 'add_machine'; readonly userName: string } & MachineProfile & NameScope & NameAge)
  /** The whole machine profile after the change. */
  | ({ readonly type: 'change_machine' } & MachineProfile)
  /** The `machines` module stores the secret. The user only records that there is one. */
  | { readonly type: 'set_machine_secret' }
  | { readonly type: 'remove_machine_secret' }
  | ({ readonly type: 'change_username'; readonly userName: string; readonly at: Instant } & NameScope)
  | { readonly type: 'deactivate' }
  | { readonly type: 'reactivate' }
  | { readonly type: 'lock' }
  /** `hadFailed`: wrong attempts were counted, which unlocking has ended. */
  | { readonly type: 'unlock'; readonly hadFailed?: boolean }
  | { readonly type: 'remove' }

export type UserCommand = AnyUserCommand & DirectoryOverride

type AddUser = Extract<UserCommand, { type: 'add_human' | 'add_machine' }>
type UserDecision = Decision<UserEvent, UserRefusal>

function add(command: AddUser, state: User): UserDecision {
  if (state.status !== 'unknown') return refuse('user.id_taken')
  if (nameProblem(command.userName) !== undefined) return refuse('user.username_invalid')
  if (command.type === 'add_machine') {
    const { type: _, ...data } = command
    return accept({ type: 'user.machine_added.v1', data })
  }
  const { type: _, ...data } = command
  return accept({ type: 'user.human_added.v1', data })
}

function changeMachine({ name, description, accessTokenType }: MachineProfile, state: LivingUser): UserDecision {
  if (state.type !== 'machine') return refuse('user.not_machine')
  const isSame = name === state.name && description === state.description && accessTokenType === state.accessTokenType
  if (isSame) return refuse('user.machine_unchanged')
  return accept({ type: 'user.machine_changed.v1', data: { name, description, accessTokenType } })
}

function changeUserName(
  { userName, nameScope, at }: Extract<UserCommand, { type: 'change_username' }>,
  state: LivingUser,
): UserDecision {
  if (nameProblem(userName) !== undefined) return refuse('user.username_invalid')
  if (userName === state.userName) return refuse('user.username_unchanged')
  const scope = nameScope === undefined ? {} : { nameScope }
  const since = searchText(userName) === state.search.userName ? {} : { since: at }
  return accept({ type: 'user.username_changed.v1', data: { userName, ...scope, ...since } })
}

/** Whether events change what a directory writes of a user whom it manages. To remove the user changes nothing of it. */
function changesManaged(state: LivingUser, events: readonly UserEvent[]): boolean {
  if (state.type !== 'human' || state.managedBy === undefined) return false
  const after = events.reduce(evolveUser, state as User)
  return isLiving(after) && managedFieldsOf(after) !== managedFieldsOf(state)
}

function decideLiving(command: Exclude<UserCommand, AddUser>, state: LivingUser): UserDecision {
  switch (command.type) {
    case 'change_machine':
      return changeMachine(command, state)
    case 'set_machine_secret':
      if (state.type !== 'machine') return refuse('user.not_machine')
      if (state.status !== 'active') return refuse('user.not_active')
      return accept({ type: 'user.machine_secret_set.v1', data: {} })
    case 'remove_machine_secret':
      if (state.type !== 'machine') return refuse('user.not_machine')
      return state.hasSecret ? accept({ type: 'user.machine_secret_removed.v1', data: {} }) : refuse('user.no_secret')
    case 'change_username':
      return changeUserName(command, state)
    case 'deactivate':
      // A locked user can be deactivated; reactivating ends both states.
      return state.status === 'inactive' ? refuse('user.not_active') : accept({ type: 'user.deactivated.v1', data: {} })
    case 'reactivate':
      return state.status === 'inactive'
        ? accept({ type: 'user.reactivated.v1', data: {} })
        : refuse('user.not_inactive')
    case 'lock':
      return mayAct(state) ? accept({ type: 'user.locked.v1', data: {} }) : refuse('user.not_active')
    case 'unlock':
      if (state.status === 'locked' || (command.hadFailed === true && mayAct(state))) {
        return accept({ type: 'user.unlocked.v1', data: {} })
      }
      return command.hadFailed === true ? accept() : refuse('user.not_locked')
    case 'remove':
      return accept({ type: 'user.removed.v1', data: {} })
    default:
      return state.type === 'human' ? decideHuman(command, state) : refuse('user.not_human')
  }
}

export const user: Decider<UserCommand, User, UserEvent, UserRefusal> = {
  initial: { status: 'unknown' },

  evolve: evolveUser,

  decide(command, state) {
    if (command.type === 'add_human' || command.type === 'add_machine') return add(command, state)
    if (!isLiving(state)) return refuse('user.not_found')
    const decision = decideLiving(command, state)
    if (decision.refusal !== undefined || command.overridesDirectory === true) return decision
    return changesManaged(state, decision.events) ? refuse('user.managed') : decision
  },
}
