/**
 * What a reader of another product yields: an object as it is there now, in our words and with its own ID and dates. One
 * writer passes drafts to the modules, in the order of `DRAFT_KINDS`, so that whatever a draft names is there already.
 * Secrets are in the clear, or hashes as the source stores them; the writer seals them.
 */
import type { Instant } from '../../kernel/instant.ts'

/** What all drafts have. */
interface Draft<Kind extends string> {
  readonly kind: Kind
  readonly id: string
  /** The organization that owns it; empty for the instance. */
  readonly organizationId: string
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** A secret that we check with a function of another product: `$2a$04$…`. */
export interface ForeignHash {
  readonly hash: string
}

export interface SettingsDraft extends Draft<'settings'> {
  /** The section of the settings, and its members in the words of our own API: `login`, `passwordComplexity`, `branding`. */
  readonly section: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The text of one key of a page or mail in one language. */
export interface TextDraft extends Draft<'text'> {
  readonly target: 'page' | 'mail'
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
}

export interface WebKeyDraft extends Draft<'web-key'> {
  readonly state: 'initial' | 'active' | 'inactive'
  /** As JWK; without `d` it only verifies. The ID is the `kid`. */
  readonly key: Readonly<Record<string, unknown>>
}

export interface OrganizationDraft extends Draft<'organization'> {
  readonly name: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly domains: readonly { readonly name: string; readonly isVerified: boolean; readonly isPrimary: boolean }[]
  /** Whether user names are unique in this organization only. */
  readonly hasScopedUserNames: boolean
}

export interface IdentityProviderDraft extends Draft<'identity-provider'> {
  readonly name: string
  readonly isActive: boolean
  /** `oidc`, `oauth`, `google`, `github`, `azure`, `gitlab`, `apple`, … as our API names the template. */
  readonly type: string
  readonly clientId: string
  readonly clientSecret?: string
  /** Endpoints, scopes and options, in the words of our own API. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface ProjectDraft extends Draft<'project'> {
  readonly name: string
  readonly isActive: boolean
  readonly checksRoles: boolean
  readonly checksGrants: boolean
  readonly assertsRoles: boolean
  readonly privateLabeling: 'unspecified' | 'project-owner' | 'user-owner'
  readonly roles: readonly { readonly key: string; readonly displayName: string; readonly group: string }[]
}

export interface ProjectGrantDraft extends Draft<'project-grant'> {
  readonly projectId: string
  /** The organization that may use the project; `organizationId` owns it. */
  readonly grantedOrganizationId: string
  readonly roleKeys: readonly string[]
  readonly isActive: boolean
}

interface UserDraft<Kind extends string> extends Draft<Kind> {
  readonly userName: string
  readonly state: 'active' | 'inactive' | 'locked' | 'initial'
}

export interface HumanDraft extends UserDraft<'human'> {
  readonly profile: {
    readonly firstName: string
    readonly lastName: string
    readonly nickName?: string
    readonly displayName?: string
    readonly preferredLanguage?: string
    readonly gender?: 'female' | 'male' | 'diverse'
  }
  readonly email?: { readonly address: string; readonly isVerified: boolean }
  readonly phone?: { readonly number: string; readonly isVerified: boolean }
  /** In the form of `src/crypto/passwords`: `$2a$…`, `$argon2id$…`, `$pbkdf2-sha512$…`. */
  readonly password?: ForeignHash & { readonly changeRequired: boolean; readonly changedAt?: Instant }
  /** Base32. */
  readonly totpSecret?: string
  readonly otpEmail: boolean
  readonly otpSms: boolean
  readonly recoveryCodes: readonly ForeignHash[]
  readonly passkeys: readonly PasskeyDraft[]
  readonly links: readonly { readonly providerId: string; readonly userId: string; readonly userName: string }[]
}

export interface PasskeyDraft {
  readonly id: string
  readonly name: string
  /** `second-factor`: a security key that is used after the password. */
  readonly use: 'passkey' | 'second-factor'
  /** Base64url. */
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** The user handle that the authenticator stores, base64url; when it is not the user's ID. */
  readonly userHandle?: string
  readonly rpId: string
  readonly signCount: number
  readonly aaguid?: string
  readonly transports?: readonly string[]
  /** Undefined where the source does not keep it: it is learned at the first use. */
  readonly isBackupEligible?: boolean
  readonly createdAt: Instant
}

export interface MachineDraft extends UserDraft<'machine'> {
  readonly name: string
  readonly description: string
  readonly accessTokenType: 'bearer' | 'jwt'
  readonly secret?: ForeignHash
  /** SPKI, PEM. */
  readonly keys: readonly KeyDraft[]
  readonly tokens: readonly { readonly id: string; readonly createdAt: Instant; readonly expiresAt: Instant }[]
}

/** A public key of a machine user or an application. */
export interface KeyDraft {
  readonly id: string
  readonly publicKey: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** The key under which the source encrypted tokens that go on working: only their IDs are known, not their hashes. */
export interface TokenKeyDraft extends Draft<'token-key'> {
  /** 32 bytes, base64url. The ID is the `kid`. */
  readonly key: string
}

export interface ApplicationDraft extends Draft<'application'> {
  readonly projectId: string
  readonly name: string
  readonly isActive: boolean
  readonly clientId: string
  readonly secret?: ForeignHash | { readonly plain: string }
  readonly keys: readonly KeyDraft[]
  readonly type: 'oidc' | 'api'
  /** In the words of `oidcConfiguration` and `apiConfiguration` of our own API. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface MetadataDraft extends Draft<'metadata'> {
  readonly of: 'organization' | 'user'
  readonly objectId: string
  readonly key: string
  /** Base64. */
  readonly value: string
}

export interface AdministratorDraft extends Draft<'administrator'> {
  readonly userId: string
  readonly level: 'instance' | 'organization' | 'project' | 'project-grant'
  /** The ID of what is administered; of a project grant, `projectId` too. */
  readonly objectId: string
  readonly projectId?: string
  readonly roles: readonly string[]
}

export interface AuthorizationDraft extends Draft<'authorization'> {
  readonly userId: string
  readonly projectId: string
  readonly projectGrantId?: string
  readonly roleKeys: readonly string[]
  readonly isActive: boolean
}

export interface PictureDraft extends Draft<'picture'> {
  readonly of: 'user' | 'logo' | 'logo-dark' | 'icon' | 'icon-dark' | 'font'
  readonly objectId: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The order in which drafts are written. */
export const DRAFT_KINDS = [
  'token-key',
  'web-key',
  'organization',
  'settings',
  'text',
  'identity-provider',
  'project',
  'project-grant',
  'human',
  'machine',
  'application',
  'metadata',
  'administrator',
  'authorization',
  'picture',
] as const

export type AnyDraft =
  | TokenKeyDraft
  | WebKeyDraft
  | OrganizationDraft
  | SettingsDraft
  | TextDraft
  | IdentityProviderDraft
  | ProjectDraft
  | ProjectGrantDraft
  | HumanDraft
  | MachineDraft
  | ApplicationDraft
  | MetadataDraft
  | AdministratorDraft
  | AuthorizationDraft
  | PictureDraft

/** What is not carried, or only in part. It is in the report, never dropped silently. */
export interface Remark {
  readonly kind: string
  readonly id: string
  /** One sentence: what stays behind, and why. */
  readonly reason: string
}

/** One source, read as it is now. */
export interface Source {
  /** `zitadel`, `keycloak`, `auth0`: what the event says about where an object came from. */
  readonly name: string
  /** The issuer and the RP ID of the source, where they are known. */
  readonly issuer?: string
  /** How many drafts there are, for the remaining time; where it can be told quickly. */
  count?(): Promise<number | undefined>
  /** Everything, in the order of `DRAFT_KINDS`. It may be read more than once: for the dry run, and for the import. */
  read(): AsyncIterable<AnyDraft | { readonly remark: Remark }>
  /** Closes what it has opened. */
  close?(): Promise<void>
}
