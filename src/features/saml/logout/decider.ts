/** The rules of logouts: service providers are asked one after the other, each once, and each answers once. Pure. */

import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { SamlRefusal } from '../refusals.ts'
import type { LogoutAsked, LogoutSecret, LogoutStep, SamlLogoutEvent } from './events.ts'

/** A service provider in turn. */
export interface TakenStep extends LogoutStep {
  /** The ID of the request to it; undefined: it was not asked yet. */
  readonly requestId?: string
  /** What it answered; undefined: nothing that counts. */
  readonly isSuccess?: boolean
}

export interface StartedLogout {
  readonly status: 'started' | 'planned' | 'finished'
  readonly sessionIds: readonly string[]
  readonly asked?: LogoutAsked
  readonly secret: LogoutSecret
  readonly expiresAt: Instant
  readonly steps: readonly TakenStep[]
  readonly leavesOut: boolean
}

type Started = Extract<SamlLogoutEvent, { type: 'saml_logout.started.v1' }>['data']

export type SamlLogout = { readonly status: 'unknown' } | StartedLogout

export type SamlLogoutCommand =
  | ({ readonly type: 'start' } & Pick<StartedLogout, 'sessionIds' | 'asked' | 'secret' | 'expiresAt'>)
  | ({ readonly type: 'plan'; readonly steps: readonly LogoutStep[]; readonly at: Instant } & Pick<
      StartedLogout,
      'sessionIds' | 'leavesOut'
    >)
  /** `turn` is the number of the step. */
  | { readonly type: 'ask'; readonly turn: number; readonly requestId: string; readonly at: Instant }
  | { readonly type: 'answer'; readonly requestId: string; readonly isSuccess: boolean; readonly at: Instant }
  | { readonly type: 'finish'; readonly at: Instant }

/** The number of the step that is next; undefined: everybody was asked. */
export function nextTurn({ steps }: Pick<StartedLogout, 'steps'>): number | undefined {
  const turn = steps.findIndex(({ requestId }) => requestId === undefined)
  return turn === -1 ? undefined : turn
}

/** Whether every service provider of the session said that it logged the user out. */
export function isComplete({ steps, leavesOut }: Pick<StartedLogout, 'steps' | 'leavesOut'>): boolean {
  return !leavesOut && steps.every(({ isSuccess }) => isSuccess === true)
}

function startedBy({ target, ...data }: Started): StartedLogout {
  const { relayState, ...asked } = data.asked ?? {}
  const secret = {
    ...(target !== undefined && { target }),
    ...(relayState !== undefined && { relayState }),
    ...data.secret,
  }
  const own = data.asked === undefined ? {} : { asked: asked as LogoutAsked }
  return { status: 'started', ...data, ...own, secret, steps: [], leavesOut: false }
}

function evolveStarted(state: StartedLogout, event: SamlLogoutEvent): StartedLogout {
  switch (event.type) {
    case 'saml_logout.started.v1':
      return state
    case 'saml_logout.planned.v1':
      return { ...state, status: 'planned', ...event.data }
    case 'saml_logout.asked.v1': {
      const turn = nextTurn(state)
      return { ...state, steps: state.steps.map((step, at) => (at === turn ? { ...step, ...event.data } : step)) }
    }
    case 'saml_logout.answered.v1': {
      const { requestId, isSuccess } = event.data
      return {
        ...state,
        steps: state.steps.map((step) => (step.requestId === requestId ? { ...step, isSuccess } : step)),
      }
    }
    case 'saml_logout.finished.v1':
      return { ...state, status: 'finished' }
  }
}

export const samlLogout: Decider<SamlLogoutCommand, SamlLogout, SamlLogoutEvent, SamlRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (state.status !== 'unknown') return evolveStarted(state, event)
    if (event.type !== 'saml_logout.started.v1') return state
    return startedBy(event.data)
  },

  decide(command, state) {
    if (command.type === 'start') {
      const { type: _, ...data } = command
      return state.status === 'unknown'
        ? accept({ type: 'saml_logout.started.v1', data })
        : refuse('saml_logout.out_of_turn')
    }
    if (state.status === 'unknown' || command.at >= state.expiresAt) return refuse('saml_logout.not_found')
    if (state.status === 'finished') return refuse('saml_logout.not_found')
    switch (command.type) {
      case 'plan': {
        const { type: _, at: __, ...data } = command
        return state.status === 'started'
          ? accept({ type: 'saml_logout.planned.v1', data })
          : refuse('saml_logout.out_of_turn')
      }
      case 'ask':
        return nextTurn(state) === command.turn
          ? accept({ type: 'saml_logout.asked.v1', data: { requestId: command.requestId } })
          : refuse('saml_logout.out_of_turn')
      case 'answer': {
        const { requestId, isSuccess } = command
        const step = state.steps.find((one) => one.requestId === requestId)
        return step === undefined || step.isSuccess !== undefined
          ? refuse('saml_logout.out_of_turn')
          : accept({ type: 'saml_logout.answered.v1', data: { requestId, isSuccess } })
      }
      case 'finish':
        return state.status === 'planned'
          ? accept({ type: 'saml_logout.finished.v1', data: {} })
          : refuse('saml_logout.out_of_turn')
    }
  },
}
