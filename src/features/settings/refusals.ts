/** Every refusal about settings. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const settingsRefusals = {
  'settings.exists': ['conflict', 'The organization already has its own rules here; change them.'],
  'settings.no_own': ['not_found', 'The organization has no rules of its own here.'],
  'settings.unchanged': ['precondition', 'Nothing would change.'],
  'settings.language_unsupported': ['invalid', 'This language is not supported.'],
  'settings.no_way_to_sign_in': [
    'invalid',
    'Password, passkeys or identity providers must be allowed, or nobody signs in.',
  ],
  'settings.no_second_factor': ['precondition', 'A second factor would be required, but none would be allowed.'],
  'settings.factor_exists': ['conflict', 'This factor is allowed already.'],
  'settings.factor_not_found': ['not_found', 'This factor is not allowed.'],
  'settings.provider_not_offered': ['not_found', 'This identity provider is not offered here.'],
  'settings.too_many_withheld': [
    'precondition',
    'No more identity providers can be taken off; deactivate or remove some.',
  ],
  'settings.redirect_uri_invalid': ['invalid', 'Nobody can be led to this address.'],
  'settings.removed': ['not_found', 'There is no such organization.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SettingsRefusal = keyof typeof settingsRefusals
