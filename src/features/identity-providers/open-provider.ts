/** A provider with its decrypted secret, for sign-ins: the same shape for all types. */

import type { Reach } from '../../access/paths.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { signAppleSecret } from './apple-secret.ts'
import { scopesOf } from './connections.ts'
import { type LivingProvider, linksUnsafely } from './decider.ts'
import { findProvider, providerSecrets, secretPlace } from './documents.ts'
import type {
  Connection,
  JwtConnection,
  LdapConnection,
  MappingField,
  OAuthConnection,
  OidcConnection,
  ProviderOptions,
  SamlConnection,
} from './events.ts'
import type { ProviderType } from './provider-types.ts'

/** A provider in its current state. The caller must check `state` and `owner`. */
export interface OpenedProvider {
  readonly id: string
  /** The organization whose users can sign in with it, or the instance for all users. */
  readonly owner: string
  /** How far whoever changed it last reaches, see `mayUsePath`. */
  readonly reach?: Reach
  readonly state: 'active' | 'inactive'
  readonly name: string
  /** The type that it was added as. */
  readonly brand: ProviderType
  readonly type: Connection['protocol']
  /** Empty without OAuth. */
  readonly clientId: string
  /** Decrypted; for LDAP the password of the bind DN, for SAML our private key. Must never be logged or stored. */
  readonly clientSecret: string
  /** The scopes to request. */
  readonly scopes: readonly string[]
  readonly usernameMapping: MappingField
  readonly displayNameMapping: MappingField
  readonly options: ProviderOptions
  /** Set for OpenID providers. */
  readonly issuer?: string
  /** Microsoft Entra ID for several tenants: the issuer of a token contains the token's `tid` instead of the tenant. */
  readonly acceptsTenants?: boolean
  /** Reads the claims about a user from the ID token only. */
  readonly mapsIdToken?: boolean
  /** Treats email addresses as verified even if the provider does not say so. */
  readonly trustsEmail?: boolean
  readonly responseMode?: 'form_post'
  /** Set for OAuth providers. */
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly userEndpoint?: string
  readonly idAttribute?: string
  readonly emailsEndpoint?: string
  /** Set for LDAP directories. */
  readonly ldap?: LdapConnection
  /** Set for providers with signed tokens. */
  readonly jwt?: JwtConnection
  /** Set for SAML providers. */
  readonly saml?: SamlConnection
}

/** Names that stand for several tenants. A domain is a single tenant, but tokens contain its ID. */
function isSeveral(tenant: string): boolean {
  return tenant === 'common' || tenant === 'organizations' || tenant.includes('.')
}

function oidcPart({ issuer, mapsIdToken, entra, apple }: OidcConnection) {
  return {
    issuer,
    mapsIdToken,
    ...(entra && { acceptsTenants: isSeveral(entra.tenant), trustsEmail: entra.trustsEmail }),
    // Apple requires a form response when a name or an email address is requested.
    ...(apple && { responseMode: 'form_post' as const }),
  }
}

function oauthPart({
  authorizationEndpoint,
  tokenEndpoint,
  userEndpoint,
  idAttribute,
  emailsEndpoint,
}: OAuthConnection) {
  return {
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    idAttribute,
    ...(emailsEndpoint === undefined ? {} : { emailsEndpoint }),
  }
}

function partOf(connection: Connection) {
  if (connection.protocol === 'ldap') return { ldap: connection }
  if (connection.protocol === 'jwt') return { jwt: connection }
  if (connection.protocol === 'saml') return { saml: connection }
  return connection.protocol === 'oidc' ? oidcPart(connection) : oauthPart(connection)
}

function clientSecretOf(connection: Connection, stored: string, at: Instant): string {
  if (connection.protocol !== 'oidc' || connection.apple === undefined) return stored
  return signAppleSecret({ ...connection.apple, clientId: connection.clientId, privateKey: stored }, at)
}

function describe({ id, owner, state }: Document<LivingProvider>, stored: string, at: Instant): OpenedProvider {
  const { status, name, type, options, connection, reach } = state
  return {
    id,
    owner,
    ...(reach !== undefined && { reach }),
    state: status,
    name,
    brand: type,
    type: connection.protocol,
    clientId: 'clientId' in connection ? connection.clientId : '',
    clientSecret: clientSecretOf(connection, stored, at),
    scopes: scopesOf(type, connection),
    usernameMapping: connection.protocol === 'oidc' ? connection.userNameMapping : 'unspecified',
    displayNameMapping: connection.protocol === 'oidc' ? connection.displayNameMapping : 'unspecified',
    // One that was added before this was refused.
    options: linksUnsafely(connection, options) ? { ...options, autoLinking: 'none' } : options,
    ...partOf(connection),
  }
}

/** The decrypted secret of a provider (for Apple the private key, PEM); undefined when there is none. */
export async function openProviderSecret(app: App, providerId: string): Promise<string | undefined> {
  const document = await app.store.get(providerSecrets, providerId)
  if (document?.state.status !== 'set') return undefined
  return app.vault.open(secretPlace(providerId), document.state.secret.value)
}

/** The provider with its secret, active or not; undefined when there is none. */
export async function openProvider(app: App, id: string, at: Instant): Promise<OpenedProvider | undefined> {
  const provider = await findProvider(app, id)
  if (provider === undefined) return undefined
  if (provider.state.connection.protocol === 'jwt') return describe(provider, '', at)
  const stored = await openProviderSecret(app, id)
  // The secret was removed between the two reads.
  return stored === undefined ? undefined : describe(provider, stored, at)
}
