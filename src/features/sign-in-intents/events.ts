/**
 * Sign-ins through identity providers. Streams: `intent`, one per sign-in, owned by the organization of the provider, or
 * by the instance; and one stream `intent-retirement`, which says what has left the log.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Removal } from '../../store/index.ts'

/** Why a sign-in came to nothing: for those who read the log. Whoever signed in is told less. */
export type FailureReason =
  /** The provider was deactivated or removed, or its organization deactivated, meanwhile. */
  | 'provider_inactive'
  | 'organization_inactive'
  | 'expired'
  /** The answer came from another browser than the one that began. */
  | 'other_browser'
  /** Somebody said no at the provider. */
  | 'denied'
  /** The provider said that something went wrong there. */
  | 'provider_error'
  | 'unreachable'
  | 'too_slow'
  | 'address_forbidden'
  | 'too_large'
  /** What the provider says about itself is missing, broken or unsafe. */
  | 'metadata_invalid'
  /** The provider says it is another one, in its metadata, its answer or its token. */
  | 'issuer_mismatch'
  /** The answer that the browser brought is not one to our question. */
  | 'response_invalid'
  /** The provider did not give a token for the code. */
  | 'code_refused'
  | 'token_invalid'
  | 'algorithm_refused'
  | 'signature_invalid'
  | 'nonce_mismatch'
  | 'audience_mismatch'
  | 'time_invalid'
  /** What the provider says about the person cannot be read, or is about somebody else. */
  | 'information_invalid'
  | 'subject_mismatch'

/** What was agreed when it began. */
export interface StartedIntent {
  readonly idpId: string
  /** Where somebody who is new would belong. */
  readonly organizationId: string
  readonly successUrl: string
  readonly failureUrl: string
  readonly expiresAt: Instant
  /** Hash of what came back must be; what is sent with the code, sealed; hash of the browser's cookie. */
  readonly secret: { readonly state: string; readonly handshake: string; readonly browser?: string }
}

/** Who signed in at the provider. */
export interface SucceededIntent {
  readonly externalUserId: string
  readonly externalUserName: string
  /** Whose account it is; not there: nobody's. */
  readonly userId?: string
  readonly expiresAt: Instant
  /** Hash of the token; what the provider told, sealed. */
  readonly secret: { readonly token: string; readonly identity: string }
}

export const intentEvents = declareEvents({
  'intent.started.v1': data<StartedIntent>(),
  /** The browser came back: once only, before anything is asked of the provider. */
  'intent.answered.v1': data(),
  'intent.succeeded.v1': data<SucceededIntent>(),
  /** `idpId` is there when it failed before it began. */
  'intent.failed.v1': data<{ readonly reason: FailureReason; readonly idpId?: string }>(),
  /** The browser came back once more, or somebody else did. */
  'intent.answer_refused.v1': data(),
  /** A session was proven with it. */
  'intent.consumed.v1': data<{ readonly userId: string }>(),
  'intent.resealed.v1': data<{ readonly secret: { readonly handshake?: string; readonly identity?: string } }>(),
})

export type IntentEvent = EventOf<typeof intentEvents>

export const intentRetirementEvents = declareEvents({
  /** Sign-ins that were over for long enough have left the log, with all that providers told. */
  'intent.retired.v1': data<Removal>(),
})

export type IntentRetirementEvent = EventOf<typeof intentRetirementEvents>
