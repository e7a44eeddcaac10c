/** The seam between the port and the gate: the port shows what it knows of a request, the gate lets it in or throws. */
import type { Call } from './call.ts'
import type { Method } from './method.ts'

/** What the gate wants to know of a request; the message itself is none of its business. */
export interface RequestHead {
  /** A request header by its lower-case name. */
  header(name: string): string | undefined
  readonly requestId: string
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal
}

export interface AuthorizedRequest {
  readonly call: Call
  /** For the access log. */
  readonly callerId?: string | undefined
  /**
   * To be called with the message before its limits are looked at: throws when the caller may do this for themself alone
   * and the message names somebody else. So they do not learn whether there is such a user.
   */
  checkMessage(message: object): void
  /** To be called after the handler and before its reply is sent: throws when the handler never asked for permission. */
  finish(): void
}

/** Lets a request in to a method, or throws the refusal that answers it. Runs before the message is decoded. */
export type Authorize = (method: Method, request: RequestHead) => Promise<AuthorizedRequest>
