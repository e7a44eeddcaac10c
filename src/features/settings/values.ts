/** What the sections of settings are made of. Events contain these values: members can be added, never changed or removed. */
import type { AssetReference } from '../../kernel/asset-reference.ts'
import type { ThemeColors } from '../../theme/theme.ts'

/** The password complexity policy. */
export interface PasswordComplexity {
  /** In code points. */
  readonly minLength: number
  readonly needsUppercase: boolean
  readonly needsLowercase: boolean
  readonly needsNumber: boolean
  readonly needsSymbol: boolean
}

/** Number of consecutive wrong secrets that locks each type of secret. 0 means the maximum of the server. */
export interface Lockout {
  readonly maxPasswordAttempts: number
  readonly maxOtpAttempts: number
}

/** An allowed second factor after a password. */
export type AllowedSecondFactor = 'totp' | 'u2f' | 'otp_email' | 'otp_sms' | 'recovery_code'

/** An allowed factor that counts as multi-factor authentication on its own. */
export type AllowedMultiFactor = 'u2f_with_verification'

/** How users can sign in. A lifetime of 0 has no limit: a check is valid as long as the session. */
export interface LoginSettings {
  readonly allowsPassword: boolean
  readonly allowsPasskeys: boolean
  readonly allowsExternal: boolean
  /** Whether visitors can create an account. Settings from before there was registration do not have it: not allowed. */
  readonly allowsRegistration?: boolean
  /** Whether users can sign in with their email address, too. Settings from before it existed do not have it: allowed. */
  readonly allowsEmailLogin?: boolean
  /** As above, for phone numbers. Kept for login pages of clients. */
  readonly allowsPhoneLogin?: boolean
  /** Whether login pages of clients find the organization of a user by the domain of the login name. */
  readonly allowsDomainDiscovery?: boolean
  /** What was asked for; the pages never tell who exists. */
  readonly ignoresUnknownUserNames?: boolean
  /** How long login pages of clients do not ask again for a second factor whose setup was skipped. */
  readonly setUpSkipMs?: number
  /**
   * Required from all users, or only from those who do not sign in with an identity provider; see `needsSecondFactor`.
   */
  readonly requiresSecondFactor: boolean
  readonly requiresSecondFactorLocalOnly: boolean
  readonly hidesPasswordReset: boolean
  /** Whether users can reset their password by themselves. Settings from before this could be forbidden: allowed. */
  readonly allowsPasswordReset?: boolean
  /** The URL that the pages redirect to after a sign-in that was not started by an application; empty: none. */
  readonly defaultRedirectUri: string
  readonly passwordLifetimeMs: number
  readonly externalLifetimeMs: number
  readonly secondFactorLifetimeMs: number
  readonly multiFactorLifetimeMs: number
  readonly secondFactors: readonly AllowedSecondFactor[]
  readonly multiFactors: readonly AllowedMultiFactor[]
  /** How long a session lasts when no other lifetime was requested; never 0. */
  readonly sessionLifetimeMs: number
}

/** Which sites may embed the hosted pages, and what applications may do. */
export interface SecuritySettings {
  readonly allowsEmbedding: boolean
  readonly embeddingOrigins: readonly string[]
  readonly allowsImpersonation: boolean
  readonly allowsClientRegistration: boolean
  readonly allowsAnonymousClientRegistration: boolean
  /** Whether users may delete their own account. Settings from before this was possible do not have it: not allowed. */
  readonly allowsSelfDeletion?: boolean
  /** How many clients can register themselves in an hour; undefined: as many as is built in. */
  readonly registrationsPerHour?: number
  /** Whether clients can be known by their metadata documents; undefined: not. */
  readonly allowsDocumentClients?: boolean
  /** The domains of such clients; undefined: any. */
  readonly documentClientDomains?: readonly string[]
  /** Whether agents can use our own API by the Model Context Protocol; undefined: not. */
  readonly servesMcp?: boolean
  /** Assertions about users between authorization servers; undefined: none are issued or accepted. */
  readonly assertions?: IdentityAssertions
}

/** Another authorization server, for which assertions about users are issued. */
export interface AssertionPartner {
  readonly issuer: string
  readonly clients: readonly { readonly clientId: string; readonly partnerClientId: string }[]
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
}

/** Another authorization server, whose assertions about users are accepted. */
export interface AssertionIssuer {
  readonly issuer: string
  readonly jwksUri: string
  /** The identity provider whose links say which user an assertion is about. */
  readonly providerId: string
  readonly clientIds: readonly string[]
}

/** Identity assertion grants. What is switched off stays set. */
export interface IdentityAssertions {
  readonly isIssuing: boolean
  readonly partners: readonly AssertionPartner[]
  readonly isAccepting: boolean
  readonly issuers: readonly AssertionIssuer[]
}

/** A file that belongs to the look of pages. */
export type BrandingSlot = 'logo' | 'logoDark' | 'icon' | 'iconDark' | 'font'

/** How login pages look. */
export interface Branding {
  /** The uploaded files. */
  readonly assets?: Readonly<Partial<Record<BrandingSlot, AssetReference>>>
  readonly light: ThemeColors
  readonly dark: ThemeColors
  readonly hidesLoginNameSuffix: boolean
  readonly disablesWatermark: boolean
  /** `auto`: as the browser prefers. */
  readonly themeMode: 'auto' | 'dark' | 'light'
}

/** Links on login pages; an empty one is not shown. */
export interface LegalLinks {
  readonly tosLink: string
  readonly privacyLink: string
  readonly helpLink: string
  readonly supportEmail: string
  readonly docsLink: string
  readonly customLink: string
  readonly customLinkText: string
}

/** After how many days a password must be changed, and how long before that clients warn; 0: never. */
export interface PasswordExpiry {
  readonly maxAgeDays: number
  readonly warnDays: number
}

/** How long tokens are valid. */
export interface OidcLifetimes {
  readonly accessTokenMs: number
  readonly idTokenMs: number
  /** A refresh token that is not used for this long expires. */
  readonly refreshIdleMs: number
  /** A chain of refresh tokens expires this long after the first one. */
  readonly refreshAbsoluteMs: number
}

/** A part of the server that a client asks to be faster. */
export type ImprovedPath = 'project_grant' | 'project' | 'user_grant' | 'org_domain_verified'

/** The feature flags that are set. */
export interface FeatureFlags {
  readonly loginDefaultOrg?: boolean
  readonly userSchema?: boolean
  readonly improvedPerformance?: readonly ImprovedPath[]
  readonly debugOidcParentError?: boolean
  readonly oidcSingleV1SessionTermination?: boolean
  readonly permissionCheckV2?: boolean
  readonly consoleUseV2UserApi?: boolean
  readonly enableRelationalTables?: boolean
  /** The separate login app; an empty URL is its default path. */
  readonly loginV2?: { readonly required: boolean; readonly baseUri: string }
}

/** Which messages users get that only tell them something. */
export interface Notifications {
  /** After their password was changed. */
  readonly passwordChange: boolean
}

/** A kind of codes or secrets. */
export type GeneratorName =
  | 'init_code'
  | 'verify_email'
  | 'verify_phone'
  | 'password_reset'
  | 'passkey_link'
  | 'app_secret'
  | 'otp_sms'
  | 'otp_email'
  | 'invite_code'

/** How codes of a kind look, and how long they are valid. */
export interface Generator {
  readonly length: number
  readonly expiryMs: number
  readonly hasLower: boolean
  readonly hasUpper: boolean
  readonly hasDigits: boolean
  readonly hasSymbols: boolean
}
