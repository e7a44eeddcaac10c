/**
 * Applications of projects, their secrets and their keys. Streams: `application`, `application-secret` (the ID of its
 * application) and `application-key`, all owned by the organization of the project.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations, Reopened } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { ApiAccess } from '../../kernel/role.ts'

export type ResponseType = 'code' | 'id_token' | 'id_token_token'

export type GrantType = 'authorization_code' | 'implicit' | 'refresh_token' | 'device_code' | 'token_exchange' | 'ciba'

/** A web server, a single-page application in a browser, or an application on a device. */
export type OidcApplicationType = 'web' | 'user_agent' | 'native'

/** How an application proves who it is at the token endpoint. */
export type OidcAuthMethod = 'basic' | 'post' | 'none' | 'private_key_jwt'

/** The pages where users sign in: those of this server, or a separate application. */
export type LoginVersion = { readonly type: 'v1' } | { readonly type: 'v2'; readonly baseUri?: string }

/** An iOS app that opens links of this server. */
export interface IosApp {
  readonly teamId: string
  readonly bundleId: string
}

/** An Android app that opens links of this server. */
export interface AndroidApp {
  readonly packageName: string
  /** SHA-256 fingerprints of its certificates, as typed. */
  readonly fingerprints: readonly string[]
}

/** How strictly the assertions of an application are checked. */
export interface AssertionRules {
  /** There only if every assertion must have an ID. */
  readonly requireAssertionJti?: true
}

/** An algorithm that assertions are signed with. */
export type AssertionAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

/** What an application must do besides what all must; each member is there only if it must. See high-assurance.ts. */
export interface ClientRules extends AssertionRules {
  readonly requirePushedAuthorizationRequests?: true
  readonly requireDpop?: true
  readonly requirePkce?: true
  readonly clientAssertionAlgorithm?: AssertionAlgorithm
  readonly requireSignedRequestObject?: true
}

/** How an application asks users for approval on the back channel. */
export interface CibaRules {
  /** Where it is told that the user decided; undefined: it asks. */
  readonly notificationUri?: string
  /** There only if its requests must be signed. */
  readonly requireSignedRequests?: true
}

/** An application that signs users in with OpenID Connect. */
export interface OidcConfig extends ClientRules {
  readonly type: 'oidc'
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly responseTypes: readonly ResponseType[]
  readonly grantTypes: readonly GrantType[]
  readonly applicationType: OidcApplicationType
  readonly authMethod: OidcAuthMethod
  /** Redirect URIs can contain wildcards and use http; see redirect-uris.ts. */
  readonly developmentMode: boolean
  readonly accessTokenType: 'bearer' | 'jwt'
  readonly accessTokenRoleAssertion: boolean
  readonly idTokenRoleAssertion: boolean
  readonly idTokenUserinfoAssertion: boolean
  readonly clockSkewMs: number
  readonly additionalOrigins: readonly string[]
  /** Empty: there is none. */
  readonly backChannelLogoutUri: string
  /** If not set, the setting of the instance applies. */
  readonly loginVersion?: LoginVersion
  readonly skipNativeAppSuccessPage: boolean
  readonly ios?: IosApp
  readonly android?: AndroidApp
  /** Whether users are asked for their consent. */
  readonly isThirdParty: boolean
  /** There only if something of it is set. */
  readonly ciba?: CibaRules
}

/** An API that accepts access tokens and asks the server about them. */
export interface ApiConfig extends AssertionRules {
  readonly type: 'api'
  readonly authMethod: 'basic' | 'private_key_jwt'
}

export type SamlBinding = 'post' | 'redirect'

/** Where responses go (AssertionConsumerService). */
export interface SamlResponseService {
  readonly url: string
  readonly binding: SamlBinding
  readonly index: number
  readonly isDefault?: true
}

/** Where requests to log out go, and the answers to such requests if that is elsewhere. */
export interface SamlLogoutService {
  readonly url: string
  readonly binding: SamlBinding
  readonly responseUrl?: string
}

/** What the metadata of a service provider say. Certificates are base64 of DER. */
export interface SamlProvider {
  readonly entityId: string
  readonly responseServices: readonly SamlResponseService[]
  readonly logoutServices: readonly SamlLogoutService[]
  readonly nameIdFormats: readonly string[]
  readonly signingCertificates: readonly string[]
  /** With its key assertions are encrypted; not there: they are not. */
  readonly encryptionCertificate?: string
  /** There only if the service provider cannot read AES-256-GCM. */
  readonly encryptionCipher?: 'aes128-gcm'
  readonly wantsAssertionsSigned: boolean
  /** Requests that are not signed are refused. */
  readonly signsRequests: boolean
}

/** Where the value of an attribute of assertions comes from. */
export type SamlAttributeSource =
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'display_name'
  | 'user_name'
  | 'user_id'
  | 'roles'
  | 'groups'
  | 'organization_id'
  | 'organization_name'
  | 'organization_domain'

export interface SamlAttribute {
  readonly name: string
  readonly source: SamlAttributeSource
}

