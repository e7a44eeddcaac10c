/**
 * Identity providers that users sign in with. Streams: `identity-provider`, owned by an organization or the instance,
 * and beside it `identity-provider-secret` under the same id, so that reading a provider never reads its secret. Add to
 * this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Reach } from '../../access/paths.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { SamlBinding } from '../../kernel/saml-names.ts'
import type { ProviderType } from './provider-types.ts'

/** Appearance of the button on the sign-in page. */
export type Styling = 'unspecified' | 'google'

/** How users who sign in with the provider are linked, created and updated. */
export interface ProviderOptions {
  readonly isLinkingAllowed: boolean
  readonly isCreationAllowed: boolean
  /** Creates an account for users without one. The deprecated methods call it auto-registration. */
  readonly isAutoCreation: boolean
  readonly isAutoUpdate: boolean
  readonly autoLinking: 'none' | 'username' | 'email'
  /** Not set: told. */
  readonly emailTrust?: EmailTrust
  /** Not set: shown on sign-in pages. */
  readonly isHidden?: boolean
}

/**
 * Whether addresses of the provider count as verified: if it says so, unless it says that they are not, or never, so that
 * users confirm them by mail.
 */
export type EmailTrust = 'told' | 'always' | 'never'

/** Unspecified: preferred_username for the username, name for the display name. */
export type MappingField = 'unspecified' | 'preferred_username' | 'email'

interface Client {
  readonly clientId: string
  /** As given; `scopesOf` returns the scopes that are requested. */
  readonly scopes: readonly string[]
  readonly usesPkce: boolean
}

export interface InstanceRoles {
  readonly organizationId: string
  readonly organizationDomain: string
}

/** An OpenID Connect provider. The rest of its configuration comes from discovery. */
export interface OidcConnection extends Client {
  readonly protocol: 'oidc'
  readonly issuer: string
  readonly displayNameMapping: MappingField
  readonly userNameMapping: MappingField
  /** Reads the claims about a user from the ID token instead of the userinfo endpoint. */
  readonly mapsIdToken: boolean
  /** Microsoft Entra ID: the tenant whose accounts can sign in, and whether their email addresses count as verified. */
  readonly entra?: { readonly tenant: string; readonly trustsEmail: boolean }
  /** Apple: the client secret is a token that is signed with the stored private key under these IDs. */
  readonly apple?: { readonly teamId: string; readonly keyId: string }
  /** ZITADEL: the organizations there whose users have roles of the instance. Stored for tools that set it. */
  readonly zitadel?: { readonly instanceRoles: readonly InstanceRoles[] }
}

/** An OAuth 2.0 provider with an endpoint that returns the signed-in user. */
export interface OAuthConnection extends Client {
  readonly protocol: 'oauth'
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userEndpoint: string
  /** The field in the response of the user endpoint that identifies the user. */
  readonly idAttribute: string
  /** GitHub's endpoint for verified email addresses. */
  readonly emailsEndpoint?: string
}

/** What an attribute of an entry says about a user. */
export type LdapField =
  | 'id'
  | 'firstName'
  | 'lastName'
  | 'displayName'
  | 'nickName'
  | 'preferredUsername'
  | 'email'
  | 'emailVerified'
  | 'phone'
  | 'phoneVerified'
  | 'preferredLanguage'
  | 'avatarUrl'
  | 'profile'

/** An LDAP directory. The secret of the provider is the password of `bindDn`. */
export interface LdapConnection {
  readonly protocol: 'ldap'
  /** URLs, tried in this order until one answers. */
  readonly servers: readonly string[]
  readonly startTls: boolean
  readonly baseDn: string
  readonly bindDn: string
  /** Stored for tools that set it. */
  readonly userBase: string
  readonly userObjectClasses: readonly string[]
  /** Attributes that are compared with the typed name. */
  readonly userFilters: readonly string[]
  readonly timeoutMs: number
  /** The attribute for each field; fields without one are not read. */
  readonly attributes: Readonly<Partial<Record<LdapField, string>>>
  /** Trusted certificates (PEM) instead of those of the system. */
  readonly rootCa?: string
}

