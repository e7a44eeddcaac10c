/** The rules of a stream of security events. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { SealedHeader, SignalStreamEvent, StreamSettings } from './events.ts'
import type { SignalStreamRefusal } from './refusals.ts'

/** How often a receiver can ask for a verification. */
export const VERIFICATION_INTERVAL_S = 60

export type StreamStatus = 'enabled' | 'paused' | 'disabled'

export interface LivingStream extends StreamSettings {
  readonly status: StreamStatus
  readonly reason?: string
  /** The machine user who created it: nobody else gets it or changes it. */
  readonly receiverId: string
  /** The users of whom the receiver wants to hear nothing. */
  readonly excluded: readonly string[]
  readonly verifiedAt?: Instant
  readonly secret?: SealedHeader
}

export type SignalStream = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingStream

export type SignalStreamCommand =
  | { readonly type: 'add'; readonly receiverId: string; readonly settings: StreamSettings; readonly header?: string }
  /** Without `header` there is none any more. */
  | { readonly type: 'configure'; readonly settings: StreamSettings; readonly header?: string }
  | { readonly type: 'set_status'; readonly status: StreamStatus; readonly reason?: string }
  | { readonly type: 'remove_subject' | 'add_subject'; readonly userId: string }
  | { readonly type: 'verify'; readonly at: Instant; readonly state?: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly after: string }
  | { readonly type: 'remove' }

/** Whether a stream exists. */
export function isLiving(state: SignalStream): state is LivingStream {
  return state.status !== 'unknown' && state.status !== 'removed'
}

function withStatus({ reason: _, ...state }: LivingStream, status: StreamStatus, reason?: string): LivingStream {
  return { ...state, status, ...(reason !== undefined && { reason }) }
}

function configured({ receiverId, settings, header }: Extract<SignalStreamCommand, { type: 'add' }>) {
  return { receiverId, ...settings, ...(header !== undefined && { secret: { authorization: header } }) }
}

function settingsOf({ description, delivery, requested }: StreamSettings): StreamSettings {
  return { description, delivery, ...(requested !== undefined && { requested }) }
}

/** What follows when a status is wanted that is not the present one. */
function statusEvent(before: StreamStatus, wanted: StreamStatus) {
  if (wanted === 'paused') return 'signal_stream.paused.v1'
  if (wanted === 'disabled') return 'signal_stream.disabled.v1'
  return before === 'disabled' ? 'signal_stream.restarted.v1' : 'signal_stream.enabled.v1'
}

export const signalStream: Decider<SignalStreamCommand, SignalStream, SignalStreamEvent, SignalStreamRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'signal_stream.added.v1') return { status: 'enabled', excluded: [], ...event.data }
    if (!isLiving(state)) return state
    switch (event.type) {
      case 'signal_stream.changed.v1': {
        const { requested: _, secret: __, ...kept } = state
        return { ...kept, ...event.data }
      }
      case 'signal_stream.resealed.v1':
        return { ...state, secret: event.data.secret }
      case 'signal_stream.paused.v1':
        return withStatus(state, 'paused', event.data.reason)
      case 'signal_stream.disabled.v1':
        return withStatus(state, 'disabled', event.data.reason)
      case 'signal_stream.enabled.v1':
      case 'signal_stream.restarted.v1':
        return withStatus(state, 'enabled', event.data.reason)
      case 'signal_stream.subject_removed.v1':
        return { ...state, excluded: [...state.excluded, event.data.userId] }
      case 'signal_stream.subject_added.v1':
        return { ...state, excluded: state.excluded.filter((id) => id !== event.data.userId) }
      case 'signal_stream.verification_requested.v1':
        return { ...state, verifiedAt: event.data.requestedAt }
      case 'signal_stream.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('signal_stream.id_taken')
      return accept({ type: 'signal_stream.added.v1', data: configured(command) })
    }
    if (!isLiving(state)) return refuse('signal_stream.not_found')
    switch (command.type) {
      case 'configure': {
        const { settings, header } = command
        const secret = header === undefined ? {} : { secret: { authorization: header } }
        const after = { ...settingsOf(settings), ...secret }
        const before = { ...settingsOf(state), ...(state.secret && { secret: state.secret }) }
        if (JSON.stringify(after) === JSON.stringify(before)) return accept()
        return accept({ type: 'signal_stream.changed.v1', data: after })
      }
      case 'set_status': {
        const { status, reason } = command
        if (state.status === status) return accept()
        return accept({ type: statusEvent(state.status, status), data: reason === undefined ? {} : { reason } })
      }
      case 'remove_subject': {
        const { userId } = command
        return state.excluded.includes(userId)
          ? accept()
          : accept({ type: 'signal_stream.subject_removed.v1', data: { userId } })
      }
      case 'add_subject': {
        const { userId } = command
        return state.excluded.includes(userId)
          ? accept({ type: 'signal_stream.subject_added.v1', data: { userId } })
          : accept()
      }
      case 'verify': {
        const { at, state: echoed } = command
        const { verifiedAt = 0 } = state
        if (at < verifiedAt + VERIFICATION_INTERVAL_S * 1000) return refuse('signal_stream.verified_lately')
        const data = { requestedAt: at, ...(echoed !== undefined && { state: echoed }) }
        return accept({ type: 'signal_stream.verification_requested.v1', data })
      }
      case 'reseal':
        if (state.secret?.authorization !== command.before) return accept()
        return accept({ type: 'signal_stream.resealed.v1', data: { secret: { authorization: command.after } } })
      case 'remove':
        return accept({ type: 'signal_stream.removed.v1', data: {} })
    }
  },
}
