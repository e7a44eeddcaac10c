/**
 * What an instance or an organization has set for itself. Stream: `settings`, under the id of the instance or of the
 * organization, which also owns it. Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import type { Reach } from '../../access/paths.ts'
import type { AssetReference } from '../../kernel/asset-reference.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { ThemeColors } from '../../theme/theme.ts'
import type { PathSection } from './sections.ts'

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

export const settingsEvents = declareEvents({
  'settings.password_complexity_set.v1': data<PasswordComplexity>(),
  'settings.password_complexity_reset.v1': data(),
  'settings.lockout_set.v1': data<Lockout>(),
  'settings.lockout_reset.v1': data(),
  /** All settings, also those that did not change, so that they do not depend on the built-in ones of that time. */
  'settings.login_set.v1': data<LoginSettings>(),
  /** The settings of the instance apply again, also for single providers. */
  'settings.login_reset.v1': data(),
  /** Whether users can choose an identity provider at sign-in, regardless of the instance. */
  'settings.identity_provider_offered.v1': data<{ readonly idpId: string }>(),
  'settings.identity_provider_withheld.v1': data<{ readonly idpId: string }>(),
  /** The provider was removed. */
  'settings.identity_provider_forgotten.v1': data<{ readonly idpId: string }>(),
  'settings.organization_set.v1': data<{ readonly organizationScopedUserNames: boolean; readonly setAt: Instant }>(),
  'settings.organization_reset.v1': data(),
  'settings.default_language_set.v1': data<{ readonly language: string }>(),
  /** How far whoever changed a section last reaches in the organization: it counts for nobody who holds more. */
  'settings.reach_set.v1': data<{ readonly section: PathSection; readonly reach: Reach }>(),
  /** The organization was removed. */
  'settings.removed.v1': data(),
  'settings.security_set.v1': data<SecuritySettings>(),
  /** A look that does not apply yet. */
  'settings.branding_drafted.v1': data<Omit<Branding, 'assets'>>(),
  /** The draft applies from now on. */
  'settings.branding_activated.v1': data(),
  'settings.branding_reset.v1': data(),
  /** A file of the look that does not apply yet. */
  'settings.branding_asset_drafted.v1': data<{ readonly slot: BrandingSlot; readonly asset: AssetReference }>(),
  'settings.branding_asset_withdrawn.v1': data<{ readonly slot: BrandingSlot }>(),
  'settings.legal_set.v1': data<LegalLinks>(),
  'settings.legal_reset.v1': data(),
  'settings.password_expiry_set.v1': data<PasswordExpiry>(),
  'settings.password_expiry_reset.v1': data(),
  /** Only the flags that change. */
  'settings.features_set.v1': data<FeatureFlags>(),
  'settings.features_reset.v1': data(),
  'settings.oidc_set.v1': data<OidcLifetimes>(),
  'settings.notifications_set.v1': data<Notifications>(),
  'settings.notifications_reset.v1': data(),
  /** The languages that users can choose; all supported ones when there are none. */
  'settings.languages_allowed.v1': data<{ readonly languages: readonly string[] }>(),
  'settings.generator_set.v1': data<{ readonly name: GeneratorName } & Generator>(),
})

export type SettingsEvent = EventOf<typeof settingsEvents>
