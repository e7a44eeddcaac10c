/** The state of one user: the fold of its events, and what is derived from it. */

import type { AssetReference } from '../../kernel/asset-reference.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Management } from '../../kernel/managed.ts'
import type { AccessTokenType, Email, Invitation, MachineProfile, Phone, Profile, UserEvent } from './events.ts'

/** `initial`: a human user who has no way to sign in yet. */
export type UserStatus = 'active' | 'inactive' | 'locked' | 'initial'

/**
 * Folded forms for filters and sorting that ignore case. All users have all fields, so that both engines sort in the
 * same way.
 */
export interface UserSearch {
  /** The key of the username, unique on the instance or in `nameScope`. */
  readonly userName: string
  readonly firstName: string
  readonly lastName: string
  readonly nickName: string
  /** The display name of a human user, or the name of a machine user. */
  readonly displayName: string
  readonly email: string
  /** The same address, if the user has proven it. */
  readonly provenEmail?: string
}

interface KnownUser {
  readonly status: UserStatus
  readonly needsSetUp: boolean
  /** As typed. It is also the login name. */
  readonly userName: string
  /** The organization in which the name is unique; if not set, the instance. */
  readonly nameScope?: string
  /** Since when the user has the name; if not set, since they were added. */
  readonly nameSince?: Instant
  readonly search: UserSearch
}

export interface HumanUser extends KnownUser {
  readonly type: 'human'
  readonly profile: Profile
  readonly email: Email
  readonly phone?: Phone
  /** The last invitation, until it is accepted. */
  readonly invitation?: Invitation
  /** When they last chose to continue without a second factor. */
  readonly mfaInitSkippedAt?: Instant
  readonly avatar?: AssetReference
  /** When the user will be deleted, because they asked for it. */
  readonly deletion?: { readonly requestedAt: Instant; readonly dueAt: Instant }
  /** The directory that feeds the user in. */
  readonly managedBy?: Management
}

export interface MachineUser extends KnownUser {
  readonly type: 'machine'
  readonly name: string
  readonly description: string
  readonly accessTokenType: AccessTokenType
  readonly hasSecret: boolean
}

/** An existing user. */
export type LivingUser = HumanUser | MachineUser

export type User = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingUser

/** Whether the user exists. */
export function isLiving(user: User): user is LivingUser {
  return user.status !== 'unknown' && user.status !== 'removed'
}

/** Whether the user is active: not locked, deactivated or removed. */
export function mayAct(user: User): user is LivingUser {
  return user.status === 'active' || user.status === 'initial'
}

/** Whether the user was deactivated. One who is locked was not: that is another decision, of others. */
export function isDeactivated(user: LivingUser): boolean {
  return user.status === 'inactive'
}

/** What a directory writes of those whom it manages, as one text to compare. */
export function managedFieldsOf(user: LivingUser): string {
  if (user.type === 'machine') return ''
  const { firstName, lastName, nickName, displayName } = user.profile
  const names = [user.userName, firstName, lastName, nickName, displayName]
  return JSON.stringify([names, user.email.address, user.phone?.number ?? '', isDeactivated(user)])
}

/** The words that the password of a human user must not consist of. */
export function ownWordsOf(userName: string, email: string, profile: Profile): readonly string[] {
  const { firstName, lastName, nickName, displayName } = profile
  return [userName, email, firstName, lastName, nickName, displayName].filter((word) => word !== '')
}

/** The display name of a user. */
export function shownName(user: LivingUser): string {
  return user.type === 'human' ? user.profile.displayName : user.name
}

function searchOfHuman(userName: string, profile: Profile, email: Email): UserSearch {
  return {
    userName: searchText(userName),
    firstName: searchText(profile.firstName),
    lastName: searchText(profile.lastName),
    nickName: searchText(profile.nickName),
    displayName: searchText(profile.displayName),
    ...searchOfEmail(email),
  }
}

function searchOfEmail({ address, basis }: Email): Pick<UserSearch, 'email' | 'provenEmail'> {
  const email = searchText(address)
  return { email, ...(basis === 'proven' && { provenEmail: email }) }
}

function withEmail(user: HumanUser, email: Email): HumanUser {
  const { provenEmail: _, ...search } = user.search
  return { ...user, email, search: { ...search, ...searchOfEmail(email) } }
}

/** An address is verified: who verified it without a proof has power over the user. */
function verifiedEmail(email: Email, isProven: boolean): Email {
  if (isProven) return { ...email, isVerified: true, basis: 'proven' }
  return { ...email, isVerified: true, ...(email.basis === 'typed' && { basis: 'asserted' }) }
}

function searchOfMachine(userName: string, name: string): UserSearch {
  return {
    userName: searchText(userName),
    firstName: '',
    lastName: '',
    nickName: '',
    displayName: searchText(name),
    email: '',
  }
}

