/**
 * Logouts on their way through the service providers of a session. They are short-lived and leave the log. Add to this
 * file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../../kernel/event.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { ServiceProviderName } from '../../grants/index.ts'

/** The request of the service provider that began a logout, as far as its answer needs it. */
export interface LogoutAsked {
  readonly applicationId: string
  readonly inResponseTo: string
  /** There only if it named no session: it means the one of the browser. */
  readonly isAboutBrowser?: true
}

/** One service provider that is told: whom, and which of its sessions have ended. */
export interface LogoutStep {
  readonly applicationId: string
  readonly name: ServiceProviderName
  readonly indexes: readonly string[]
}

/** Where the browser goes in the end, with the state that an application gave; what a service provider gets back. */
export interface LogoutSecret {
  readonly target?: string
  readonly relayState?: string
}

export const samlLogoutEvents = declareEvents({
  'saml_logout.started.v1': data<{
    /** The sessions that have ended. */
    readonly sessionIds: readonly string[]
    readonly asked?: LogoutAsked & Pick<LogoutSecret, 'relayState'>
    readonly secret?: LogoutSecret
    /** Both were beside `secret` before. */
    readonly target?: string
    readonly expiresAt: Instant
  }>(),
  'saml_logout.planned.v1': data<{
    readonly sessionIds: readonly string[]
    readonly steps: readonly LogoutStep[]
    /** Whether there are service providers that cannot be told. */
    readonly leavesOut: boolean
  }>(),
  /** The browser is on its way to the next service provider, with a request of this ID. */
  'saml_logout.asked.v1': data<{ readonly requestId: string }>(),
  'saml_logout.answered.v1': data<{ readonly requestId: string; readonly isSuccess: boolean }>(),
  'saml_logout.finished.v1': data(),
})

export type SamlLogoutEvent = EventOf<typeof samlLogoutEvents>
