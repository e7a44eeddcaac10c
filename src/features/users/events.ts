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
      }
    >
  | Fact<'user.machine_added.v1', { readonly userName: string } & MachineProfile>
  /** The whole machine profile as it is afterwards. */
  | Fact<'user.machine_changed.v1', MachineProfile>
  | Fact<'user.machine_secret_set.v1', Record<never, never>>
  | Fact<'user.machine_secret_removed.v1', Record<never, never>>
  | Fact<'user.username_changed.v1', { readonly userName: string }>
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
  'user.deactivated.v1': true,
  'user.reactivated.v1': true,
  'user.locked.v1': true,
  'user.unlocked.v1': true,
  'user.removed.v1': true,
} satisfies Record<UserEvent['type'], true>)
