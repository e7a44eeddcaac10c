/** The rules of authorization requests, pushed requests, devices and assertions: each is finished once. Pure. */

import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type {
  AuthorizationRequestEvent,
  DeviceAuthorizationEvent,
  DeviceSecret,
  KeptPayload,
  PushedRequestEvent,
  UsedAssertionEvent,
} from './events.ts'
import { type Poll, pollOf, type Waiting } from './polling.ts'
import type { AuthorizationRequestRefusal } from './refusals.ts'

/** An authorization request that waits for the user, or did. */
export interface WaitingRequest {
  readonly status: 'waiting' | 'finished'
  readonly clientId: string
  readonly parameters?: JsonObject
  readonly secret: KeptPayload
  readonly flowStartedAt: Instant
  readonly loginClientId: string
  /** The session that the user chose to continue with. */
  readonly chosenSessionId?: string
  /** The user who allowed what `authorization_details` asks for. */
  readonly detailsAllowedBy?: string
  /** Whether the user refused; the application learns it when the browser returns. */
  readonly isDenied?: boolean
  readonly expiresAt: Instant
}

/** The parameters of a request that readers of the log may see; who knows another one can act for the user or the application. */
const SHOWN: ReadonlySet<string> = new Set([
  'acr_values',
  'client_id',
  'code_challenge_method',
  'max_age',
  'prompt',
  'redirect_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'ui_locales',
])

/** What of a request readers of the log may see. */
function shownOf({ params }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([name]) => SHOWN.has(name)))
}

/** What an event holds under `secret` now, and held beside it before. */
function kept({ payload, secret }: { readonly payload?: JsonObject; readonly secret?: Partial<KeptPayload> }) {
  return { payload: secret?.payload ?? payload ?? {} }
}

export type AuthorizationRequest = { readonly status: 'unknown' } | WaitingRequest

export type AuthorizationRequestCommand =
  | {
      readonly type: 'start'
      readonly clientId: string
      readonly payload: JsonObject
      readonly flowStartedAt: Instant
      readonly loginClientId: string
      readonly expiresAt: Instant
    }
  | { readonly type: 'choose_account'; readonly sessionId: string }
  | { readonly type: 'allow_details'; readonly userId: string }
  | { readonly type: 'deny' }
  | { readonly type: 'finish'; readonly outcome: 'continued' | 'code_issued' | 'failed' }

export const authorizationRequest: Decider<
  AuthorizationRequestCommand,
  AuthorizationRequest,
  AuthorizationRequestEvent,
  AuthorizationRequestRefusal
> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'authorization_request.started.v1') {
      const { payload: _, ...data } = event.data
      return { status: 'waiting', ...data, secret: kept(event.data) }
    }
    if (state.status === 'unknown') return state
    switch (event.type) {
      case 'authorization_request.account_chosen.v1':
        return { ...state, chosenSessionId: event.data.sessionId }
      case 'authorization_request.details_allowed.v1':
        return { ...state, detailsAllowedBy: event.data.userId }
      case 'authorization_request.denied.v1':
        return { ...state, isDenied: true }
      case 'authorization_request.finished.v1':
        return { ...state, status: 'finished' }
    }
  },

  decide(command, state) {
    if (command.type === 'start') {
      const { type: _, payload, ...rest } = command
      const data = { ...rest, parameters: shownOf(payload), secret: { payload } }
      return state.status === 'unknown'
        ? accept({ type: 'authorization_request.started.v1', data })
        : refuse('authorization_request.id_taken')
    }
    if (state.status === 'unknown') return refuse('authorization_request.not_found')
    if (state.status === 'finished') return refuse('authorization_request.finished')
    if (command.type === 'finish') {
      return accept({ type: 'authorization_request.finished.v1', data: { outcome: command.outcome } })
    }
    if (state.isDenied === true) return refuse('authorization_request.finished')
    switch (command.type) {
      case 'deny':
        return accept({ type: 'authorization_request.denied.v1', data: {} })
      case 'allow_details':
        return accept({ type: 'authorization_request.details_allowed.v1', data: { userId: command.userId } })
      case 'choose_account':
        return accept({ type: 'authorization_request.account_chosen.v1', data: { sessionId: command.sessionId } })
    }
  },
}

export type PushedRequest =
  | { readonly status: 'unknown' }
  | { readonly status: 'stored' | 'used'; readonly secret: KeptPayload; readonly expiresAt: Instant }

export type PushedRequestCommand =
  | { readonly type: 'store'; readonly payload: JsonObject; readonly expiresAt: Instant }
  | { readonly type: 'use' }

export const pushedRequest: Decider<
  PushedRequestCommand,
  PushedRequest,
  PushedRequestEvent,
  AuthorizationRequestRefusal
> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'pushed_request.stored.v1') {
      return { status: 'stored', expiresAt: event.data.expiresAt, secret: kept(event.data) }
    }
    return state.status === 'unknown' ? state : { ...state, status: 'used' }
  },

  decide(command, state) {
    if (command.type === 'store') {
      const { payload, expiresAt } = command
      return accept({ type: 'pushed_request.stored.v1', data: { expiresAt, secret: { payload } } })
    }
    if (state.status === 'unknown') return refuse('authorization_request.not_found')
    return state.status === 'used'
      ? refuse('authorization_request.finished')
      : accept({ type: 'pushed_request.used.v1', data: {} })
  },
}

/** A device that waits for the approval of a user (RFC 8628). */
export interface StartedDevice extends Waiting {
  readonly status: 'pending' | 'approved' | 'denied' | 'redeemed'
  readonly clientId: string
  readonly scope: string
  readonly secret: DeviceSecret & KeptPayload
  readonly grantId?: string
  readonly userId?: string
}

export type DeviceAuthorization = { readonly status: 'unknown' } | StartedDevice

export type DeviceAuthorizationCommand =
  | {
      readonly type: 'start'
      readonly clientId: string
      readonly scope: string
      readonly payload: JsonObject
      readonly secret: DeviceSecret
      readonly startedAt: Instant
      readonly expiresAt: Instant
    }
  | { readonly type: 'approve'; readonly grantId: string; readonly userId: string; readonly at: Instant }
  | { readonly type: 'deny'; readonly at: Instant }
  | { readonly type: 'redeem' }
  | ({ readonly type: 'poll' } & Poll)

/** A device that waits asks again. */
function poll(state: StartedDevice, command: Poll): readonly DeviceAuthorizationEvent[] {
  const polled = pollOf(state, command)
  if (polled === undefined) return []
  const { intervalMs, ...data } = polled
  return intervalMs === undefined
    ? [{ type: 'device_authorization.polled.v1', data }]
    : [{ type: 'device_authorization.slowed_down.v1', data: { ...data, intervalMs } }]
}

export const deviceAuthorization: Decider<
  DeviceAuthorizationCommand,
  DeviceAuthorization,
  DeviceAuthorizationEvent,
  AuthorizationRequestRefusal
> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'device_authorization.started.v1') {
      const { payload: _, ...data } = event.data
      return { status: 'pending', ...data, secret: { ...data.secret, ...kept(event.data) } }
    }
    if (state.status === 'unknown') return state
    switch (event.type) {
      case 'device_authorization.approved.v1':
        return { ...state, status: 'approved', ...event.data }
      case 'device_authorization.denied.v1':
        return { ...state, status: 'denied' }
      case 'device_authorization.redeemed.v1':
        return { ...state, status: 'redeemed' }
      case 'device_authorization.polled.v1':
        return { ...state, polled: event.data }
      case 'device_authorization.slowed_down.v1': {
        const { intervalMs, ...polled } = event.data
        return { ...state, polled, intervalMs }
      }
    }
  },

  decide(command, state) {
    if (command.type === 'start') {
      const { type: _, payload, secret, ...data } = command
      return accept({ type: 'device_authorization.started.v1', data: { ...data, secret: { ...secret, payload } } })
    }
    if (state.status === 'unknown') return refuse('device_authorization.not_found')
    if (command.type === 'redeem') {
      if (state.status === 'pending') return refuse('device_authorization.pending')
      return state.status === 'redeemed'
        ? refuse('device_authorization.finished')
        : accept({ type: 'device_authorization.redeemed.v1', data: {} })
    }
    if (state.status !== 'pending') return refuse('device_authorization.finished')
    if (command.type === 'poll') return accept(...poll(state, command))
    if (command.at >= state.expiresAt) return refuse('device_authorization.not_found')
    if (command.type === 'deny') return accept({ type: 'device_authorization.denied.v1', data: {} })
    const { grantId, userId } = command
    return accept({ type: 'device_authorization.approved.v1', data: { grantId, userId } })
  },
}

export type UsedAssertion = { readonly status: 'unused' } | { readonly status: 'used'; readonly expiresAt: Instant }

export interface UseAssertion {
  readonly expiresAt: Instant
}

export const usedAssertion: Decider<UseAssertion, UsedAssertion, UsedAssertionEvent, AuthorizationRequestRefusal> = {
  initial: { status: 'unused' },
  evolve: (_, { data }) => ({ status: 'used', ...data }),
  decide: ({ expiresAt }, state) =>
    state.status === 'used' ? refuse('assertion.used') : accept({ type: 'assertion.used.v1', data: { expiresAt } }),
}
