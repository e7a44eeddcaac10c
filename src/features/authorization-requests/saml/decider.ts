/** The rules of SAML requests: each is answered once. Pure. */

import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { AuthorizationRequestRefusal } from '../refusals.ts'
import type { SamlAsked, SamlRequestEvent } from './events.ts'

/** A request that waits for the user, or did. */
export interface StartedSamlRequest extends SamlAsked {
  readonly status: 'waiting' | 'finished'
  readonly flowStartedAt: Instant
  readonly loginClientId: string
  readonly expiresAt: Instant
}

export type SamlRequest = { readonly status: 'unknown' } | StartedSamlRequest

export type SamlRequestCommand =
  | ({ readonly type: 'start' } & Omit<StartedSamlRequest, 'status'>)
  | { readonly type: 'finish'; readonly outcome: 'answered' | 'failed'; readonly at: Instant }

export const samlRequest: Decider<SamlRequestCommand, SamlRequest, SamlRequestEvent, AuthorizationRequestRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'saml_request.started.v1') {
      const { relayState, ...data } = event.data
      return { status: 'waiting', ...data, ...(relayState !== undefined && { secret: { relayState } }) }
    }
    return state.status === 'unknown' ? state : { ...state, status: 'finished' }
  },

  decide(command, state) {
    if (command.type === 'start') {
      const { type: _, ...data } = command
      return state.status === 'unknown'
        ? accept({ type: 'saml_request.started.v1', data })
        : refuse('authorization_request.id_taken')
    }
    if (state.status === 'unknown' || command.at >= state.expiresAt) return refuse('authorization_request.not_found')
    return state.status === 'finished'
      ? refuse('authorization_request.finished')
      : accept({ type: 'saml_request.finished.v1', data: { outcome: command.outcome } })
  },
}
