/** The call as handlers see it: the caller, the organization, and the permissions of the caller. */
import type { Id } from '../kernel/id.ts'
import type { Instant } from '../kernel/instant.ts'
import type { Origin } from '../store/index.ts'

/** A project, with the organization that owns it. */
export interface ProjectScope {
  readonly projectId: string
  readonly ownerId: string
}

/** The grant of a project to another organization. */
export interface ProjectGrantScope extends ProjectScope {
  readonly grantId: string
  /** The organization that the project is granted to. */
  readonly grantedId: string
  /** Those who granted it have deactivated the project or the grant: the granted organization only reads. */
  readonly isClosed?: boolean
}

/** Where a role applies: on the whole instance, in one organization, on a project, or on the grant of a project. */
export type Scope = 'instance' | { readonly organizationId: string } | ProjectScope | ProjectGrantScope

/** What an object belongs to: the instance or an organization, by its ID, or a project or its grant. */
export type Place = string | ProjectScope | ProjectGrantScope

/** Projects and grants of projects, by ID. */
export interface ProjectsInReach {
  readonly projectIds: readonly string[]
  readonly grantIds: readonly string[]
}

export interface Grant {
  readonly scope: Scope
  readonly roles: readonly string[]
  /** What the roles apply to was closed at a level above them: they still let their holder read. */
  readonly isClosed?: true
}

/** The session whose token authenticated the call. */
export interface CallerSession {
  readonly id: string
  /** The time of the latest check of a first factor. */
  readonly authenticatedAt: Instant
  /** The stored hash of the presented token, so that a write can check that the token is still the current one. */
  readonly tokenHash: string
}

/** An authenticated user with all data that authorization needs, read from the store for this call. */
export interface Caller {
  readonly userId: Id<'user'>
  /** The organization the user belongs to. */
  readonly organizationId: Id<'organization'>
  readonly grants: readonly Grant[]
  /** Set only when the bearer token was a session token. */
  readonly session?: CallerSession
  /** The project of the application, if the user calls with an access token of one. */
  readonly projectId?: string
  /** The token is that of an application outside the API project: others than the user decide what it asks for. */
  readonly isThroughApplication?: boolean
  /** When the user signed in, if they call with an access token of an application. */
  readonly authenticatedAt?: Instant
  /** What the scopes of the token let its holder do at most; undefined: all that the user may. */
  readonly reach?: { readonly reads: boolean; readonly changes: boolean }
  /** The password must be changed first: until then the caller may call nothing else, and has no grants. */
  readonly mustChangePassword?: boolean
}

/** The proof that a request shows with a token that is bound to a key (DPoP, RFC 9449). */
export interface ShownProof {
  readonly proof: string
  /** GET, POST … */
  readonly verb: string
  readonly path: string
  /** Whether this request has shown it before: a proof counts once, and is of the time when its request began. */
  readonly isAgain?: boolean
}

/** The part of a request that authorization reads: everything except the message. */
export interface RequestHead {
  /** GET, POST … */
  readonly verb: string
  readonly path: string
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined
  readonly requestId: string
  /** A digest of the header `authorization`, by which a token is recognized; tokens are not kept in clear. */
  readonly credentialsDigest?: string | undefined
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal
}

export interface Call {
  /** Throws `access.unauthenticated` in a public method that is called without a token. */
  readonly caller: Caller
  readonly isAnonymous: boolean
  /** The organization of the call: the organization in the header, or the caller's own. */
  readonly organizationId: Id<'organization'>
  /** When the request arrived. All writes of the request use this time. */
  readonly at: Instant
  /** Caller and time, in the form that `store.write` takes. */
  readonly origin: Origin
  readonly requestId: string
  /** The permission that was asked for last and was missing, with its place; for the debug log. */
  readonly missing?: string | undefined
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /**
   * For methods whose permission is checked on the target: throws `access.forbidden` unless the caller holds the
   * permission of the method in `place`, or is `subject` and the method allows self. A method that never calls it sends
   * no response.
   */
  authorize(place: Place, subject?: string): void
  /** Whether the contract allows the method for one's own user, and this is the caller's. */
  isOwn(subject: string): boolean
  /** For lists that leave out what the caller cannot read: like `authorize`, but tells instead of throwing. */
  reaches(place: Place, subject?: string): boolean
  /** As above, with one of the other permissions that the contract names for the method. */
  authorizeWith(permission: string, place: Place): void
  /** Whether the caller holds `permission` in `place`. */
  may(permission: string, place: Place): boolean
  /**
   * For lists: returns the organizations in which the caller holds the permission of the method, or 'all'. Counts as a
   * call of `authorize`.
   */
  visibleOwners(permission?: string): 'all' | readonly string[]
  /** As above, for projects and their grants: those on which a role of the caller gives the permission. */
  visibleProjects(permission?: string): ProjectsInReach
}

/** Wraps a call and reports each place that was authorized to `listen`. */
export function withAuthorizationListener(call: Call, listen: (place: Place) => void): Call {
  return {
    get caller() {
      return call.caller
    },
    isAnonymous: call.isAnonymous,
    organizationId: call.organizationId,
    at: call.at,
    origin: call.origin,
    requestId: call.requestId,
    signal: call.signal,
    authorize(place, subject) {
      call.authorize(place, subject)
      listen(place)
    },
    authorizeWith(permission, place) {
      call.authorizeWith(permission, place)
      listen(place)
    },
    isOwn: (subject) => call.isOwn(subject),
    reaches: (place, subject) => call.reaches(place, subject),
    may: (permission, place) => call.may(permission, place),
    visibleOwners: (permission) => call.visibleOwners(permission),
    visibleProjects: (permission) => call.visibleProjects(permission),
  }
}