function evolveMachine(user: LivingUser, change: Partial<MachineProfile & { hasSecret: boolean }>): User {
  return user.type === 'machine' ? { ...user, ...change } : user
}

type HumanEvent = Extract<
  UserEvent,
  {
    type: `user.${'profile' | 'email' | 'phone' | 'invited' | 'invitation' | 'set_up' | 'mfa' | 'avatar' | 'deletion' | 'managed' | 'released'}${string}`
  }
>

function evolveHuman(user: HumanUser, event: HumanEvent): HumanUser {
  switch (event.type) {
    case 'user.profile_changed.v1':
      return { ...user, profile: event.data, search: searchOfHuman(user.userName, event.data, user.email) }
    case 'user.email_changed.v1':
      return withEmail(user, event.data)
    case 'user.email_verified.v1':
      return withEmail(user, verifiedEmail(user.email, event.data.isProven === true))
    case 'user.phone_changed.v1':
      return { ...user, phone: event.data }
    case 'user.phone_verified.v1':
      return user.phone === undefined ? user : { ...user, phone: { ...user.phone, isVerified: true, ...event.data } }
    case 'user.phone_removed.v1': {
      const { phone: _, ...rest } = user
      return rest
    }
    case 'user.invited.v1':
      return { ...user, invitation: event.data }
    case 'user.invitation_accepted.v1': {
      const { invitation: _, ...rest } = user
      return rest
    }
    case 'user.set_up_finished.v1':
      return { ...user, needsSetUp: false, status: user.status === 'initial' ? 'active' : user.status }
    case 'user.mfa_init_skipped.v1':
      return { ...user, mfaInitSkippedAt: event.data.skippedAt }
    case 'user.avatar_set.v1':
      return { ...user, avatar: event.data.asset }
    case 'user.avatar_removed.v1': {
      const { avatar: _, ...rest } = user
      return rest
    }
    case 'user.managed.v1':
      return { ...user, managedBy: event.data }
    case 'user.released.v1': {
      const { managedBy: _, ...rest } = user
      return rest
    }
    case 'user.deletion_requested.v1':
      return { ...user, deletion: event.data }
    case 'user.deletion_cancelled.v1': {
      const { deletion: _, ...rest } = user
      return rest
    }
  }
}

export function evolveUser(user: User, event: UserEvent): User {
  if (event.type === 'user.human_added.v1') {
    const { needsSetUp, userName, nameScope, nameSince, profile, email, phone } = event.data
    const search = searchOfHuman(userName, profile, email)
    const status = needsSetUp ? 'initial' : 'active'
    const name = {
      userName,
      ...(nameScope !== undefined && { nameScope }),
      ...(nameSince !== undefined && { nameSince }),
    }
    return { type: 'human', status, needsSetUp, ...name, profile, email, ...(phone && { phone }), search }
  }
  if (event.type === 'user.machine_added.v1') {
    const { userName, nameScope, nameSince, name, description, accessTokenType } = event.data
    const search = searchOfMachine(userName, name)
    const rest = { name, description, accessTokenType, hasSecret: false, search }
    const scope = { ...(nameScope !== undefined && { nameScope }), ...(nameSince !== undefined && { nameSince }) }
    return { type: 'machine', status: 'active', needsSetUp: false, userName, ...scope, ...rest }
  }
  if (!isLiving(user)) return user
  switch (event.type) {
    case 'user.machine_changed.v1': {
      const { name, description, accessTokenType } = event.data
      const search = { ...user.search, displayName: searchText(name) }
      return evolveMachine(user.type === 'machine' ? { ...user, search } : user, { name, description, accessTokenType })
    }
    case 'user.machine_secret_set.v1':
      return evolveMachine(user, { hasSecret: true })
    case 'user.machine_secret_removed.v1':
      return evolveMachine(user, { hasSecret: false })
    case 'user.username_changed.v1': {
      const { userName, nameScope, since } = event.data
      const { nameScope: _, ...rest } = user
      const scope = nameScope === undefined ? {} : { nameScope }
      const name = { userName, ...scope, ...(since !== undefined && { nameSince: since }) }
      return { ...rest, ...name, search: { ...user.search, userName: searchText(userName) } }
    }
    case 'user.deactivated.v1':
      return { ...user, status: 'inactive' }
    case 'user.locked.v1':
      return { ...user, status: 'locked' }
    case 'user.reactivated.v1':
    case 'user.unlocked.v1':
      return { ...user, status: user.needsSetUp ? 'initial' : 'active' }
    case 'user.removed.v1':
      return { status: 'removed' }
    default:
      return user.type === 'human' ? evolveHuman(user, event) : user
  }
}
