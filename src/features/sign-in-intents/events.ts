/**
 * Sign-ins through identity providers. Streams: `intent`, one per sign-in, owned by the organization of the provider, or
 * by the instance; and one stream `intent-retirement`, which records what was deleted from the log.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Removal } from '../../store/index.ts'

/** Why a sign-in failed: for readers of the log. The user and the client are told less. */
export type FailureReason =
  /** The provider was deactivated or removed, or its organization deactivated, meanwhile. */
  | 'provider_inactive'
  | 'organization_inactive'
  | 'expired'
  /** The answer came from another browser than the one that began. */
  | 'other_browser'
  /** The user refused at the provider. */
  | 'denied'
  /** The provider answered with an error. */
  | 'provider_error'
  | 'unreachable'
  | 'too_slow'
  | 'address_forbidden'
  | 'too_large'
  /** What the provider says about itself is missing, broken or unsafe. */
  | 'metadata_invalid'
  /** The provider says it is another one, in its metadata, its answer or its token. */
  | 'issuer_mismatch'
  /** The browser did not bring an answer to this request. */
  | 'response_invalid'
  /** The provider did not give a token for the code. */
  | 'code_refused'
  | 'token_invalid'
  | 'algorithm_refused'
  | 'signature_invalid'
  | 'nonce_mismatch'
  | 'audience_mismatch'
  | 'time_invalid'
  /** What the provider says about the account cannot be read, or is about another account. */
  | 'information_invalid'
  | 'subject_mismatch'

/** What was agreed when it began. */
export interface StartedIntent {
  readonly idpId: string
  /** The organization of a new user. */
  readonly organizationId: string
  readonly successUrl: string
  readonly failureUrl: string
  readonly expiresAt: Instant
  /** Hash of the state that must come back; what is sent with the code, sealed; hash of the browser's cookie. */
  readonly secret: { readonly state: string; readonly handshake: string; readonly browser?: string }
}

/** Who signed in at the provider. */
export interface SucceededIntent {
  readonly externalUserId: string
  readonly externalUserName: string
  /** The user of the account; not there: none. */
  readonly userId?: string
  readonly expiresAt: Instant
  /** Hash of the token; the answer of the provider, sealed. */
  readonly secret: { readonly token: string; readonly identity: string }
}

export const intentEvents = declareEvents({
  'intent.started.v1': data<StartedIntent>(),
  /** The browser came back: written once, before the provider is asked anything. */
  'intent.answered.v1': data(),
  'intent.succeeded.v1': data<SucceededIntent>(),
  /** `idpId` is there when it failed before it began. */
  'intent.failed.v1': data<{ readonly reason: FailureReason; readonly idpId?: string }>(),
  /** A browser came back once more. */
  'intent.answer_refused.v1': data(),
  /** A session was proven with it. */
  'intent.consumed.v1': data<{ readonly userId: string }>(),
  'intent.resealed.v1': data<{ readonly secret: { readonly handshake?: string; readonly identity?: string } }>(),
})

export type IntentEvent = EventOf<typeof intentEvents>

export const intentRetirementEvents = declareEvents({
  /** Sign-ins whose retention was over were deleted from the log, with the answers of providers. */
  'intent.retired.v1': data<Removal>(),
})

export type IntentRetirementEvent = EventOf<typeof intentRetirementEvents>
