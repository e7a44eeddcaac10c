/** The texts of settings, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'Settings',
  instance: { title: 'Instance', address: 'Public address (issuer)', id: 'Instance ID', version: 'Version' },
  languages: {
    title: 'Languages',
    default: 'Default language',
    defaultHint: 'Used for email and pages when neither the user nor the browser asks for another language.',
    allowed: 'Allowed',
  },
  security: {
    title: 'Security',
    embedding: 'Allow other sites to embed the hosted pages',
    embeddingHint: 'When off, no site can show the sign-in page in a frame.',
    origins: 'Allowed sites',
    originsHint: 'Press Enter after each one.',
    impersonation: 'Impersonation',
    impersonationHint: 'Users with an impersonator role can exchange their token for another user’s.',
    selfDeletion: 'Users can delete their own account',
    selfDeletionHint: 'On the account page, after a waiting period of 7 days in which they can cancel it.',
  },
  api: {
    title: 'API',
    explorer: 'API explorer',
    document: 'OpenAPI document',
    discovery: 'OpenID configuration',
    keys: 'Published keys (JWKS)',
  },
  tokens: {
    title: 'Tokens',
    lead: 'How long tokens are valid, for all applications.',
    lifetimes: 'Lifetimes',
    names: {
      accessTokenLifetime: 'Access tokens',
      idTokenLifetime: 'ID tokens',
      refreshTokenIdleExpiration: 'Refresh tokens (idle)',
      refreshTokenExpiration: 'Refresh tokens (maximum)',
    },
    hints: {
      accessTokenLifetime: 'Short lifetimes limit the damage of a stolen token.',
      idTokenLifetime: 'Applications read it right after sign-in.',
      refreshTokenIdleExpiration: 'A refresh token that isn’t used for this long expires.',
      refreshTokenExpiration: 'Users must sign in again after this time.',
    },
  },
  links: {
    title: 'Legal and support links',
    lead: 'Links on the hosted pages. Empty ones aren’t shown.',
    invalid: 'Enter a URL that starts with https:// or http://.',
    names: {
      tosLink: 'Terms of service',
      privacyLink: 'Privacy policy',
      helpLink: 'Help',
      docsLink: 'Documentation',
      supportEmail: 'Support (email address)',
      customLink: 'Custom link',
      customLinkText: 'Custom link text',
    },
  },
  features: {
    title: 'Feature flags',
    lead: 'Compatibility flags for API clients.',
    changed: 'Changed',
    login: 'Separate login app',
    required: 'Use the separate login app for all applications',
    requiredHint: 'Overrides the setting of each application.',
    baseUri: 'URL of the login app',
    baseUriHint: 'Or a path on this server. Defaults to the standard path.',
    reset: 'Reset to defaults',
    resetDone: 'Defaults restored.',
    resetConsequence: 'Resets all flags to their default values.',
  },
} as const

export type SettingsTexts = Sentences<typeof en>
