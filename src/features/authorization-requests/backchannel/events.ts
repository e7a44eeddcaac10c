/**
 * What applications ask users to approve on the back channel (OpenID Connect CIBA). Streams are short-lived and leave the
 * log. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../../kernel/event.ts'
import type { Generations, Reopening } from '../../../kernel/generations.ts'
import type { Instant } from '../../../kernel/instant.ts'

/** What ends a request: what ends sessions of the user, their access to the project, and what closes the application. */
export type ApprovalEnding = 'user' | 'organization' | 'project' | Reopening

/** What an application asks for, and whom. */
export interface AskedApproval {
  readonly clientId: string
  readonly applicationId: string
  readonly projectId: string
  readonly userId: string
  readonly organizationId: string
  readonly scope: string
  /** What the user compares with what the application shows; empty: nothing. */
  readonly bindingMessage: string
  /** The `claims` parameter as JSON. */
  readonly claims?: string
  /** The URI of the resource that tokens are for. */
  readonly resource?: string
  /** For ping mode: the ID of the request and the token of the application, as they are sent to it. */
  readonly secret: { readonly ping?: string }
  readonly startedAt: Instant
  readonly expiresAt: Instant
  /** How often what the request ends with was ended until then. Requests from before it was counted have none. */
  readonly generations?: Partial<Generations<ApprovalEnding>>
}

export const backchannelRequestEvents = declareEvents({
  'backchannel_request.started.v1': data<AskedApproval>(),
  'backchannel_request.approved.v1': data<{ readonly grantId: string }>(),
  'backchannel_request.denied.v1': data(),
  /** The user did not decide in time. */
  'backchannel_request.expired.v1': data(),
  /** The user was removed while it waited. Before requests remembered what ends them, also: was locked out, or lost the project. */
  'backchannel_request.withdrawn.v1': data(),
  'backchannel_request.redeemed.v1': data(),
  /** The application asked whether the user has decided; `by` is the process that remembers when it asks again. */
  'backchannel_request.polled.v1': data<{ readonly at: Instant; readonly by: string }>(),
  /** The application asked too early. */
  'backchannel_request.slowed_down.v1': data<{
    readonly at: Instant
    readonly by: string
    /** How long it must wait from now on. */
    readonly intervalMs: number
  }>(),
  /** What is sent to the application was sealed with another key. */
  'backchannel_request.resealed.v1': data<{ readonly secret: { readonly ping: string } }>(),
})

export type BackchannelRequestEvent = EventOf<typeof backchannelRequestEvents>
