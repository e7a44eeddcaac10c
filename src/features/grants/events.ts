/**
 * A grant is what an application or a machine got from one sign-in: one authorization code, and the access and refresh
 * tokens that follow from it. Streams: `grant` (id of its own), `consent` (user and client) and `agent-approval` (organization
 * and client). Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Reach } from '../../access/paths.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations, Reopening } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Picture } from './picture.ts'

/** The stored hash of a code or token: enough to recognize it, not enough to use it. */
export interface SecretHash {
  readonly hash: string
}

/** Who acts for the user of a token (RFC 8693 §4.1). */
export interface ActorClaim {
  readonly sub: string
  readonly iss: string
  readonly act?: ActorClaim
}

/** A grant that another one was derived from by an exchange of tokens, and depends on. */
export interface ParentGrant {
  readonly grantId: string
  /** How many access tokens of it had been revoked: one more ends what was derived before. */
  readonly revocations: number
  /** Whether the token that was exchanged did not depend on the session. */
  readonly isOffline?: boolean
}

/** A personal access token that a grant was derived from, and how far the counters of its user had come then. */
export interface ParentToken {
  readonly tokenId: string
  readonly userId: string
  readonly organizationId: string
  readonly generations: Generations
}

/** How often what lets tokens be for a project had ended, by the ID of the project. */
export type EndedProjects = Readonly<Record<string, number>>

/** A resource of a project: an API with tokens of its own (RFC 8707). */
export interface GrantResource {
  readonly id: string
  readonly uri: string
  readonly projectId: string
}

/** What a machine proved itself with: one of its keys, or the secret that it had then. */
export interface GrantCredential {
  readonly type: 'key' | 'secret'
  readonly id: string
}

/** An agent acts on behalf of the user, who allowed it: their names at that time, for those who read the log. */
export interface Delegation {
  readonly agent: string
  readonly user: string
}

/** Another authorization server said who the user is: an account at the identity provider that it is here. */
export interface AssertedBy {
  readonly issuer: string
  readonly providerId: string
  readonly externalId: string
}

/** What a service provider of SAML calls the user: its logout names them by it, whatever they are called by then. */
export interface ServiceProviderName {
  readonly format: string
  readonly value: string
}

/** What a grant is about; it does not change. */
export interface GrantSubject {
  readonly userId: string
  readonly organizationId: string
  readonly isMachine: boolean
  /** `client_id` of the application; of a machine, its user name. */
  readonly clientId: string
  /** Empty for a machine that asks for itself. */
  readonly applicationId: string
  readonly projectId: string
  /** The session that the user signed in with; empty: none. */
  readonly sessionId: string
  readonly scope: string
  readonly audience: readonly string[]
  /** The resource that the tokens are for, and nothing else; undefined: for the application and its project. */
  readonly resource?: GrantResource
  readonly authenticatedAt: Instant
  readonly amr: readonly string[]
  readonly acr: string
  /** What only the application may know. Before there was this, the nonce was beside it. */
  readonly secret?: { readonly nonce: string }
  readonly nonce?: string
  /** The `claims` parameter of the authorization request, as JSON. */
  readonly claims?: string
  /** The `authorization_details` parameter (RFC 9396), as JSON: what the user allowed at the resource. */
  readonly authorizationDetails?: string
  /** What the user or their organization saw when they allowed it; undefined: nobody was asked, or it was not kept yet. */
  readonly picture?: Picture
  readonly actor?: ActorClaim
  /** The actor is an agent that acts on behalf of the user; undefined: there is none, or it acts as the user. */
  readonly delegation?: Delegation
  /** All that this grant was derived from: the tokens that were exchanged, and what these came from. */
  readonly parents?: readonly (ParentGrant | ParentToken)[]
  readonly credential?: GrantCredential
  /** Whose assertion the application showed; undefined: none. */
  readonly assertedBy?: AssertedBy
  /** The application is a service provider of SAML; undefined: it is none, or signed in before names were kept. */
  readonly serviceProviderName?: ServiceProviderName
  /**
   * The projects that tokens are for, except the application's own: those in the audience, or the one of the resource. Grants
   * from before they were kept have none: they are for these until the first ending.
   */
  readonly projects?: EndedProjects
  /**
   * Organizations that were granted a project which asks for an authorization, and gave the user one: how often it had been taken
   * from them. Keys are `authorizerKey`; those from which it never was are not there.
   */
  readonly authorizers?: Readonly<Record<string, number>>
  /**
   * Grants from before reopenings were counted have none of these: they end with the first. `resourceProject` was counted before
   * there was `projects`.
   */
  readonly generations: Generations & Partial<Generations<Reopening | 'resourceProject'>>
  /** Whether an administrator tries the application out: it gets no tokens, and nothing of it counts as a sign-in there. */
  readonly isTrial?: boolean
  /** Where the application wants to be told when the session ends: when that happens at the latest. */
  readonly logoutUntil?: Instant
}

export const grantEvents = declareEvents({
  'grant.opened.v1': data<GrantSubject>(),
  'grant.code_issued.v1': data<{
    readonly secret: SecretHash
    readonly redirectUri: string
    readonly codeChallenge?: string
    /** Thumbprint of the DPoP key that the code is bound to. */
    readonly dpopKey?: string
    readonly issuedAt: Instant
    readonly expiresAt: Instant
  }>(),
  'grant.code_redeemed.v1': data(),
  'grant.access_token_issued.v1': data<{
    readonly secret: SecretHash
    readonly scope: string
    readonly grantType: string
    readonly dpopKey?: string
    readonly isOffline?: boolean
    readonly issuedAt: Instant
    readonly expiresAt: Instant
  }>(),
  'grant.access_token_revoked.v1': data(),
  'grant.refresh_token_issued.v1': data<{
    readonly secret: SecretHash
    readonly scope: string
    readonly grantType: string
    readonly dpopKey?: string
    readonly issuedAt: Instant
    readonly expiresAt: Instant
  }>(),
  'grant.refresh_token_used.v1': data<{ readonly usedAt?: Instant }>(),
  'grant.revoked.v1': data<{ readonly reason: 'requested' | 'code_reused' | 'refresh_token_reused' | 'by_user' }>(),
})

export type GrantEvent = EventOf<typeof grantEvents>

export const consentEvents = declareEvents({
  'consent.given.v1': data<{
    readonly userId: string
    readonly clientId: string
    readonly scopes: readonly string[]
    /** The URI of the resource that the scopes are about. */
    readonly resource?: string
    /** What the user saw; undefined: they allowed it before that was kept, and are asked again. */
    readonly picture?: Picture
    readonly givenAt: Instant
  }>(),
  'consent.withdrawn.v1': data(),
})

export type ConsentEvent = EventOf<typeof consentEvents>

/** What an organization allowed a client that nobody prepared, for all of its users. */
export const agentApprovalEvents = declareEvents({
  'agent_approval.given.v1': data<{
    readonly clientId: string
    /** The application that the client is in the project of the resource. */
    readonly applicationId: string
    /** The URI of the resource that the scopes are about. */
    readonly resource: string
    readonly scopes: readonly string[]
    /** The client as it was; undefined: it was approved before that was kept, and does not count for new requests. */
    readonly picture?: Picture
    readonly givenAt: Instant
    /** How far whoever approved it reached; not given: as far as an owner. */
    readonly reach?: Reach
  }>(),
  'agent_approval.withdrawn.v1': data(),
})

export type AgentApprovalEvent = EventOf<typeof agentApprovalEvents>