/** A service provider that signs users in with SAML 2.0. */
export interface SamlConfig extends SamlProvider {
  readonly type: 'saml'
  /** As given or fetched. */
  readonly metadataXml: string
  readonly metadataUrl?: string
  /** If not set, the setting of the instance applies. */
  readonly loginVersion?: LoginVersion
  /** There only if they are not the usual ones. */
  readonly attributes?: readonly SamlAttribute[]
  /** There only if users can begin here, without a request of the service provider. */
  readonly allowsUnsolicited?: true
}

export type ApplicationConfig = OidcConfig | ApiConfig | SamlConfig

/** How a client that nobody prepared became known: by its metadata document, or by registering itself. */
export type AgentKind = 'document' | 'registration'

/** What an unregistered client is used for in a project: its resources, or, in the project of our API, signing in alone. */
export interface AgentUse {
  readonly kind: AgentKind
  readonly isForSignIn?: true
}

export const applicationEvents = declareEvents({
  'application.added.v1': data<{
    readonly projectId: string
    readonly name: string
    readonly clientId: string
    readonly config: ApplicationConfig
    /** There only if nobody prepared it. */
    readonly agent?: AgentUse
  }>(),
  'application.renamed.v1': data<{ readonly name: string }>(),
  /** The whole configuration after the change. */
  'application.config_changed.v1': data<{ readonly config: ApplicationConfig }>(),
  'application.secret_replaced.v1': data(),
  'application.deactivated.v1': data(),
  /** How often that has happened; not there in events from before it was counted. */
  'application.reactivated.v1': data<Reopened>(),
  'application.removed.v1': data(),
  /** How far its tokens reach in our own API, and the user who allowed it; empty when the server decided. */
  'application.api_access_set.v1': data<{ readonly access: ApiAccess; readonly allowedBy: string }>(),
})

export type ApplicationEvent = EventOf<typeof applicationEvents>

/** The stored hash of a secret: enough to recognize it, not enough to use it. */
export interface SecretHash {
  readonly hash: string
}

export const applicationSecretEvents = declareEvents({
  'application_secret.set.v1': data<{ readonly secret: SecretHash }>(),
  'application_secret.removed.v1': data(),
  /** Unchanged, but the hash of another product was replaced by ours. */
  'application_secret.rehashed.v1': data<{ readonly secret: SecretHash }>(),
})

export type ApplicationSecretEvent = EventOf<typeof applicationSecretEvents>

/** A public key with which a client that nobody prepared signs assertions: SPKI in PEM. */
export interface ClientKey {
  readonly kid?: string
  readonly algorithms: readonly string[]
  readonly publicKey: string
}

/** The keys of such a client, or the address where they are published. */
export type ClientKeys = { readonly list: readonly ClientKey[] } | { readonly uri: string }

/** What a client that registers itself says about itself; see agents/client-metadata.ts. */
interface RegisteredMetadata {
  /** The name with a host, of a client that registered before that followed from the rest. */
  readonly name?: string
  readonly givenName: string
  readonly redirectUris: readonly string[]
  readonly applicationType: OidcApplicationType
  readonly hasRefreshToken: boolean
  /** There only if it proves itself with a key. */
  readonly keys?: ClientKeys
}

export const registeredClientEvents = declareEvents({
  'registered_client.added.v1': data<{
    readonly metadata: RegisteredMetadata
    /** The project whose token it had; undefined: it had none. */
    readonly projectId?: string
    /** Of the token with which it manages its registration. */
    readonly secret: SecretHash
    readonly registeredAt: Instant
  }>(),
  'registered_client.changed.v1': data<{ readonly metadata: RegisteredMetadata }>(),
  /** It got something from a user; at most once a day. */
  'registered_client.used.v1': data<{ readonly at: Instant }>(),
  'registered_client.removed.v1': data<{ readonly at: Instant }>(),
})

export type RegisteredClientEvent = EventOf<typeof registeredClientEvents>

export const registrationTokenEvents = declareEvents({
  /** Clients can register for the project with it, as long as its maker could make another one. */
  'registration_token.issued.v1': data<{
    readonly projectId: string
    readonly maker: { readonly userId: string; readonly organizationId: string }
    /** How often the maker was locked out, and their organization closed, until then. */
    readonly generations: Generations<'user' | 'organization'>
    readonly secret: SecretHash
    readonly expiresAt: Instant
  }>(),
})

export type RegistrationTokenEvent = EventOf<typeof registrationTokenEvents>

export const registrationShareEvents = declareEvents({
  /** A client registered in the hour that ends then. */
  'registration.counted.v1': data<{ readonly endsAt: Instant }>(),
})

export type RegistrationShareEvent = EventOf<typeof registrationShareEvents>

export const applicationKeyEvents = declareEvents({
  /** `publicKey` is SPKI in PEM; the private key is not stored. */
  'application_key.added.v1': data<{
    readonly applicationId: string
    readonly projectId: string
    readonly publicKey: string
    readonly expiresAt: Instant
  }>(),
  'application_key.removed.v1': data(),
})

export type ApplicationKeyEvent = EventOf<typeof applicationKeyEvents>
