/**
 * Sign-ins through identity providers. Streams: `intent`, one per sign-in, owned by the organization of the provider, or
 * by the instance; and one stream `intent-retirement`, which records what was deleted from the log.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Removal } from '../../store/index.ts'

/** Why a sign-in failed, for readers of the log. The user and the client learn less. */
export type FailureReason =
  /** The provider was deactivated or removed, or its organization deactivated, meanwhile. */
  | 'provider_inactive'
  | 'organization_inactive'
  | 'expired'
  /** The response came from another browser than the one that started. */
  | 'other_browser'
  /** The user denied the sign-in at the provider. */
  | 'denied'
  /** The provider returned an error. */
  | 'provider_error'
  | 'unreachable'
  | 'too_slow'
  | 'address_forbidden'
  | 'too_large'
  /** The metadata of the provider is missing, invalid or unsafe. */
  | 'metadata_invalid'
  /** The issuer in the metadata, response or token is a different one. */
  | 'issuer_mismatch'
  /** The browser did not return a response to this request. */
  | 'response_invalid'
  /** The provider did not issue a token for the code. */
  | 'code_refused'
  | 'token_invalid'
  | 'algorithm_refused'
  | 'signature_invalid'
  | 'nonce_mismatch'
  | 'audience_mismatch'
  | 'time_invalid'
  /** The information about the account is invalid, or is about another account. */
  | 'information_invalid'
  | 'subject_mismatch'
  /** The name of the account has another format than the provider was asked for. */
  | 'name_format_mismatch'
  /** The directory has no such account, or its password is another one. */
  | 'credentials_wrong'
  /** The token has signed in before. */
  | 'token_used'

/** The parameters of a sign-in. */
export interface StartedIntent {
  readonly idpId: string
  /** The organization of a new user. */
  readonly organizationId: string
  /** The organization whose pages the person visits, if it is another one. */
  readonly visitedId?: string
  readonly successUrl: string
  readonly failureUrl: string
  readonly expiresAt: Instant
  /** Hash of the state that must be returned; data for the token request, encrypted; hash of the browser's cookie. */
  readonly secret: { readonly state: string; readonly handshake: string; readonly browser?: string }
}

/** The account that signed in at the provider. */
export interface SucceededIntent {
  readonly externalUserId: string
  readonly externalUserName: string
  /** The user of the account; not set if there is none. */
  readonly userId?: string
  /** How often the user was locked out, and the organization closed, until then. */
  readonly generations?: Generations<'user' | 'organization'>
  readonly expiresAt: Instant
  /** Hash of what names the provider's token, which signs in once; not set: it has no name. */
  readonly tokenMark?: string
  /** Hash of the token; response of the provider, encrypted. */
  readonly secret: { readonly token: string; readonly identity: string }
}

export const intentEvents = declareEvents({
  'intent.started.v1': data<StartedIntent>(),
  /** The browser returned: recorded once, before any request to the provider. */
  'intent.answered.v1': data(),
  'intent.succeeded.v1': data<SucceededIntent>(),
  /** `idpId` is set when it failed before it started. */
  'intent.failed.v1': data<{ readonly reason: FailureReason; readonly idpId?: string }>(),
  /** A browser returned once more. */
  'intent.answer_refused.v1': data(),
  /** A session was proven with it. */
  'intent.consumed.v1': data<{ readonly userId: string }>(),
  'intent.resealed.v1': data<{ readonly secret: { readonly handshake?: string; readonly identity?: string } }>(),
})

export type IntentEvent = EventOf<typeof intentEvents>

const intentRetirementEvents = declareEvents({
  /** Sign-ins whose retention has passed were deleted from the log, with the responses of providers. */
  'intent.retired.v1': data<Removal>(),
})

export type IntentRetirementEvent = EventOf<typeof intentRetirementEvents>
