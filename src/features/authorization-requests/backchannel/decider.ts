/** The rules of requests on the back channel: a user decides each once, in time, and with a proof made for it. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../../kernel/decider.ts'
import { type Generations, isCurrent } from '../../../kernel/generations.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { type Poll, pollOf, type Waiting } from '../polling.ts'
import type { AuthorizationRequestRefusal } from '../refusals.ts'
import type { ApprovalEnding, AskedApproval, BackchannelRequestEvent } from './events.ts'

/** Whom a request belongs to, for limits. */
interface Parties {
  readonly userId: string
  readonly applicationId: string
}

/** A request that was made. */
export interface StartedApproval extends AskedApproval, Waiting {
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'withdrawn' | 'redeemed'
  /** There only while it waits for the user. */
  readonly open?: Parties
  /** There unless the user approved it: what annoys people has a limit. */
  readonly unapproved?: Parties
  readonly grantId?: string
}

export type BackchannelRequest = { readonly status: 'unknown' } | StartedApproval

export type BackchannelRequestCommand =
  | ({ readonly type: 'start' } & AskedApproval)
  | {
      readonly type: 'approve'
      readonly userId: string
      readonly grantId: string
      /** When the user last proved themself with a passkey or second factor; undefined: never in this session. */
      readonly provenAt: Instant | undefined
      readonly at: Instant
      /** How often what the request ends with was ended by now. */
      readonly now: Generations<ApprovalEnding>
    }
  | { readonly type: 'deny'; readonly userId: string; readonly at: Instant }
  | { readonly type: 'expire'; readonly at: Instant }
  | { readonly type: 'withdraw' }
  | { readonly type: 'redeem'; readonly at: Instant }
  | ({ readonly type: 'poll' } & Poll)
  /** Only if the encrypted text has not changed. */
  | { readonly type: 'reseal'; readonly before: string; readonly after: string }

type Decided = Decision<BackchannelRequestEvent, AuthorizationRequestRefusal>
type Of<Type> = Extract<BackchannelRequestCommand, { type: Type }>

/** Requests of other users do not exist for the one who asks. */
function decideByUser(state: StartedApproval, command: Of<'approve'> | Of<'deny'>): Decided {
  const { userId, at } = command
  if (state.userId !== userId || state.status === 'withdrawn') return refuse('backchannel_request.not_found')
  if (state.status !== 'pending') return refuse('backchannel_request.finished')
  if (at >= state.expiresAt) return refuse('backchannel_request.expired')
  if (command.type === 'deny') return accept({ type: 'backchannel_request.denied.v1', data: {} })
  if (!isCurrent(command.now, state.generations)) return refuse('backchannel_request.not_found')
  // A proof from before the request says nothing about it: the session may have been left open.
  const { provenAt, grantId } = command
  if (provenAt === undefined || provenAt < state.startedAt) return refuse('backchannel_request.proof_missing')
  return accept({ type: 'backchannel_request.approved.v1', data: { grantId } })
}

function redeem(state: StartedApproval, { at }: Of<'redeem'>): Decided {
  if (state.status === 'pending') return refuse('backchannel_request.pending')
  if (state.status !== 'approved') return refuse('backchannel_request.finished')
  return at >= state.expiresAt
    ? refuse('backchannel_request.expired')
    : accept({ type: 'backchannel_request.redeemed.v1', data: {} })
}

function poll(state: StartedApproval, command: Poll): Decided {
  const polled = state.status === 'pending' ? pollOf(state, command) : undefined
  if (polled === undefined) return accept()
  const { intervalMs, ...data } = polled
  return intervalMs === undefined
    ? accept({ type: 'backchannel_request.polled.v1', data })
    : accept({ type: 'backchannel_request.slowed_down.v1', data: { ...data, intervalMs } })
}

function evolve(state: BackchannelRequest, event: BackchannelRequestEvent): BackchannelRequest {
  if (event.type === 'backchannel_request.started.v1') {
    const { userId, applicationId } = event.data
    const parties = { userId, applicationId }
    return { status: 'pending', ...event.data, open: parties, unapproved: parties }
  }
  if (state.status === 'unknown') return state
  const { open: _, ...decided } = state
  switch (event.type) {
    case 'backchannel_request.approved.v1': {
      const { unapproved: __, ...approved } = decided
      return { ...approved, status: 'approved', ...event.data }
    }
    case 'backchannel_request.denied.v1':
      return { ...decided, status: 'denied' }
    case 'backchannel_request.expired.v1':
      return { ...decided, status: 'expired' }
    case 'backchannel_request.withdrawn.v1':
      return { ...decided, status: 'withdrawn', bindingMessage: '', secret: {} }
    case 'backchannel_request.redeemed.v1':
      return { ...state, status: 'redeemed' }
    case 'backchannel_request.polled.v1':
      return { ...state, polled: event.data }
    case 'backchannel_request.slowed_down.v1': {
      const { intervalMs, ...polled } = event.data
      return { ...state, polled, intervalMs }
    }
    case 'backchannel_request.resealed.v1':
      return { ...state, secret: event.data.secret }
  }
}

export const backchannelRequest: Decider<
  BackchannelRequestCommand,
  BackchannelRequest,
  BackchannelRequestEvent,
  AuthorizationRequestRefusal
> = {
  initial: { status: 'unknown' },
  evolve,
  decide(command, state) {
    if (command.type === 'start') {
      const { type: _, ...data } = command
      return state.status === 'unknown'
        ? accept({ type: 'backchannel_request.started.v1', data })
        : refuse('authorization_request.id_taken')
    }
    if (state.status === 'unknown') return refuse('backchannel_request.not_found')
    switch (command.type) {
      case 'approve':
      case 'deny':
        return decideByUser(state, command)
      case 'expire':
        return state.status === 'pending' && command.at >= state.expiresAt
          ? accept({ type: 'backchannel_request.expired.v1', data: {} })
          : accept()
      case 'withdraw':
        return state.status === 'pending' ? accept({ type: 'backchannel_request.withdrawn.v1', data: {} }) : accept()
      case 'redeem':
        return redeem(state, command)
      case 'poll':
        return poll(state, command)
      case 'reseal':
        return state.secret.ping === command.before
          ? accept({ type: 'backchannel_request.resealed.v1', data: { secret: { ping: command.after } } })
          : accept()
    }
  },
}
