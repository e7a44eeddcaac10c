/**
 * The life of one user, human or machine. Stream: `user`, owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

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

export interface Email {
  readonly address: string
  readonly isVerified: boolean
}

export interface Phone {
  /** In E.164 form. */
  readonly number: string
  readonly isVerified: boolean
}

/** How a person was asked to set up. */
export interface Invitation {
  /** The link of the mail when it was not our own page. */
  readonly urlTemplate?: string
  /** What the mail said the person is invited to. */
  readonly applicationName?: string
  /** False when the code was handed to the caller: then nobody here can send it again. */
  readonly isMailed: boolean
}

/**
 * Where a user name is unique when that is not the instance: the id of the organization that keeps names of its own.
 * It stands on the event, because what was unique when the name was given decides for as long as the name is held.
 */
export interface NameScope {
  readonly nameScope?: string
}

/** What a machine's access tokens look like: opaque, or signed and readable by everybody. */
export type AccessTokenType = 'bearer' | 'jwt'

export interface MachineProfile {
  readonly name: string
  readonly description: string
  readonly accessTokenType: AccessTokenType
}

export type UserEvent =
  /** `needsSetUp`: nobody can sign in as this human yet; the first visit sets a credential. */
  | Fact<
      'user.human_added.v1',
      {
        readonly userName: string
        readonly profile: Profile
        readonly email: Email
        readonly phone?: Phone
        readonly needsSetUp: boolean
      } & NameScope
    >
  | Fact<'user.machine_added.v1', { readonly userName: string } & MachineProfile & NameScope>
  /** The whole machine profile as it is afterwards. */
  | Fact<'user.machine_changed.v1', MachineProfile>
  | Fact<'user.machine_secret_set.v1', Record<never, never>>
  | Fact<'user.machine_secret_removed.v1', Record<never, never>>
  | Fact<'user.username_changed.v1', { readonly userName: string } & NameScope>
  /** The whole profile as it is afterwards. */
  | Fact<'user.profile_changed.v1', Profile>
  | Fact<'user.email_changed.v1', Email>
  | Fact<'user.email_verified.v1', Record<never, never>>
  | Fact<'user.phone_changed.v1', Phone>
  | Fact<'user.phone_verified.v1', Record<never, never>>
  | Fact<'user.phone_removed.v1', Record<never, never>>
  | Fact<'user.invited.v1', Invitation>
  | Fact<'user.invitation_accepted.v1', Record<never, never>>
  /** From now on somebody can sign in as this human. */
  | Fact<'user.set_up_finished.v1', Record<never, never>>
  | Fact<'user.deactivated.v1', Record<never, never>>
  | Fact<'user.reactivated.v1', Record<never, never>>
  | Fact<'user.locked.v1', Record<never, never>>
  | Fact<'user.unlocked.v1', Record<never, never>>
  | Fact<'user.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const userEventTypes: readonly string[] = Object.keys({
  'user.human_added.v1': true,
  'user.machine_added.v1': true,
  'user.machine_changed.v1': true,
  'user.machine_secret_set.v1': true,
  'user.machine_secret_removed.v1': true,
  'user.username_changed.v1': true,
  'user.profile_changed.v1': true,
  'user.email_changed.v1': true,
  'user.email_verified.v1': true,
  'user.phone_changed.v1': true,
  'user.phone_verified.v1': true,
  'user.phone_removed.v1': true,
  'user.invited.v1': true,
  'user.invitation_accepted.v1': true,
  'user.set_up_finished.v1': true,
  'user.deactivated.v1': true,
  'user.reactivated.v1': true,
  'user.locked.v1': true,
  'user.unlocked.v1': true,
  'user.removed.v1': true,
} satisfies Record<UserEvent['type'], true>)
