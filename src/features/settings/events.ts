/**
 * What an instance or an organization has set for itself. Stream: `settings`, under the id of the instance or of the
 * organization, which also owns it. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
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

export type SettingsEvent =
  | Fact<'settings.password_complexity_set.v1', PasswordComplexity>
  | Fact<'settings.password_complexity_reset.v1', Record<never, never>>
  | Fact<'settings.lockout_set.v1', Lockout>
  | Fact<'settings.lockout_reset.v1', Record<never, never>>
  | Fact<'settings.organization_set.v1', { readonly organizationScopedUserNames: boolean; readonly setAt: Instant }>
  | Fact<'settings.organization_reset.v1', Record<never, never>>
  | Fact<'settings.default_language_set.v1', { readonly language: string }>
  /** The organization is no more. */
  | Fact<'settings.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const settingsEventTypes: readonly string[] = Object.keys({
  'settings.password_complexity_set.v1': true,
  'settings.password_complexity_reset.v1': true,
  'settings.lockout_set.v1': true,
  'settings.lockout_reset.v1': true,
  'settings.organization_set.v1': true,
  'settings.organization_reset.v1': true,
  'settings.default_language_set.v1': true,
  'settings.removed.v1': true,
} satisfies Record<SettingsEvent['type'], true>)
