/** The caller of a request, the organization it is for, and what the caller may do: what handlers see beside the message. */
import type { Instant } from '../kernel/instant.ts'
import type { Origin } from '../store/index.ts'

/** Where a role holds: on the whole instance, or in one organization. */
export type Scope = 'instance' | { readonly organizationId: string }

export interface Grant {
  readonly scope: Scope
  readonly roles: readonly string[]
}

/** The session whose token was the bearer. */
export interface CallerSession {
  readonly id: string
  /** When the person last proved who they are: the youngest first factor. */
  readonly authenticatedAt: Instant
  /** What is stored of the token that was shown, so that a write can tell whether it is still the current one. */
  readonly tokenHash: string
}

/** A signed-in user, with everything that decides what they may do, read from the store for this call. */
export interface Caller {
  readonly userId: string
  /** The organization the user belongs to. */
  readonly organizationId: string
  readonly grants: readonly Grant[]
  /** Only when the bearer was a session token. */
  readonly session?: CallerSession
  /** The password must be changed first: until then the caller may call nothing else, and has no grants. */
  readonly mustChangePassword?: boolean
}

/** What authorization reads of a request: everything but the message. */
export interface RequestHead {
  /** A request header by its lower-case name. */
  header(name: string): string | undefined
  readonly requestId: string
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal
}

export interface Call {
  /** Throws `access.unauthenticated` in a public method called without a token. */
  readonly caller: Caller
  readonly isAnonymous: boolean
  /** The organization of the call: the header's, else the caller's own. */
  readonly organizationId: string
  /** When the request arrived: the time of everything it does. */
  readonly at: Instant
  /** Caller and time, as `store.write` wants them. */
  readonly origin: Origin
  readonly requestId: string
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal
  /**
   * For methods whose permission is checked on the target: throws `access.forbidden` unless the caller holds the
   * method's permission in `owner` (an organization, or the instance), or is `subject` and the method allows self.
   * No reply of such a method is sent when it never called this.
   */
  authorize(owner: string, subject?: string): void
  /** Whether the caller holds `permission` in `owner`. */
  may(permission: string, owner: string): boolean
  /**
   * For lists: the organizations in which the caller holds the method's permission, or 'all'. Counts as `authorize`.
   */
  visibleOwners(): 'all' | readonly string[]
}

/** The same call; `listen` is told each owner for which it was authorized. */
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
