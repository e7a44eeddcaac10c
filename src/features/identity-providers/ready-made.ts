/**
 * Predefined providers, which need only a client. Each is a configuration of one of the two protocols, so that the
 * sign-in code handles connections and not brands.
 */
import type { Connection, InstanceRoles, OAuthConnection, OidcConnection, ProviderType } from './events.ts'

/** The client that is registered at the provider. */
export interface GivenClient {
  readonly clientId: string
  readonly scopes: readonly string[]
}

function oidc(issuer: string, { clientId, scopes }: GivenClient): OidcConnection {
  return {
    protocol: 'oidc',
    issuer,
    clientId,
    scopes,
    usesPkce: true,
    displayNameMapping: 'unspecified',
    userNameMapping: 'unspecified',
    mapsIdToken: false,
  }
}

/** Any OpenID Connect provider. */
export function genericOidc(
  given: GivenClient & { readonly issuer: string; readonly mapsIdToken: boolean; readonly usesPkce: boolean },
): OidcConnection {
  return { ...oidc(given.issuer, given), mapsIdToken: given.mapsIdToken, usesPkce: given.usesPkce }
}

type Endpoints = Pick<OAuthConnection, 'authorizationEndpoint' | 'tokenEndpoint' | 'userEndpoint'>

/** Any OAuth 2.0 provider with an endpoint that returns the signed-in user. */
export function genericOAuth(
  given: GivenClient & Endpoints & Pick<OAuthConnection, 'idAttribute' | 'usesPkce'>,
): OAuthConnection {
  return {
    protocol: 'oauth',
    authorizationEndpoint: given.authorizationEndpoint,
    tokenEndpoint: given.tokenEndpoint,
    userEndpoint: given.userEndpoint,
    clientId: given.clientId,
    scopes: given.scopes,
    idAttribute: given.idAttribute,
    usesPkce: given.usesPkce,
  }
}

export function google(client: GivenClient): OidcConnection {
  return oidc('https://accounts.google.com', client)
}

export function gitLab(client: GivenClient): OidcConnection {
  return oidc('https://gitlab.com', client)
}

export function gitLabSelfHosted(given: GivenClient & { readonly issuer: string }): OidcConnection {
  return oidc(given.issuer, given)
}

/** A self-hosted GitHub: its endpoints are given, the rest is the same as for GitHub. */
export function gitHubEnterpriseServer(given: GivenClient & Endpoints): OAuthConnection {
  return {
    ...genericOAuth({ ...given, idAttribute: 'id', usesPkce: true }),
    emailsEndpoint: `${given.userEndpoint}/emails`,
  }
}

export function gitHub(client: GivenClient): OAuthConnection {
  return gitHubEnterpriseServer({
    ...client,
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    userEndpoint: 'https://api.github.com/user',
  })
}

/** The tenant of all personal accounts. Tokens contain this ID. */
const CONSUMERS_ID = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Microsoft Entra ID. `tenant`: `common`, `organizations`, `consumers`, or the ID or a domain of one tenant. */
export function entra(given: GivenClient & { readonly tenant: string; readonly trustsEmail: boolean }): OidcConnection {
  const { tenant, trustsEmail } = given
  const id = tenant === 'consumers' ? CONSUMERS_ID : tenant
  return { ...oidc(`https://login.microsoftonline.com/${id}/v2.0`, given), entra: { tenant, trustsEmail } }
}

/** A ZITADEL instance, or another Signet. */
export function zitadel(
  given: GivenClient & { readonly issuer: string; readonly instanceRolesInfo: readonly InstanceRoles[] },
): OidcConnection {
  const instanceRoles = given.instanceRolesInfo.map(({ organizationId, organizationDomain }) => ({
    organizationId,
    organizationDomain,
  }))
  return { ...oidc(given.issuer, given), zitadel: { instanceRoles } }
}

/** Apple, where the client signs its own secret with a key. */
export function apple(given: GivenClient & { readonly teamId: string; readonly keyId: string }): OidcConnection {
  return {
    ...oidc('https://appleid.apple.com', given),
    // Apple has no userinfo endpoint.
    mapsIdToken: true,
    apple: { teamId: given.teamId, keyId: given.keyId },
  }
}

const USUAL_SCOPES: Readonly<Partial<Record<ProviderType, readonly string[]>>> = {
  oauth: [],
  github: ['read:user', 'user:email'],
  github_es: ['read:user', 'user:email'],
  apple: ['openid', 'name', 'email'],
}

/** The scopes to request from a provider: the given ones or the defaults; OpenID Connect Core 1.0 §3.1.2.1: openid. */
export function scopesOf(type: ProviderType, connection: Connection): readonly string[] {
  if (!('clientId' in connection)) return []
  const { protocol, scopes } = connection
  const given = scopes.flatMap((scope) => scope.split(' ')).filter((scope) => scope !== '')
  const chosen = given.length > 0 ? given : (USUAL_SCOPES[type] ?? ['openid', 'profile', 'email'])
  return [...new Set(protocol === 'oidc' ? ['openid', ...chosen] : chosen)]
}
