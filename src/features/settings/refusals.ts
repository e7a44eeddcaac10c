/** Refusals about settings. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const settingsRefusals = {
  'settings.exists': ['conflict', 'The organization already has its own settings. Update them instead.'],
  'settings.no_own': ['not_found', 'The organization has no settings of its own.'],
  'settings.oidc_exists': ['conflict', 'The OpenID settings are already set. Update them instead.'],
  'settings.language_unsupported': ['invalid', 'This language is not supported.'],
  'settings.no_way_to_sign_in': [
    'invalid',
    'At least one sign-in method must be allowed: passwords, passkeys or identity providers.',
  ],
  'settings.no_second_factor': ['precondition', 'If a second factor is required, at least one must be allowed.'],
  'settings.factor_exists': ['conflict', 'This factor is already allowed.'],
  'settings.factor_not_found': ['not_found', 'This factor is not allowed.'],
  'settings.provider_not_offered': ['not_found', 'This identity provider is not offered.'],
  'settings.too_many_withheld': [
    'precondition',
    'Too many identity providers are hidden. Deactivate or remove some instead.',
  ],
  'settings.redirect_uri_invalid': ['invalid', 'The redirect URI is invalid.'],
  'settings.no_feature_given': ['invalid', 'The request sets no feature.'],
  'settings.base_uri_invalid': ['invalid', 'The URL of the login app is invalid.'],
  'settings.domain_invalid': ['invalid', 'A domain is invalid.'],
  'settings.assertion_party_invalid': ['invalid', 'A partner or issuer of identity assertions is invalid.'],
  'settings.origin_invalid': ['invalid', 'An allowed origin is invalid.'],
  'settings.color_invalid': ['invalid', 'A color must be hexadecimal, such as #5469d4.'],
  'settings.link_unsupported': ['invalid', 'Pages cannot show such a link.'],
  'settings.link_invalid': ['invalid', 'A link must be an http or https URL.'],
  'settings.support_email_invalid': ['invalid', 'The support address is not an email address.'],
  'settings.locale_invalid': ['invalid', 'The locale is not a language tag.'],
  'settings.texts_invalid': ['invalid', 'A text is invalid.'],
  'settings.texts_not_set': ['not_found', 'No texts are set here in this language.'],
  'settings.default_language_needed': ['precondition', 'The default language must be among the allowed languages.'],
  'settings.registration_closed': [
    'precondition',
    'Organizations are added by administrators. That cannot be changed.',
  ],
  'settings.domain_policy_fixed': [
    'precondition',
    'A login name is the username alone, and a domain counts only when it is verified. That cannot be changed.',
  ],
  'settings.generator_fixed': ['precondition', 'The secrets of applications cannot be changed.'],
  'settings.generator_symbols': ['invalid', 'Codes consist of letters and digits.'],
  'settings.generator_digits': ['invalid', 'One-time codes to sign in consist of digits.'],
  'settings.generator_weak': ['invalid', 'Codes like these would be too easy to guess, or too long.'],
  'settings.generator_expiry': ['invalid', 'Codes must be valid for at least a minute, and not for too long.'],
  'settings.provider_not_configured': ['not_found', 'There is no such provider.'],
  'settings.value_invalid': ['invalid', 'A setting has a value that it cannot have.'],
  'settings.only_instance': ['precondition', 'Only the instance has this setting.'],
  'settings.removed': ['not_found', 'The organization does not exist.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SettingsRefusal = keyof typeof settingsRefusals
