/** A provider with its secret in clear, as signing in needs it: one shape for every type. */
import type { App } from '../../access/app.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Document } from '../../store/index.ts'
import { signAppleSecret } from './apple-secret.ts'
import { type LivingProvider, linksUnsafely } from './decider.ts'
import { findProvider, providerSecrets, secretPlace } from './documents.ts'
import type {
  Connection,
  MappingField,
  OAuthConnection,
  OidcConnection,
  ProviderOptions,
  ProviderType,
} from './events.ts'
import { scopesOf } from './ready-made.ts'

/** A provider as it is now. Its user checks `state` and `owner`. */
export interface OpenedProvider {
  readonly id: string
  /** The organization whose users sign in with it, or the instance: then all users. */
  readonly owner: string
  readonly state: 'active' | 'inactive'
  readonly name: string
  /** As what it was added. */
  readonly brand: ProviderType
  readonly type: 'oidc' | 'oauth'
  readonly clientId: string
  /** In clear: never to be logged or stored. */
  readonly clientSecret: string
  /** What to ask for. */
  readonly scopes: readonly string[]
  readonly usernameMapping: MappingField
  readonly displayNameMapping: MappingField
  readonly options: ProviderOptions
  /** Of OpenID providers. */
  readonly issuer?: string
  /** Microsoft Entra ID for several tenants: the issuer of a token has the token's `tid` in place of the tenant. */
  readonly acceptsTenants?: boolean
  /** What is known about a user is taken from the ID token alone. */
  readonly mapsIdToken?: boolean
  /** E-mail addresses count as verified, though the provider does not say so. */
  readonly trustsEmail?: boolean
  readonly responseMode?: 'form_post'
  /** Of OAuth providers. */
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  readonly userEndpoint?: string
  readonly idAttribute?: string
  readonly emailsEndpoint?: string
}

/** Tenants that stand for many; a domain stands for one, but tokens name it by its id. */
function isSeveral(tenant: string): boolean {
  return tenant === 'common' || tenant === 'organizations' || tenant.includes('.')
}

function oidcPart({ issuer, mapsIdToken, entra, apple }: OidcConnection) {
  return {
    issuer,
    mapsIdToken,
    ...(entra && { acceptsTenants: isSeveral(entra.tenant), trustsEmail: entra.trustsEmail }),
    // Apple answers with a form as soon as it is asked for a name or an address.
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

function clientSecretOf(connection: Connection, stored: string, at: Instant): string {
  if (connection.protocol !== 'oidc' || connection.apple === undefined) return stored
  return signAppleSecret({ ...connection.apple, clientId: connection.clientId, privateKey: stored }, at)
}

function describe({ id, owner, state }: Document<LivingProvider>, stored: string, at: Instant): OpenedProvider {
  const { status, name, type, options, connection } = state
  return {
    id,
    owner,
    state: status,
    name,
    brand: type,
    type: connection.protocol,
    clientId: connection.clientId,
    clientSecret: clientSecretOf(connection, stored, at),
    scopes: scopesOf(type, connection),
    usernameMapping: connection.protocol === 'oidc' ? connection.userNameMapping : 'unspecified',
    displayNameMapping: connection.protocol === 'oidc' ? connection.displayNameMapping : 'unspecified',
    // One that was added before this was refused.
    options: linksUnsafely(connection, options) ? { ...options, autoLinking: 'none' } : options,
    ...(connection.protocol === 'oidc' ? oidcPart(connection) : oauthPart(connection)),
  }
}

/** The secret of a provider as it was given (of Apple: the private key, PEM); undefined when there is none. */
export async function openProviderSecret(app: App, providerId: string): Promise<string | undefined> {
  const document = await app.store.get(providerSecrets, providerId)
  if (document?.state.status !== 'set') return undefined
  return app.vault.open(secretPlace(providerId), document.state.secret.value)
}

/** The provider with its secret, active or not; undefined when there is none. */
export async function openProvider(app: App, id: string, at: Instant): Promise<OpenedProvider | undefined> {
  const provider = await findProvider(app, id)
  if (provider === undefined) return undefined
  const stored = await openProviderSecret(app, id)
  // Removed between the two reads.
  return stored === undefined ? undefined : describe(provider, stored, at)
}
