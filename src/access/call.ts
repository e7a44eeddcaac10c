/** The call as handlers see it: the caller, the organization, and the permissions of the caller. */
import type { Instant } from '../kernel/instant.ts'
import type { Origin } from '../store/index.ts'

/** Where a role applies: on the whole instance, or in one organization. */
export type Scope = 'instance' | { readonly organizationId: string }

export interface Grant {
  readonly scope: Scope
  readonly roles: readonly string[]
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
  readonly userId: string
  /** The organization the user belongs to. */
  readonly organizationId: string
  readonly grants: readonly Grant[]
  /** Set only when the bearer token was a session token. */
  readonly session?: CallerSession
  /** When the user signed in, if they call with an access token of an application. */
  readonly authenticatedAt?: Instant
  /** The password must be changed first: until then the caller may call nothing else, and has no grants. */
  readonly mustChangePassword?: boolean
}

/** The part of a request that authorization reads: everything except the message. */
export interface RequestHead {
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined
  readonly requestId: string
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal
}

export interface Call {
  /** Throws `access.unauthenticated` in a public method that is called without a token. */
  readonly caller: Caller
  readonly isAnonymous: boolean
  /** The organization of the call: the organization in the header, or the caller's own. */
  readonly organizationId: string
  /** When the request arrived. All writes of the request use this time. */
  readonly at: Instant
  /** Caller and time, in the form that `store.write` takes. */
  readonly origin: Origin
  readonly requestId: string
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /**
   * For methods whose permission is checked on the target: throws `access.forbidden` unless the caller holds the
   * permission of the method in `owner` (an organization or the instance), or is `subject` and the method allows self.
   * A method that never calls it sends no response.
   */
  authorize(owner: string, subject?: string): void
  /** Whether the caller holds `permission` in `owner`. */
  may(permission: string, owner: string): boolean
  /**
   * For lists: returns the organizations in which the caller holds the permission of the method, or 'all'. Counts as a
   * call of `authorize`.
   */
  visibleOwners(): 'all' | readonly string[]
}

/** Wraps a call and reports each owner that was authorized to `listen`. */
export function withAuthorizationListener(call: Call, listen: (owner: string) => void): Call {
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
    authorize(owner, subject) {
      call.authorize(owner, subject)
      listen(owner)
    },
    may: (permission, owner) => call.may(permission, owner),
    visibleOwners: () => call.visibleOwners(),
  }
}
