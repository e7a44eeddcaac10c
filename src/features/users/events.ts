/**
 * The life of one user, human or machine. Stream: `user`, owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import type { AssetReference } from '../../kernel/asset-reference.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Management } from '../../kernel/managed.ts'

export type Gender = 'unspecified' | 'female' | 'male' | 'diverse'

export interface Profile {
  readonly firstName: string
  readonly lastName: string
  readonly nickName: string
  readonly displayName: string
  /** A BCP 47 tag, or empty. */
  readonly preferredLanguage: string
  readonly gender: Gender
}

/**
 * What connects a user with an address. `proven`: a code that was mailed there came back. `asserted`: somebody with power
 * over the user, or a provider, gave it. `typed`: the user or a visitor entered it.
 */
export type Basis = 'proven' | 'asserted' | 'typed'

export interface Email {
  readonly address: string
  readonly isVerified: boolean
  /** Not in earlier events, which do not tell a proof from an assertion. */
  readonly basis?: Basis
  /** Since when the user has it; if not set, since they were added. */
  readonly since?: Instant
}

export interface Phone {
  /** In E.164 format. */
  readonly number: string
  readonly isVerified: boolean
  /** A code that was sent there came back. Not in earlier events, which do not tell a proof from an assertion. */
  readonly isProven?: true
}

/** How a human was invited. */
export interface Invitation {
  /** Template of the link in the email. If not set, the built-in page. */
  readonly urlTemplate?: string
  /** The application in the email. */
  readonly applicationName?: string
  /** False when the caller got the code, so that it cannot be sent again. */
  readonly isMailed: boolean
  /** Until when a visitor can have it sent again; not there: not at all. */
  readonly expiresAt?: number
}

/**
 * Where a username is unique, if not on the instance: the ID of the organization with its own scope. It is in the
 * event, because the setting at that time applies as long as the user has this name.
 */
export interface NameScope {
  readonly nameScope?: string
}

/** Since when a user that was brought from elsewhere has the name, if that is not since they were added. */
export interface NameAge {
  readonly nameSince?: Instant
}

/** The type of a machine user's access tokens: opaque, or signed and readable (JWT). */
export type AccessTokenType = 'bearer' | 'jwt'

export interface MachineProfile {
  readonly name: string
  readonly description: string
  readonly accessTokenType: AccessTokenType
}

export const userEvents = declareEvents({
  /** `needsSetUp`: the user has no way to sign in yet. Accepting the invitation sets one. */
  'user.human_added.v1': data<
    {
      readonly userName: string
      readonly profile: Profile
      readonly email: Email
      readonly phone?: Phone
      readonly needsSetUp: boolean
    } & NameScope &
      NameAge
  >(),
  'user.machine_added.v1': data<{ readonly userName: string } & MachineProfile & NameScope & NameAge>(),
  /** The whole machine profile after the change. */
  'user.machine_changed.v1': data<MachineProfile>(),
  'user.machine_secret_set.v1': data(),
  'user.machine_secret_removed.v1': data(),
  /** `since`: not set if only the case has changed. */
  'user.username_changed.v1': data<{ readonly userName: string; readonly since?: Instant } & NameScope>(),
  /** The whole profile after the change. */
  'user.profile_changed.v1': data<Profile>(),
  'user.email_changed.v1': data<Email>(),
  /** `isProven`: a code that was mailed there came back. It can have been verified without before. */
  'user.email_verified.v1': data<{ readonly isProven?: true }>(),
  'user.phone_changed.v1': data<Phone>(),
  /** `isProven`: as for addresses. */
  'user.phone_verified.v1': data<{ readonly isProven?: true }>(),
  'user.phone_removed.v1': data(),
  'user.invited.v1': data<Invitation>(),
  'user.invitation_accepted.v1': data(),
  /** From now on the user can sign in. */
  'user.set_up_finished.v1': data(),
  'user.deactivated.v1': data(),
  'user.reactivated.v1': data(),
  'user.locked.v1': data(),
  'user.unlocked.v1': data(),
  'user.removed.v1': data(),
  /** The human chose to continue without a second factor. */
  'user.mfa_init_skipped.v1': data<{ readonly skippedAt: Instant }>(),
  'user.avatar_set.v1': data<{ readonly asset: AssetReference }>(),
  'user.avatar_removed.v1': data(),
  /** The human asked to be deleted then, unless they cancel it. */
  'user.deletion_requested.v1': data<{ readonly requestedAt: Instant; readonly dueAt: Instant }>(),
  'user.deletion_cancelled.v1': data(),
  /** A directory feeds this user in from now on. */
  'user.managed.v1': data<Management>(),
  /** No directory does so any more. */
  'user.released.v1': data(),
})

export type UserEvent = EventOf<typeof userEvents>
