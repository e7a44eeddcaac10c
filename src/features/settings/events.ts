/**
 * What an instance or an organization has set for itself. Stream: `settings`, under the id of the instance or of the
 * organization, which also owns it. Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import type { Reach } from '../../access/paths.ts'
import type { AssetReference } from '../../kernel/asset-reference.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { PathSection } from './sections.ts'
import type {
  Branding,
  BrandingSlot,
  FeatureFlags,
  Generator,
  GeneratorName,
  LegalLinks,
  Lockout,
  LoginSettings,
  Notifications,
  OidcLifetimes,
  PasswordComplexity,
  PasswordExpiry,
  SecuritySettings,
} from './values.ts'

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
