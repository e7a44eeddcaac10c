/**
 * What only an export of Signet has, besides the drafts that readers of other products yield: objects with lines of their
 * own, and members of other drafts that no other product knows. See docs/reference/export-format.md.
 */
import type { Picture } from '../../features/grants/index.ts'
import type { RestoredCodes } from '../../features/one-time-codes/index.ts'
import type { Resource } from '../../features/resources/index.ts'
import type { Basis, Invitation } from '../../features/users/index.ts'
import type { AssetReference } from '../../kernel/asset-reference.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Draft } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import type { PasskeyDraft } from './draft-parts.ts'

/** An uploaded file; what refers to it names it by its ID. */
export interface AssetDraft extends Draft<'asset'> {
  /** Base64. */
  readonly bytes: string
}

/** Which identity providers an organization, or the instance, offers or not, where it has chosen. */
export interface ProviderChoicesDraft extends Draft<'provider-choices'> {
  readonly offered: readonly string[]
  readonly withheld: readonly string[]
}

/** The APIs of a project that tokens can be for; the ID is that of the project. */
export interface ResourcesDraft extends Draft<'resources'> {
  readonly resources: readonly Resource[]
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

/** What a user allowed an application. */
export interface ConsentDraft extends Draft<'consent'> {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resource?: string
  readonly picture?: Picture
  readonly givenAt: Instant
}

/** What an organization allowed a client for all of its users. */
export interface ApprovalDraft extends Draft<'agent-approval'> {
  readonly clientId: string
  readonly applicationId: string
  readonly resource: string
  readonly scopes: readonly string[]
  readonly picture?: Picture
  readonly givenAt: Instant
  readonly since: Instant
}

export type OwnDraft =
  | AssetDraft
  | ProviderChoicesDraft
  | ResourcesDraft
  | OwnPasskeyDraft
  | LinkDraft
  | ConsentDraft
  | ApprovalDraft

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
