/** What this room is given by whoever wires the house: its tools, and ports to rooms that stand above it. */
import type { Call } from '../../access/call.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { VerificationsNeeds } from '../verifications/index.ts'
import type { WhenRemoved } from './removing.ts'
import type { HumanUser } from './state.ts'

/** A message to a person that carries a code. */
export interface CodeMessage {
  /** As the person is after this write. */
  readonly user: Document<HumanUser>
  readonly code: string
  /** Where the link of a mail leads; not given: to our own page. */
  readonly urlTemplate?: string | undefined
  /** What the person is invited to. */
  readonly applicationName?: string | undefined
}

/** Messages that leave with the commit that asks for them. */
export interface Messages {
  /** Why a template cannot make links; undefined when it can. */
  urlTemplateProblem(template: string): string | undefined
  mailCode(work: Work, type: 'verify_email' | 'invitation', message: CodeMessage): Promise<void>
  /** Whether an SMS can be sent at all. */
  canText(): Promise<boolean>
  textCode(work: Work, message: CodeMessage): Promise<void>
}

/** A password for somebody new: as it will be typed, or as another system stored it. */
export interface GivenPassword {
  readonly password: { readonly plain: string } | { readonly hash: string }
  readonly changeRequired: boolean
  /** Its name in the request. */
  readonly field: string
}

/** A new password for somebody who may have one, and what proves that the caller may set it. */
export interface ReplacedPassword extends GivenPassword {
  readonly proof?: { readonly currentPassword: string } | { readonly verificationCode: string } | undefined
}

/** What is checked and hashed outside a write is put into it by calling this. */
export type SetPassword = (work: Work, userId: string) => Promise<void>

/** Passwords, which are another room's business. */
export interface PasswordPort {
  /** Checks a password by the rules of the organization and hashes it; `ownWords` it must not consist of. */
  prepare(given: GivenPassword, organizationId: string, ownWords: readonly string[]): Promise<SetPassword>
  /** The same for somebody who is there: throws unless the proof, or the caller's permission, suffices. */
  prepareChange(given: ReplacedPassword, call: Call, user: Document<HumanUser>): Promise<SetPassword>
  /** What is known about the passwords of these users; those without one are left out. */
  facts(userIds: readonly string[]): Promise<ReadonlyMap<string, PasswordFacts>>
}

export interface PasswordFacts {
  readonly changeRequired: boolean
  readonly changedAt: number
}

/** Authenticator apps, which are another room's business. */
export interface TotpPort {
  /** Why a text cannot be the secret of an app; undefined when it can. */
  problem(secret: string): string | undefined
  /** Keeps the secret of an app that somebody new uses already. */
  set(work: Work, user: { readonly userId: string; readonly owner: string }, secret: string): Promise<void>
}

/** A way to sign in, as rooms tell of it. */
export type AuthenticationMethod =
  | 'password'
  | 'passkey'
  | 'idp'
  | 'totp'
  | 'u2f'
  | 'otp_sms'
  | 'otp_email'
  | 'recovery_code'

/** The ways to sign in that a room knows for a user; `domain`: only those that work there. */
export type FindAuthenticationMethods = (
  userId: string,
  domain?: { readonly name: string; readonly withUnbound: boolean },
) => Promise<readonly AuthenticationMethod[]>

export interface UsersNeeds {
  readonly store: Store
  readonly newId: NewId
  readonly instanceId: string
  /** What other rooms keep for a user and remove with it. */
  readonly whenRemoved: readonly WhenRemoved[]
  /** What other rooms turn off, in the same commit, when the phone number of a user is taken away. */
  readonly whenPhoneRemoved: readonly WhenRemoved[]
  /** Asked, in the same commit, before a user is locked or deactivated; throws to prevent it. */
  readonly beforeLockedOut: readonly WhenRemoved[]
  /** Throws unless the caller holds all that the user holds: who controls somebody's address can become them. */
  readonly checkCovered: (call: Call, userId: string) => Promise<void>
  readonly codes: VerificationsNeeds
  readonly messages: Messages
  readonly passwords: PasswordPort
  readonly totp: TotpPort
  readonly authenticationMethods: readonly FindAuthenticationMethods[]
  /** Whether people of an organization can sign in with this identity provider; guarded until the commit. */
  readonly findIdentityProvider: (work: Work, idpId: string, organizationId: string) => Promise<boolean>
}
