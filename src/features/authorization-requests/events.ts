/**
 * Authorization requests that wait for the user, requests that were pushed before, devices that wait for approval, and
 * assertions that must not be used twice. All are short-lived and leave the log. Add to this file; never change or remove
 * a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** What the engine keeps: hints, states, nonces and addresses of pushed requests among it. */
export interface KeptPayload {
  readonly payload: JsonObject
}

/** A short-lived object of the OpenID engine. Before there was `secret`, all of it was in `payload`. */
interface Stored {
  readonly payload?: JsonObject
  readonly secret?: KeptPayload
  readonly expiresAt: Instant
}

export const authorizationRequestEvents = declareEvents({
  'authorization_request.started.v1': data<
    Stored & {
      readonly clientId: string
      /** The parameters that readers of the log may see. */
      readonly parameters?: JsonObject
      /** When the user was first asked for something in this flow. */
      readonly flowStartedAt: Instant
      /** The user ID of the login client that the application named in a header; empty: none. */
      readonly loginClientId: string
    }
  >(),
  'authorization_request.account_chosen.v1': data<{ readonly sessionId: string }>(),
  /** The user allowed what the parameter `authorization_details` of this request asks for (RFC 9396). */
  'authorization_request.details_allowed.v1': data<{ readonly userId: string }>(),
  /** The user refused. */
  'authorization_request.denied.v1': data(),
  'authorization_request.finished.v1': data<{ readonly outcome: 'continued' | 'code_issued' | 'failed' }>(),
})

export type AuthorizationRequestEvent = EventOf<typeof authorizationRequestEvents>

export const pushedRequestEvents = declareEvents({
  'pushed_request.stored.v1': data<Stored>(),
  'pushed_request.used.v1': data(),
})

export type PushedRequestEvent = EventOf<typeof pushedRequestEvents>

/** Hashes of the codes of a device. */
export interface DeviceSecret {
  readonly hash: string
  readonly userCodeHash: string
}

export const deviceAuthorizationEvents = declareEvents({
  'device_authorization.started.v1': data<{
    readonly clientId: string
    readonly scope: string
    readonly payload?: JsonObject
    readonly secret: DeviceSecret & Partial<KeptPayload>
    readonly startedAt: Instant
    readonly expiresAt: Instant
  }>(),
  'device_authorization.approved.v1': data<{ readonly grantId: string; readonly userId: string }>(),
  'device_authorization.denied.v1': data(),
  'device_authorization.redeemed.v1': data(),
  /** The device asked whether it was approved; `by` is the process that remembers when it asks again. */
  'device_authorization.polled.v1': data<{ readonly at: Instant; readonly by: string }>(),
  /** The device asked too early. */
  'device_authorization.slowed_down.v1': data<{
    readonly at: Instant
    readonly by: string
    /** How long it must wait from now on. */
    readonly intervalMs: number
  }>(),
})

export type DeviceAuthorizationEvent = EventOf<typeof deviceAuthorizationEvents>

export const usedAssertionEvents = declareEvents({
  'assertion.used.v1': data<{ readonly expiresAt: Instant }>(),
})

export type UsedAssertionEvent = EventOf<typeof usedAssertionEvents>