/** A provider whose page sends the browser back with a signed token (JWT) in a request header. It has no secret. */
export interface JwtConnection {
  readonly protocol: 'jwt'
  /** The `iss` of the tokens. */
  readonly issuer: string
  /** The page that browsers are sent to. */
  readonly jwtEndpoint: string
  /** Where the public keys are. */
  readonly keysEndpoint: string
  readonly headerName: string
  /** What the `aud` of the tokens must contain; not set: anything. */
  readonly audience?: string
}

/** An endpoint of a SAML provider. */
export interface SamlService {
  readonly url: string
  readonly binding: SamlBinding
  /** Where answers go, if not to `url`. */
  readonly responseUrl?: string
}

/** What the metadata of a SAML provider say. */
export interface SamlUpstream {
  readonly entityId: string
  /** At most one of each binding. */
  readonly signOnServices: readonly SamlService[]
  readonly logoutServices: readonly SamlService[]
  /** Base64 of DER. */
  readonly signingCertificates: readonly string[]
  readonly wantsSignedRequests: boolean
}

/** What is chosen beside the metadata of a SAML provider. */
export interface SamlSettings {
  /** Unspecified: redirect, if the metadata offer it. */
  readonly binding: 'unspecified' | SamlBinding
  readonly signsRequests: boolean
  /** Unspecified: SHA-256. */
  readonly signature: 'unspecified' | 'sha256' | 'sha512'
  readonly nameIdFormat: 'unspecified' | 'email' | 'persistent' | 'transient'
  /** The attribute that identifies an account whose name is transient, or that has none. */
  readonly transientAttribute?: string
  /** Stored for tools that set it: who signs out here should sign out there. */
  readonly logsOut?: true
}

/** Our own certificate, as base64 of DER. */
export interface SamlCertificate {
  readonly certificate: string
  readonly expiresAt: Instant
}

/** A SAML provider. The secret is the private key (PEM) of our own certificate. */
export interface SamlConnection extends SamlSettings {
  readonly protocol: 'saml'
  /** As they were given or fetched. */
  readonly metadataXml: string
  readonly metadataUrl?: string
  readonly upstream: SamlUpstream
  readonly own: SamlCertificate
}

/** A SAML provider without what its metadata say. */
export type SamlDescription = Omit<SamlConnection, 'protocol' | 'upstream'>

export type Connection = OidcConnection | OAuthConnection | LdapConnection | JwtConnection | SamlConnection

export const identityProviderEvents = declareEvents({
  'identity_provider.added.v1': data<{
    readonly owner: string
    readonly type: ProviderType
    readonly name: string
    readonly styling: Styling
    readonly options: ProviderOptions
    readonly connection: Connection
  }>(),
  /** Fields that are not set do not change. */
  'identity_provider.changed.v1': data<{
    readonly name?: string
    readonly styling?: Styling
    readonly options?: ProviderOptions
    readonly connection?: Connection
  }>(),
  /** A generic OpenID provider is one of this type from now on. */
  'identity_provider.migrated.v1': data<{ readonly type: ProviderType }>(),
  'identity_provider.secret_replaced.v1': data(),
  /** Its accounts are others from now on, because it is another server: links made before count no more. */
  'identity_provider.accounts_replaced.v1': data(),
  /** How far whoever changed it last reaches in its organization: it signs in nobody who holds more. */
  'identity_provider.reach_set.v1': data<{ readonly reach: Reach }>(),
  'identity_provider.deactivated.v1': data(),
  'identity_provider.reactivated.v1': data(),
  'identity_provider.removed.v1': data(),
})

export type IdentityProviderEvent = EventOf<typeof identityProviderEvents>

/** The client secret (for Apple the private key, for LDAP the password of the bind DN, for SAML the key that signs requests), encrypted. */
export interface SealedSecret {
  readonly value: string
}

export const providerSecretEvents = declareEvents({
  'identity_provider_secret.set.v1': data<{ readonly secret: SealedSecret }>(),
  /** An unchanged secret, encrypted with another key. */
  'identity_provider_secret.resealed.v1': data<{ readonly secret: SealedSecret }>(),
  'identity_provider_secret.removed.v1': data(),
})

export type ProviderSecretEvent = EventOf<typeof providerSecretEvents>
