/**
 * Requests of SAML service providers that wait for the user. They are short-lived and leave the log. Add to this file;
 * never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../../kernel/event.ts'
import type { Instant } from '../../../kernel/instant.ts'

/** What a service provider asks for, as it was checked, and where the response goes. */
export interface SamlAsked {
  readonly applicationId: string
  readonly clientId: string
  /** The ID of the request; not there when the user began here. */
  readonly inResponseTo?: string
  readonly responseUrl: string
  readonly binding: 'post' | 'redirect'
  /** What the service provider gets back as it was. */
  readonly secret?: { readonly relayState: string }
  /** There only if the user must sign in again. */
  readonly isForced?: true
  /** There only if the user must not see a page. */
  readonly isPassive?: true
  readonly nameIdFormat?: string
  /** The classes of authentication of which the sign-in must have one. */
  readonly classes?: readonly string[]
}

export const samlRequestEvents = declareEvents({
  'saml_request.started.v1': data<
    SamlAsked & {
      /** Where it was before it was under `secret`. */
      readonly relayState?: string
      readonly flowStartedAt: Instant
      /** The user ID of the login client that was named in a header; empty: none. */
      readonly loginClientId: string
      readonly expiresAt: Instant
    }
  >(),
  'saml_request.finished.v1': data<{ readonly outcome: 'answered' | 'failed' }>(),
})

export type SamlRequestEvent = EventOf<typeof samlRequestEvents>
