/**
 * Identity providers that users sign in with. Streams: `identity-provider`, owned by an organization or the instance,
 * and beside it `identity-provider-secret` under the same id, so that reading a provider never reads its secret. Add to
 * this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

/** What a provider was added as. All of them are settings of one of two protocols. */
export type ProviderType =
  | 'oidc'
  | 'oauth'
  | 'azure_ad'
  | 'github'
  | 'github_es'
  | 'gitlab'
  | 'gitlab_self_hosted'
  | 'google'
  | 'apple'

/** How the button on the sign-in page looks. */
export type Styling = 'unspecified' | 'google'

/** What happens to users who come from the provider. */
export interface ProviderOptions {
  readonly isLinkingAllowed: boolean
  readonly isCreationAllowed: boolean
  /** A user without an account gets one; the deprecated methods call it auto-registration. */
  readonly isAutoCreation: boolean
  readonly isAutoUpdate: boolean
  readonly autoLinking: 'none' | 'username' | 'email'
}

/** Unspecified: the preferred user name for the user name, the name for the display name. */
export type MappingField = 'unspecified' | 'preferred_username' | 'email'

interface Client {
  readonly clientId: string
  /** As they were given; see `scopesOf` for what is asked for. */
  readonly scopes: readonly string[]
  readonly usesPkce: boolean
}

/** A provider that speaks OpenID Connect and tells the rest itself. */
export interface OidcConnection extends Client {
  readonly protocol: 'oidc'
  readonly issuer: string
  readonly displayNameMapping: MappingField
  readonly userNameMapping: MappingField
  /** What is known about a user is taken from the ID token rather than from the userinfo endpoint. */
  readonly mapsIdToken: boolean
  /** Microsoft Entra ID: whose accounts may sign in, and whether their addresses count as verified. */
  readonly entra?: { readonly tenant: string; readonly trustsEmail: boolean }
  /** Apple: the client secret is a token, to be signed with the stored key (its secret) under these ids. */
  readonly apple?: { readonly teamId: string; readonly keyId: string }
}

/** A provider that speaks OAuth 2.0 and has an endpoint that tells who signed in. */
export interface OAuthConnection extends Client {
  readonly protocol: 'oauth'
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userEndpoint: string
  /** The member of the user endpoint's answer that identifies the user. */
  readonly idAttribute: string
  /** Where GitHub tells which addresses are verified. */
  readonly emailsEndpoint?: string
}

export type Connection = OidcConnection | OAuthConnection

export const identityProviderEvents = declareEvents({
  'identity_provider.added.v1': data<{
    readonly owner: string
    readonly type: ProviderType
    readonly name: string
    readonly styling: Styling
    readonly options: ProviderOptions
    readonly connection: Connection
  }>(),
  /** What is not there stays. */
  'identity_provider.changed.v1': data<{
    readonly name?: string
    readonly styling?: Styling
    readonly options?: ProviderOptions
    readonly connection?: Connection
  }>(),
  'identity_provider.secret_replaced.v1': data(),
  /** Its accounts are others from now on, because it is another server: links made before count no more. */
  'identity_provider.accounts_replaced.v1': data(),
  'identity_provider.deactivated.v1': data(),
  'identity_provider.reactivated.v1': data(),
  'identity_provider.removed.v1': data(),
})

export type IdentityProviderEvent = EventOf<typeof identityProviderEvents>

/** The client secret (of Apple: the private key), sealed. */
export interface SealedSecret {
  readonly value: string
}

export const providerSecretEvents = declareEvents({
  'identity_provider_secret.set.v1': data<{ readonly secret: SealedSecret }>(),
  /** The same secret, sealed with another key. */
  'identity_provider_secret.resealed.v1': data<{ readonly secret: SealedSecret }>(),
  'identity_provider_secret.removed.v1': data(),
})

export type ProviderSecretEvent = EventOf<typeof providerSecretEvents>
