/** The rules of sign-ins with identity providers: each is answered once and proves one session. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import { type Generations, isCurrent } from '../../kernel/generations.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { FailureReason, IntentEvent, StartedIntent, SucceededIntent } from './events.ts'
import type { IntentRefusal } from './refusals.ts'

interface Ended {
  readonly idpId: string
  /** When it expired or would have expired; in 1970 if it never started. */
  readonly expiresAt: Instant
  /** How many responses were refused; the number of recorded ones is limited. */
  readonly refusedAnswers: number
  /** The provider's token, which signs in once. */
  readonly tokenMark?: string
  readonly secret: { readonly state?: string; readonly browser?: string }
}

export type Intent =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'started' } & StartedIntent)
  | ({ readonly status: 'answered' } & Omit<StartedIntent, 'secret'> & Ended)
  | ({ readonly status: 'succeeded' } & SucceededIntent &
      Omit<Ended, 'secret'> & { readonly secret: { readonly state: string; readonly browser?: string } })
  | ({ readonly status: 'failed'; readonly reason: FailureReason } & Ended)
  | ({ readonly status: 'consumed'; readonly userId: string } & Ended)

export type SucceededState = Extract<Intent, { status: 'succeeded' }>

export type IntentCommand =
  | ({ readonly type: 'start' } & StartedIntent)
  /** It could not be started. */
  | { readonly type: 'give_up'; readonly idpId: string; readonly reason: FailureReason }
  /** The browser returned with the right state. */
  | { readonly type: 'answer'; readonly at: Instant; readonly isSameBrowser: boolean }
  | ({ readonly type: 'succeed' } & SucceededIntent)
  | { readonly type: 'fail'; readonly reason: FailureReason }
  | {
      readonly type: 'consume'
      readonly at: Instant
      readonly isToken: boolean
      readonly userId: string
      /** Whether the account is linked to this user. */
      readonly isLinked: boolean
      /** How often the user was locked out, and the organization closed, until now. */
      readonly generations: Generations<'user' | 'organization'>
    }
  /** Only if the encrypted text has not changed. */
  | { readonly type: 'reseal'; readonly before: string; readonly after: string }

/** How many refused responses are recorded. */
const MOST_REFUSED_ANSWERS = 10

type Decided = Decision<IntentEvent, IntentRefusal>

function failed(reason: FailureReason): IntentEvent {
  return { type: 'intent.failed.v1', data: { reason } }
}

function answer(state: Intent, { at, isSameBrowser }: Extract<IntentCommand, { type: 'answer' }>): Decided {
  // The intent was deleted since its state was compared.
  if (state.status === 'unknown') return refuse('intent.answer_refused')
  // While the first response is processed, another one must not change anything.
  if (state.status === 'answered') return refuse('intent.answer_refused')
  if (state.status !== 'started') {
    return state.refusedAnswers < MOST_REFUSED_ANSWERS
      ? refuse('intent.answer_refused', { type: 'intent.answer_refused.v1', data: {} })
      : refuse('intent.answer_refused')
  }
  if (at >= state.expiresAt) return refuse('intent.answer_refused', failed('expired'))
  if (!isSameBrowser) return refuse('intent.answer_refused', failed('other_browser'))
  return accept({ type: 'intent.answered.v1', data: {} })
}

/** Why a sign-in is not a valid proof now; undefined when it is. */
export function proofProblem(state: Intent, at: Instant, isToken: boolean): IntentRefusal | undefined {
  if (state.status !== 'succeeded') return 'intent.not_succeeded'
  if (!isToken) return 'intent.token_wrong'
  return at < state.expiresAt ? undefined : 'intent.expired'
}

function consume(state: Intent, command: Extract<IntentCommand, { type: 'consume' }>): Decided {
  const { at, isToken, userId, isLinked, generations } = command
  const problem = proofProblem(state, at, isToken)
  if (problem !== undefined) return refuse(problem)
  if (!isLinked || state.status !== 'succeeded' || (state.userId ?? userId) !== userId) {
    return refuse('intent.other_user')
  }
  // A sign-in from before a lockout does not count after it. Without a user, it was nobody's.
  if (state.userId !== undefined && !isCurrent(generations, state.generations)) return refuse('intent.expired')
  return accept({ type: 'intent.consumed.v1', data: { userId } })
}

