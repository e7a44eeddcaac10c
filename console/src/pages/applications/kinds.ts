/** The kinds of applications, and the settings that fit each. */
import { APIAuthMethodType, type Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import {
  OIDCApplicationType,
  OIDCAuthMethodType,
  type OIDCConfiguration,
  OIDCGrantType,
} from '../../../../contract/gen/signet/application/v2/oidc_pb.ts'

/** The kinds of applications that a project has. */
export const KINDS = ['web', 'spa', 'native', 'api', 'saml'] as const

export type Kind = (typeof KINDS)[number]

/** Those with a client ID: what they start with are settings and code for OpenID Connect. */
export type OpenIdKind = Exclude<Kind, 'saml'>

/** Those that users sign in to with OpenID Connect. */
export type SignInKind = Exclude<OpenIdKind, 'api'>

/** What can be chosen; a machine is a user and not an application. */
export type Choice = Kind | 'machine'

const KIND_OF_TYPE: Readonly<Record<number, SignInKind>> = {
  [OIDCApplicationType.OIDC_APP_TYPE_WEB]: 'web',
  [OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT]: 'spa',
  [OIDCApplicationType.OIDC_APP_TYPE_NATIVE]: 'native',
}

/** The kind of an application with this configuration of OpenID Connect. */
export function signInKindOf({ applicationType }: OIDCConfiguration): SignInKind {
  return KIND_OF_TYPE[applicationType] ?? 'web'
}

/** The kind of an application. */
export function kindOf({ configuration }: Application): Kind {
  if (configuration.case === 'samlConfiguration') return 'saml'
  return configuration.case === 'oidcConfiguration' ? signInKindOf(configuration.value) : 'api'
}

/** The client id of an application. */
export function clientIdOf({ configuration }: Application): string {
  return configuration.case === 'samlConfiguration' ? '' : (configuration.value?.clientId ?? '')
}

/** What the application is known by in its protocol: its client ID, or the entity ID of a service provider. */
export function publicIdOf(application: Application): string {
  const { configuration } = application
  return configuration.case === 'samlConfiguration' ? configuration.value.entityId : clientIdOf(application)
}

/** Whether the application authenticates itself with a secret. */
export function hasSecret({ configuration }: Application): boolean {
  if (configuration.case === 'samlConfiguration') return false
  if (configuration.case === 'apiConfiguration')
    return configuration.value.authMethodType === APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC
  const method = configuration.value?.authMethodType
  return (
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC ||
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST
  )
}

/** Whether the application authenticates itself with keys. */
export function hasKeys({ configuration }: Application): boolean {
  if (configuration.case === 'samlConfiguration') return false
  if (configuration.case === 'apiConfiguration') {
    return configuration.value.authMethodType === APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT
  }
  return configuration.value?.authMethodType === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT
}

export const TYPE_OF_KIND = {
  web: OIDCApplicationType.OIDC_APP_TYPE_WEB,
  spa: OIDCApplicationType.OIDC_APP_TYPE_USER_AGENT,
  native: OIDCApplicationType.OIDC_APP_TYPE_NATIVE,
} as const

/** How applications authenticate themselves, by the name in forms. */
export const AUTH_METHODS = {
  basic: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
  post: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST,
  none: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE,
  key: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
} as const

export type AuthMethod = keyof typeof AUTH_METHODS

export const API_AUTH_METHODS = {
  basic: APIAuthMethodType.API_AUTH_METHOD_TYPE_BASIC,
  key: APIAuthMethodType.API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT,
} as const

/** The grant types that the server offers, by the name in forms. */
export const GRANT_TYPES = {
  code: OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE,
  refresh: OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN,
  device: OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE,
  exchange: OIDCGrantType.OIDC_GRANT_TYPE_TOKEN_EXCHANGE,
  ciba: OIDCGrantType.OIDC_GRANT_TYPE_CIBA,
} as const

export type GrantType = keyof typeof GRANT_TYPES

/** What a new application of a kind starts with. Apps that cannot keep a secret use PKCE alone (RFC 9700 §2.1.1). */
export const DEFAULTS = {
  web: { authMethod: 'basic', grantTypes: ['code'], example: 'https://app.example.com/callback' },
  spa: { authMethod: 'none', grantTypes: ['code', 'refresh'], example: 'https://app.example.com/' },
  native: { authMethod: 'none', grantTypes: ['code', 'refresh'], example: 'com.example.app:/callback' },
} as const satisfies Record<
  SignInKind,
  { readonly authMethod: AuthMethod; readonly grantTypes: readonly GrantType[]; readonly example: string }
>
