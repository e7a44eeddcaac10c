/**
 * Streams of security events that receivers set up (OpenID Shared Signals Framework). Stream: `signal-stream`, owned by the
 * organization whose users it is about, or by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What a receiver can choose. */
export interface StreamSettings {
  readonly description: string
  readonly delivery: { readonly method: 'push'; readonly url: string } | { readonly method: 'poll' }
  /** URIs of types of events, also unknown ones; not set: all that there are. */
  readonly requested?: readonly string[]
}

/** The encrypted value of the header with which the receiver recognizes us. */
export interface SealedHeader {
  readonly authorization: string
}

interface Configured extends StreamSettings {
  readonly secret?: SealedHeader
}

interface Reasoned {
  /** Why, in the words of the receiver. */
  readonly reason?: string
}

export const signalStreamEvents = declareEvents({
  'signal_stream.added.v1': data<Configured & { readonly receiverId: string }>(),
  /** All settings after the change. */
  'signal_stream.changed.v1': data<Configured>(),
  /** The unchanged header, encrypted with another data key. */
  'signal_stream.resealed.v1': data<{ readonly secret: SealedHeader }>(),
  /** Nothing is sent; what happens meanwhile is sent later. */
  'signal_stream.paused.v1': data<Reasoned>(),
  /** Nothing is sent, and what happens meanwhile never is. */
  'signal_stream.disabled.v1': data<Reasoned>(),
  /** After a pause. */
  'signal_stream.enabled.v1': data<Reasoned>(),
  /** After it was disabled: it begins with what happens from now on. */
  'signal_stream.restarted.v1': data<Reasoned>(),
  /** The receiver wants to hear nothing of a user. */
  'signal_stream.subject_removed.v1': data<{ readonly userId: string }>(),
  'signal_stream.subject_added.v1': data<{ readonly userId: string }>(),
  /** The receiver asked for an event that shows whether the stream works. It is sent like all others. */
  'signal_stream.verification_requested.v1': data<{ readonly requestedAt: Instant; readonly state?: string }>(),
  'signal_stream.removed.v1': data(),
})

export type SignalStreamEvent = EventOf<typeof signalStreamEvents>