function reseal(state: Intent, { before, after }: Extract<IntentCommand, { type: 'reseal' }>): Decided {
  if (state.status === 'started' && state.secret.handshake === before) {
    return accept({ type: 'intent.resealed.v1', data: { secret: { handshake: after } } })
  }
  if (state.status === 'succeeded' && state.secret.identity === before) {
    return accept({ type: 'intent.resealed.v1', data: { secret: { identity: after } } })
  }
  return accept()
}

/** The data that is kept of every intent, however it ended. */
function endedOf(state: Intent): Ended {
  if (state.status === 'unknown') return { idpId: '', expiresAt: instant(0), refusedAnswers: 0, secret: {} }
  const refusedAnswers = 'refusedAnswers' in state ? state.refusedAnswers : 0
  const { idpId, expiresAt, secret } = state
  const { state: hash, browser } = secret
  const kept = { ...(hash !== undefined && { state: hash }), ...(browser !== undefined && { browser }) }
  const mark = 'tokenMark' in state && state.tokenMark !== undefined ? { tokenMark: state.tokenMark } : {}
  return { idpId, expiresAt, refusedAnswers, ...mark, secret: kept }
}

function evolve(state: Intent, event: IntentEvent): Intent {
  switch (event.type) {
    case 'intent.started.v1':
      return { status: 'started', ...event.data }
    case 'intent.answered.v1':
      return state.status === 'started' ? { ...state, status: 'answered', ...endedOf(state) } : state
    case 'intent.succeeded.v1': {
      const { idpId, refusedAnswers, secret } = endedOf(state)
      return {
        status: 'succeeded',
        ...event.data,
        idpId,
        refusedAnswers,
        secret: { ...event.data.secret, ...secret, state: secret.state ?? '' },
      }
    }
    case 'intent.failed.v1': {
      const { reason, idpId } = event.data
      const ended = endedOf(state)
      return { status: 'failed', reason, ...ended, idpId: idpId ?? ended.idpId }
    }
    case 'intent.answer_refused.v1':
      return 'refusedAnswers' in state ? { ...state, refusedAnswers: state.refusedAnswers + 1 } : state
    case 'intent.consumed.v1':
      return { status: 'consumed', userId: event.data.userId, ...endedOf(state) }
    case 'intent.resealed.v1': {
      const { handshake, identity } = event.data.secret
      if (state.status === 'started' && handshake !== undefined) {
        return { ...state, secret: { ...state.secret, handshake } }
      }
      if (state.status === 'succeeded' && identity !== undefined) {
        return { ...state, secret: { ...state.secret, identity } }
      }
      return state
    }
  }
}

export const intent: Decider<IntentCommand, Intent, IntentEvent, IntentRefusal> = {
  initial: { status: 'unknown' },
  evolve,

  decide(command, state) {
    switch (command.type) {
      case 'start': {
        const { type: _, ...data } = command
        return state.status === 'unknown' ? accept({ type: 'intent.started.v1', data }) : refuse('intent.id_taken')
      }
      case 'give_up': {
        const { type: _, ...data } = command
        return state.status === 'unknown' ? accept({ type: 'intent.failed.v1', data }) : refuse('intent.id_taken')
      }
      case 'answer':
        return answer(state, command)
      case 'succeed': {
        const { type: _, ...data } = command
        return state.status === 'answered'
          ? accept({ type: 'intent.succeeded.v1', data })
          : refuse('intent.answer_refused')
      }
      case 'fail':
        return state.status === 'answered' ? accept(failed(command.reason)) : refuse('intent.answer_refused')
      case 'consume':
        return consume(state, command)
      case 'reseal':
        return reseal(state, command)
    }
  },
}
