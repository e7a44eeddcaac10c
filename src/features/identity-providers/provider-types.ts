/**
 * The types of providers, a row for each: what the server and the console know of it. With a row, its requests in the contract, its
 * mark on sign-in pages and its English text a type is there. Pure; the console reads it, too.
 */

/** The fields that a form can have besides the name. */
export type FormField =
  /** Client ID and scopes. */
  | 'client'
  | 'issuer'
  | 'clientSecret'
  | 'endpoints'
  | 'idAttribute'
  | 'usePkce'
  | 'isIdTokenMapping'
  | 'tenant'
  | 'appleKey'
  | 'directory'
  | 'token'
  | 'saml'

export interface ProviderRow {
  readonly protocol: 'oidc' | 'oauth' | 'ldap' | 'jwt' | 'saml'
  /** Its name, which is also the one of providers without another. */
  readonly name: string
  /** A product; providers of other types get a name from whoever adds them. */
  readonly isBrand?: true
  /** The end of the names of its methods: `addGoogleProvider`. */
  readonly method: string
  /** Its word in addresses of the console. */
  readonly template: string
  /** How the console draws it: letters in a color. */
  readonly letter: string
  readonly color: string
  readonly fields: readonly FormField[]
  /** Where all of its providers are; without, each has an address of its own. */
  readonly server?: {
    readonly issuer?: string
    readonly authorizationEndpoint?: string
    readonly tokenEndpoint?: string
    readonly userEndpoint?: string
  }
  /** What is requested where no scopes are given; without, what OpenID Connect defines. */
  readonly usualScopes?: readonly string[]
  /** The field of requests with the secret; without, there is none, or one that the server makes. */
  readonly secret?: 'clientSecret' | 'privateKey' | 'bindPassword'
  /** What generic OpenID providers become in a migration to it. */
  readonly migration?: string
}

const CLIENT = ['client', 'clientSecret'] as const
const GITHUB = {
  protocol: 'oauth',
  isBrand: true,
  letter: 'GH',
  color: '#2b3137',
  secret: 'clientSecret',
  usualScopes: ['read:user', 'user:email'],
} as const
const GITLAB = { protocol: 'oidc', isBrand: true, letter: 'GL', color: '#b5401b', secret: 'clientSecret' } as const

/** In the order in which the console offers them. */
export const PROVIDER_TYPES = {
  google: {
    protocol: 'oidc',
    name: 'Google',
    isBrand: true,
    method: 'GoogleProvider',
    template: 'google',
    letter: 'G',
    color: '#2f6fde',
    fields: CLIENT,
    server: { issuer: 'https://accounts.google.com' },
    secret: 'clientSecret',
    migration: 'google',
  },
  azure_ad: {
    protocol: 'oidc',
    name: 'Microsoft',
    isBrand: true,
    method: 'AzureADProvider',
    template: 'microsoft',
    letter: 'M',
    color: '#0b6a9c',
    fields: [...CLIENT, 'tenant'],
    server: { issuer: 'https://login.microsoftonline.com' },
    secret: 'clientSecret',
    migration: 'azure',
  },
  apple: {
    protocol: 'oidc',
    name: 'Apple',
    isBrand: true,
    method: 'AppleProvider',
    template: 'apple',
    letter: 'A',
    color: '#3c4149',
    fields: ['client', 'appleKey'],
    server: { issuer: 'https://appleid.apple.com' },
    secret: 'privateKey',
    usualScopes: ['openid', 'name', 'email'],
  },
  github: {
    ...GITHUB,
    name: 'GitHub',
    method: 'GitHubProvider',
    template: 'github',
    fields: CLIENT,
    server: {
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      userEndpoint: 'https://api.github.com/user',
    },
  },
  gitlab: {
    ...GITLAB,
    name: 'GitLab',
    method: 'GitLabProvider',
    template: 'gitlab',
    fields: CLIENT,
    server: { issuer: 'https://gitlab.com' },
  },
  oidc: {
    protocol: 'oidc',
    name: 'OpenID Connect',
    method: 'GenericOIDCProvider',
    template: 'oidc',
    letter: 'ID',
    color: '#8a4a00',
    fields: ['client', 'issuer', 'clientSecret', 'usePkce', 'isIdTokenMapping'],
    secret: 'clientSecret',
  },
  oauth: {
    protocol: 'oauth',
    name: 'OAuth 2.0',
    method: 'GenericOAuthProvider',
    template: 'oauth',
    letter: 'O2',
    color: '#5b3a94',
    fields: [...CLIENT, 'endpoints', 'idAttribute', 'usePkce'],
    secret: 'clientSecret',
    usualScopes: [],
  },
  saml: {
    protocol: 'saml',
    name: 'SAML',
    method: 'SAMLProvider',
    template: 'saml',
    letter: 'S',
    color: '#2f5d50',
    fields: ['saml'],
  },
  github_es: {
    ...GITHUB,
    name: 'GitHub Enterprise Server',
    method: 'GitHubEnterpriseServerProvider',
    template: 'githubServer',
    fields: [...CLIENT, 'endpoints'],
  },
  gitlab_self_hosted: {
    ...GITLAB,
    name: 'GitLab Self-Managed',
    method: 'GitLabSelfHostedProvider',
    template: 'gitlabServer',
    fields: ['client', 'issuer', 'clientSecret'],
  },
  zitadel: {
    protocol: 'oidc',
    name: 'ZITADEL',
    method: 'ZitadelProvider',
    template: 'zitadel',
    letter: 'Z',
    color: '#1f4f8f',
    fields: ['client', 'issuer', 'clientSecret'],
    secret: 'clientSecret',
  },
  ldap: {
    protocol: 'ldap',
    name: 'LDAP',
    method: 'LDAPProvider',
    template: 'ldap',
    letter: 'L',
    color: '#2d6a4f',
    fields: ['directory'],
    secret: 'bindPassword',
  },
  jwt: {
    protocol: 'jwt',
    name: 'JWT',
    method: 'JWTProvider',
    template: 'jwt',
    letter: 'J',
    color: '#7a3b69',
    fields: ['token'],
  },
} as const satisfies Readonly<Record<string, ProviderRow>>

/** The type that a provider was added as. Each is a configuration of one of the protocols. */
export type ProviderType = keyof typeof PROVIDER_TYPES

export const PROVIDER_ROWS = Object.entries<ProviderRow>(PROVIDER_TYPES) as readonly (readonly [
  ProviderType,
  ProviderRow,
])[]

/** What is known of a type. */
export function rowOf(type: ProviderType): ProviderRow {
  return PROVIDER_TYPES[type]
}

/** The host where users of all providers of a type sign in; undefined where each has its own. */
export function hostOfType(type: ProviderType): string | undefined {
  const { server } = rowOf(type)
  return URL.parse(server?.authorizationEndpoint ?? server?.issuer ?? '')?.host
}
