/** The texts of settings, in English. */

export const en = {
  title: 'Settings',
  areas: { general: 'Instance', tokens: 'Tokens', links: 'Links', features: 'Features' },
  instance: { title: 'Instance', address: 'Public address (issuer)', id: 'ID of the instance', version: 'Version' },
  languages: {
    title: 'Languages',
    default: 'Default language',
    defaultHint: 'For mails and pages, where neither the user nor the browser names another one.',
    allowed: 'Allowed',
  },
  security: {
    title: 'Security',
    embedding: 'Other sites may embed the hosted pages',
    embeddingHint: 'Without it, no site can show the sign-in page in a frame.',
    origins: 'Allowed sites',
    originsHint: 'Press Enter after each one.',
    impersonation: 'Impersonation',
    impersonationHint: 'Those with the role for it can exchange their token for one of another user.',
    registration: 'Applications may register themselves',
    registrationHint: 'OpenID Connect dynamic client registration.',
    openRegistration: 'Also without a token',
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
    lead: 'How long the tokens of all applications are valid.',
    lifetimes: 'Lifetimes',
    names: {
      accessTokenLifetime: 'Access tokens',
      idTokenLifetime: 'ID tokens',
      refreshTokenIdleExpiration: 'Refresh tokens, unused',
      refreshTokenExpiration: 'Refresh tokens, at most',
    },
    hints: {
      accessTokenLifetime: 'Short lifetimes limit the damage of a stolen token.',
      idTokenLifetime: 'Applications read it right after the sign-in.',
      refreshTokenIdleExpiration: 'One that is not used for this long expires.',
      refreshTokenExpiration: 'Users must sign in again after this time.',
    },
  },
  links: {
    title: 'Legal and support links',
    lead: 'Links on the hosted pages. An empty one is not shown.',
    invalid: 'Enter an address that begins with https:// or http://.',
    names: {
      tosLink: 'Terms of service',
      privacyLink: 'Privacy policy',
      helpLink: 'Help',
      docsLink: 'Documentation',
      supportEmail: 'Support (email address)',
      customLink: 'Another link',
      customLinkText: 'Text of the other link',
    },
  },
  features: {
    title: 'Feature flags',
    lead: 'Switches for programs that ask for them.',
    changed: 'Changed',
    login: 'Separate login app',
    required: 'All applications use the separate login app',
    requiredHint: 'Whatever they have set for themselves.',
    baseUri: 'URL of the login app',
    baseUriHint: 'Or a path on this server. If empty, the default path.',
    others: 'Stored for clients, without effect here',
    reset: 'Use the built-in values',
    resetDone: 'The built-in values apply again.',
    resetConsequence: 'All flags are set back to their built-in values.',
  },
}

export type SettingsTexts = typeof en
