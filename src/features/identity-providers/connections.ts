/** From what is given of a provider to its connection. The sign-in code handles connections and not brands. */
import type { Connection, InstanceRoles, MappingField, OAuthConnection, OidcConnection } from './events.ts'
import { type ProviderType, rowOf } from './provider-types.ts'

/** What requests and drafts say of a provider; which members count depends on the type. */
export interface GivenProvider {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly issuer?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly userEndpoint?: string
  readonly idAttribute?: string
  readonly usesPkce?: boolean
  readonly mapsIdToken?: boolean
  readonly displayNameMapping?: MappingField
  readonly userNameMapping?: MappingField
  /** Microsoft Entra ID: `common`, `organizations`, `consumers`, or the ID or a domain of one tenant. */
  readonly tenant?: string
  readonly trustsEmail?: boolean
  /** Apple. */
  readonly teamId?: string
  readonly keyId?: string
  /** ZITADEL. */
  readonly instanceRoles?: readonly InstanceRoles[]
}

/** The tenant of all personal accounts. Tokens contain this ID. */
const CONSUMERS_ID = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** What a type has besides its protocol. */
const OF_OIDC: { readonly [Type in ProviderType]?: (given: GivenProvider) => Partial<OidcConnection> } = {
  oidc: ({ usesPkce = true, mapsIdToken = false, displayNameMapping, userNameMapping }) => ({
    usesPkce,
    mapsIdToken,
    ...(displayNameMapping && { displayNameMapping }),
    ...(userNameMapping && { userNameMapping }),
  }),
  azure_ad: ({ tenant = 'common', trustsEmail = false }) => ({
    issuer: `${rowOf('azure_ad').server?.issuer}/${tenant === 'consumers' ? CONSUMERS_ID : tenant}/v2.0`,
    entra: { tenant, trustsEmail },
  }),
  // It has no userinfo endpoint, and the client signs its own secret with a key.
  apple: ({ teamId = '', keyId = '' }) => ({ mapsIdToken: true, apple: { teamId, keyId } }),
  zitadel: ({ instanceRoles = [] }) => ({
    zitadel: {
      instanceRoles: instanceRoles.map(({ organizationId, organizationDomain }) => {
        return { organizationId, organizationDomain }
      }),
    },
  }),
}

/** An OpenID Connect provider of a type. */
export function oidcConnection(type: ProviderType, given: GivenProvider): OidcConnection {
  return {
    protocol: 'oidc',
    issuer: rowOf(type).server?.issuer ?? given.issuer ?? '',
    clientId: given.clientId,
    scopes: given.scopes,
    usesPkce: true,
    displayNameMapping: 'unspecified',
    userNameMapping: 'unspecified',
    mapsIdToken: false,
    ...OF_OIDC[type]?.(given),
  }
}

/** An OAuth 2.0 provider of a type. The servers of GitHub are alike, wherever they are. */
export function oauthConnection(type: ProviderType, given: GivenProvider): OAuthConnection {
  const { server = given } = rowOf(type)
  const { authorizationEndpoint = '', tokenEndpoint = '', userEndpoint = '' } = server
  const isGeneric = type === 'oauth'
  return {
    protocol: 'oauth',
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    clientId: given.clientId,
    scopes: given.scopes,
    idAttribute: isGeneric ? (given.idAttribute ?? '') : 'id',
    usesPkce: isGeneric ? (given.usesPkce ?? true) : true,
    ...(!isGeneric && { emailsEndpoint: `${userEndpoint}/emails` }),
  }
}

/** The scopes to request from a provider: the given ones or the defaults; OpenID Connect Core 1.0 §3.1.2.1: openid. */
export function scopesOf(type: ProviderType, connection: Connection): readonly string[] {
  if (!('clientId' in connection)) return []
  const { protocol, scopes } = connection
  const given = scopes.flatMap((scope) => scope.split(' ')).filter((scope) => scope !== '')
  const chosen = given.length > 0 ? given : (rowOf(type).usualScopes ?? ['openid', 'profile', 'email'])
  return [...new Set(protocol === 'oidc' ? ['openid', ...chosen] : chosen)]
}
