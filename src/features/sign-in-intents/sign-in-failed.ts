/** Determines why a sign-in at a provider failed, from the errors of the library and of the guarded fetch. */
import { OutboundFailed } from '../../outbound/fetch.ts'
import type { FailureReason } from './events.ts'

/** The sign-in failed. The reason is only for the log. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed'
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`the sign-in at the provider failed: ${reason}`, options)
    this.reason = reason
  }
}

/** The step that failed. */
export type Phase = 'discovery' | 'token' | 'information'

const BY_PHASE: Readonly<Record<Phase, FailureReason>> = {
  discovery: 'metadata_invalid',
  token: 'token_invalid',
  information: 'information_invalid',
}

const BY_CLAIM: Readonly<Record<string, FailureReason>> = {
  iss: 'issuer_mismatch',
  aud: 'audience_mismatch',
  azp: 'audience_mismatch',
  nonce: 'nonce_mismatch',
}

const BY_OUTBOUND = {
  address_forbidden: 'address_forbidden',
  too_many_redirects: 'address_forbidden',
  too_large: 'too_large',
  encoded: 'too_large',
  too_slow: 'too_slow',
  unreachable: 'unreachable',
} as const satisfies Record<OutboundFailed['problem'], FailureReason>

const BY_CODE: Readonly<Record<string, FailureReason>> = {
  OAUTH_TIMEOUT: 'too_slow',
  OAUTH_ABORT: 'too_slow',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'time_invalid',
  OAUTH_KEY_SELECTION_FAILED: 'signature_invalid',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'metadata_invalid',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'metadata_invalid',
  OAUTH_MISSING_SERVER_METADATA: 'metadata_invalid',
  OAUTH_INVALID_SERVER_METADATA: 'metadata_invalid',
  OAUTH_RESPONSE_BODY_ERROR: 'code_refused',
}

/** The errors of users or providers that deny a sign-in (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const DENIALS: readonly unknown[] = ['access_denied', 'login_required', 'consent_required', 'interaction_required']

interface Link {
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly claim?: unknown
  readonly attribute?: unknown
  /** The code of an error response. */
  readonly error?: unknown
  /** The status of a response. */
  readonly status?: unknown
}

/** An error and its causes, outermost first. */
function chainOf(error: unknown): readonly Link[] {
  const chain: Link[] = []
  let at = error
  while (typeof at === 'object' && at !== null && chain.length < 8) {
    chain.push(at)
    at = (at as Link).cause
  }
  return chain
}

/** The reason as one of our codes. It never contains text of the provider. */
export function reasonOf(error: unknown, phase: Phase): FailureReason {
  const chain = chainOf(error)
  for (const link of chain) {
    if (link instanceof SignInFailed) return link.reason
    if (link instanceof OutboundFailed) return BY_OUTBOUND[link.problem]
  }
  const codes = chain.map(({ code }) => String(code))
  const known = codes.map((code) => BY_CODE[code]).find((reason) => reason !== undefined)
  if (known !== undefined) return known
  if (codes.includes('OAUTH_AUTHORIZATION_RESPONSE_ERROR')) {
    return chain.some(({ error }) => DENIALS.includes(error)) ? 'denied' : 'provider_error'
  }
  if (chain.some(({ status }) => typeof status === 'number' && status >= 500)) return 'provider_error'
  const [claim] = chain.flatMap((link) => (typeof link.claim === 'string' ? [link.claim] : []))
  const [attribute] = chain.flatMap((link) => (typeof link.attribute === 'string' ? [link.attribute] : []))
  if (codes.includes('OAUTH_JWT_CLAIM_COMPARISON_FAILED')) return BY_CLAIM[claim ?? ''] ?? 'token_invalid'
  if (codes.includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) {
    return attribute === 'issuer' ? 'issuer_mismatch' : 'subject_mismatch'
  }
  const messages = chain.map(({ message }) => String(message))
  if (messages.includes('JWT signature verification failed')) return 'signature_invalid'
  if (messages.some((message) => message.includes('"iss"'))) return 'issuer_mismatch'
  if (messages.some((message) => message.includes('"alg"'))) return 'algorithm_refused'
  return BY_PHASE[phase]
}
