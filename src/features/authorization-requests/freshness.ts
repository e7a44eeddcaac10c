/** Whether a sign-in is fresh enough for a request, in OpenID Connect and SAML, for our own pages and for clients' pages. Pure. */
import type { Instant } from '../../kernel/instant.ts'

export interface AskedFreshness {
  /** The user must sign in again: `prompt=login`, `ForceAuthn`. */
  readonly isForced: boolean
  /** How old the sign-in may be, in seconds (`max_age`); undefined: as old as it is. */
  readonly maxAge?: number | undefined
  /** When the flow of the request began; undefined: it begins now. */
  readonly since: Instant | undefined
}

/** Whether a user signed in for this very request. */
export function isForThisRequest(signedInAt: Instant, since: Instant | undefined): boolean {
  return since !== undefined && signedInAt >= since
}

/** Whether a sign-in meets what a request asks for (OpenID Connect Core §3.1.2.1, SAML 2.0 Core §3.4.1). */
export function isFreshEnough(signedInAt: Instant, asked: AskedFreshness, at: Instant): boolean {
  // What was done for this request is new, however long it took to come here.
  if (isForThisRequest(signedInAt, asked.since)) return true
  return !asked.isForced && (asked.maxAge === undefined || at - signedInAt <= asked.maxAge * 1000)
}
