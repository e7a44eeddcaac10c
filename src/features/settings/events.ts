/**
 * What an instance or an organization has set for itself. Stream: `settings`, under the id of the instance or of the
 * organization, which also owns it. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What a password must be like. */
export interface PasswordComplexity {
  /** In code points. */
  readonly minLength: number
  readonly needsUppercase: boolean
  readonly needsLowercase: boolean
  readonly needsNumber: boolean
  readonly needsSymbol: boolean
}

/** How many wrong secrets in a row close the way on which they came; 0: as many as the server allows at all. */
export interface Lockout {
  readonly maxPasswordAttempts: number
  readonly maxOtpAttempts: number
}

/** What can follow a password, when it is allowed. */
export type AllowedSecondFactor = 'totp' | 'u2f' | 'otp_email' | 'otp_sms' | 'recovery_code'

/** What proves two factors at once, when it is allowed. */
export type AllowedMultiFactor = 'u2f_with_verification'

/** How users may sign in. A lifetime of 0 is no limit: a check is valid as long as the session. */
export interface LoginSettings {
  readonly allowsPassword: boolean
  readonly allowsPasskeys: boolean
  readonly allowsExternal: boolean
  /** Of all users, or only of those who sign in here; see `needsSecondFactor`. */
  readonly requiresSecondFactor: boolean
  readonly requiresSecondFactorLocalOnly: boolean
  readonly hidesPasswordReset: boolean
  /** Where the pages lead after a sign-in that no application asked for; empty: nowhere. */
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

/** What applications may do; kept for those that ask. */
export interface SecuritySettings {
  readonly allowsEmbedding: boolean
  readonly embeddingOrigins: readonly string[]
  readonly allowsImpersonation: boolean
  readonly allowsClientRegistration: boolean
  readonly allowsAnonymousClientRegistration: boolean
}

export const settingsEvents = declareEvents({
  'settings.password_complexity_set.v1': data<PasswordComplexity>(),
  'settings.password_complexity_reset.v1': data(),
  'settings.lockout_set.v1': data<Lockout>(),
  'settings.lockout_reset.v1': data(),
  /** All of them, also those that stay: what holds does not depend on what was built in when it was set. */
  'settings.login_set.v1': data<LoginSettings>(),
  /** The rules of the instance hold again, also about single providers. */
  'settings.login_reset.v1': data(),
  /** Users can choose an identity provider when they sign in, or not, whatever the instance has chosen. */
  'settings.identity_provider_offered.v1': data<{ readonly idpId: string }>(),
  'settings.identity_provider_withheld.v1': data<{ readonly idpId: string }>(),
  /** The provider was removed. */
  'settings.identity_provider_forgotten.v1': data<{ readonly idpId: string }>(),
  'settings.organization_set.v1': data<{ readonly organizationScopedUserNames: boolean; readonly setAt: Instant }>(),
  'settings.organization_reset.v1': data(),
  'settings.default_language_set.v1': data<{ readonly language: string }>(),
  /** The organization was removed. */
  'settings.removed.v1': data(),
  'settings.security_set.v1': data<SecuritySettings>(),
})

export type SettingsEvent = EventOf<typeof settingsEvents>
