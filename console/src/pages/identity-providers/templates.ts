/** The kinds of identity providers: what each needs, and how it looks. */
import { ProviderType } from '../../../../contract/gen/signet/idp/v1/config_pb.ts'

export const TEMPLATES = [
  'google',
  'microsoft',
  'apple',
  'github',
  'gitlab',
  'oidc',
  'oauth',
  'saml',
  'githubServer',
  'gitlabServer',
  'zitadel',
  'ldap',
  'jwt',
] as const

export type Template = (typeof TEMPLATES)[number]

/** The fields that a template can have besides the name. */
export type ProviderField =
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

interface TemplateSpec {
  readonly type: ProviderType
  /** The usual name; our own logo is its letter in a shape. */
  readonly name: string
  readonly letter: string
  readonly color: string
  readonly fields: readonly ProviderField[]
  /** The end of the method names: `addGoogleProvider`, `updateGoogleProvider`. */
  readonly method: string
}

export const SPECS: Readonly<Record<Template, TemplateSpec>> = {
  google: {
    type: ProviderType.GOOGLE,
    name: 'Google',
    letter: 'G',
    color: '#2f6fde',
    fields: ['client', 'clientSecret'],
    method: 'GoogleProvider',
  },
  microsoft: {
    type: ProviderType.AZURE_AD,
    name: 'Microsoft',
    letter: 'M',
    color: '#0b6a9c',
    fields: ['client', 'clientSecret', 'tenant'],
    method: 'AzureADProvider',
  },
  apple: {
    type: ProviderType.APPLE,
    name: 'Apple',
    letter: 'A',
    color: '#3c4149',
    fields: ['client', 'appleKey'],
    method: 'AppleProvider',
  },
  github: {
    type: ProviderType.GITHUB,
    name: 'GitHub',
    letter: 'GH',
    color: '#2b3137',
    fields: ['client', 'clientSecret'],
    method: 'GitHubProvider',
  },
  gitlab: {
    type: ProviderType.GITLAB,
    name: 'GitLab',
    letter: 'GL',
    color: '#b5401b',
    fields: ['client', 'clientSecret'],
    method: 'GitLabProvider',
  },
  oidc: {
    type: ProviderType.OIDC,
    name: 'OpenID Connect',
    letter: 'ID',
    color: '#8a4a00',
    fields: ['client', 'issuer', 'clientSecret', 'usePkce', 'isIdTokenMapping'],
    method: 'GenericOIDCProvider',
  },
  oauth: {
    type: ProviderType.OAUTH,
    name: 'OAuth 2.0',
    letter: 'O2',
    color: '#5b3a94',
    fields: ['client', 'clientSecret', 'endpoints', 'idAttribute', 'usePkce'],
    method: 'GenericOAuthProvider',
  },
  saml: {
    type: ProviderType.SAML,
    name: 'SAML',
    letter: 'S',
    color: '#2f5d50',
    fields: ['saml'],
    method: 'SAMLProvider',
  },
  githubServer: {
    type: ProviderType.GITHUB_ES,
    name: 'GitHub Enterprise Server',
    letter: 'GH',
    color: '#2b3137',
    fields: ['client', 'clientSecret', 'endpoints'],
    method: 'GitHubEnterpriseServerProvider',
  },
  gitlabServer: {
    type: ProviderType.GITLAB_SELF_HOSTED,
    name: 'GitLab Self-Managed',
    letter: 'GL',
    color: '#b5401b',
    fields: ['client', 'issuer', 'clientSecret'],
    method: 'GitLabSelfHostedProvider',
  },
  zitadel: {
    type: ProviderType.ZITADEL,
    name: 'ZITADEL',
    letter: 'Z',
    color: '#1f4f8f',
    fields: ['client', 'issuer', 'clientSecret'],
    method: 'ZitadelProvider',
  },
  ldap: {
    type: ProviderType.LDAP,
    name: 'LDAP',
    letter: 'L',
    color: '#2d6a4f',
    fields: ['directory'],
    method: 'LDAPProvider',
  },
  jwt: {
    type: ProviderType.JWT,
    name: 'JWT',
    letter: 'J',
    color: '#7a3b69',
    fields: ['token'],
    method: 'JWTProvider',
  },
}

/** The template of a provider. */
export function templateOf(type: ProviderType): Template {
  return TEMPLATES.find((template) => SPECS[template].type === type) ?? 'oidc'
}

/** Whether the address names a template. */
export function isTemplate(text: string): text is Template {
  return (TEMPLATES as readonly string[]).includes(text)
}
