/**
 * What only an export of Signet has, besides the drafts that readers of other products yield: objects with lines of their
 * own, and members of other drafts that no other product knows. See docs/reference/export-format.md.
 */
import type { RestoredCodes } from '../../features/one-time-codes/index.ts'
import type { Basis, Invitation } from '../../features/users/index.ts'
import type { AssetReference } from '../../kernel/asset-reference.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Draft } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import type { PasskeyDraft } from './draft-parts.ts'

/** Which identity providers an organization, or the instance, offers or not, where it has chosen. */
export interface ProviderChoicesDraft extends Draft<'provider-choices'> {
  readonly offered: readonly string[]
  readonly withheld: readonly string[]
}

export interface OwnPasskeyDraft extends Draft<'passkey'>, Omit<PasskeyDraft, 'createdAt' | 'id'> {
  readonly userId: string
  readonly isBackedUp: boolean
  readonly usedAt?: Instant
}

/** A user is linked to an account at an identity provider. */
export interface LinkDraft extends Draft<'identity-link'> {
  readonly userId: string
  readonly providerId: string
  readonly externalUserId: string
  readonly externalUserName: string
  /** Nobody has confirmed it. */
  readonly isProposal?: true
}

export type OwnDraft = ProviderChoicesDraft | OwnPasskeyDraft | LinkDraft

/** What else is known of a human user. */
export interface KnownHuman {
  readonly needsSetUp?: boolean
  readonly nameSince?: Instant
  /** What connects the user with the email address, and since when. */
  readonly emailKnown?: { readonly basis?: Basis; readonly since?: Instant }
  readonly invitation?: Invitation
  readonly deletion?: { readonly requestedAt: Instant; readonly dueAt: Instant }
  readonly avatar?: AssetReference
  /** The 30-second step of the last code of the authenticator app, which is used up. */
  readonly totpStep?: number
  readonly recovery?: RestoredCodes
  /** The dates of the password and of the second factors. */
  readonly passwordDates?: Dates
  readonly factorDates?: Dates
}

/** Where the user names of an organization are unique, since when, and the dates of its settings. */
export interface KnownNameScope {
  readonly isScoped: boolean
  readonly createdAt: Instant
  readonly changedAt: Instant
  readonly settingsDates: Dates
}
