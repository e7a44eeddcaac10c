/**
 * Identity providers that people sign in with. Streams: `identity-provider`, owned by an organization or the instance,
 * and beside it `identity-provider-secret` under the same id, so that no reader of a provider meets its secret. Add to
 * this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

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

/** What happens to people who come from the provider. */
export interface ProviderOptions {
  readonly isLinkingAllowed: boolean
  readonly isCreationAllowed: boolean
  /** Whoever has no account gets one; the deprecated methods call it auto-registration. */
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
  /** What is known about a person is taken from the ID token rather than from the userinfo endpoint. */
  readonly mapsIdToken: boolean
  /** Microsoft Entra ID: whose accounts are let in, and whether their addresses count as verified. */
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
  /** The member of what the user endpoint answers that tells people apart. */
  readonly idAttribute: string
  /** Where GitHub tells which addresses are verified. */
  readonly emailsEndpoint?: string
}

export type Connection = OidcConnection | OAuthConnection

export type IdentityProviderEvent =
  | Fact<
      'identity_provider.added.v1',
      {
        readonly owner: string
        readonly type: ProviderType
        readonly name: string
        readonly styling: Styling
        readonly options: ProviderOptions
        readonly connection: Connection
      }
    >
  /** What is not there stays. */
  | Fact<
      'identity_provider.changed.v1',
      {
        readonly name?: string
        readonly styling?: Styling
        readonly options?: ProviderOptions
        readonly connection?: Connection
      }
    >
  | Fact<'identity_provider.secret_replaced.v1', Record<never, never>>
  | Fact<'identity_provider.deactivated.v1', Record<never, never>>
  | Fact<'identity_provider.reactivated.v1', Record<never, never>>
  | Fact<'identity_provider.removed.v1', Record<never, never>>

/** The client secret (of Apple: the private key), sealed. */
export interface SealedSecret {
  readonly value: string
}

export type ProviderSecretEvent =
  | Fact<'identity_provider_secret.set.v1', { readonly secret: SealedSecret }>
  /** The same secret, sealed with another key. */
  | Fact<'identity_provider_secret.resealed.v1', { readonly secret: SealedSecret }>
  | Fact<'identity_provider_secret.removed.v1', Record<never, never>>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const identityProviderEventTypes: readonly string[] = Object.keys({
  'identity_provider.added.v1': true,
  'identity_provider.changed.v1': true,
  'identity_provider.secret_replaced.v1': true,
  'identity_provider.deactivated.v1': true,
  'identity_provider.reactivated.v1': true,
  'identity_provider.removed.v1': true,
  'identity_provider_secret.set.v1': true,
  'identity_provider_secret.resealed.v1': true,
  'identity_provider_secret.removed.v1': true,
} satisfies Record<(IdentityProviderEvent | ProviderSecretEvent)['type'], true>)
