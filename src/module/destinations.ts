/**
 * Where events are sent to: endpoints that receive them over HTTP. A module declares a kind of destinations; the module
 * `deliveries` keeps a queue for each of them and sends.
 */
import type { EventQuery, StoredEvent } from '../store/index.ts'

/** Which events a destination gets. */
export interface EventFilter extends Pick<EventQuery, 'types' | 'kinds' | 'owner'> {
  /** A further condition, which no query of the log can express. */
  matches?(event: StoredEvent): boolean
}

/** What the queue must know of a destination. */
export interface Destination {
  /** The organization or the instance whose share of the runners it takes. */
  readonly owner: string
  /** Otherwise nothing is sent, and what happens meanwhile waits in the log. */
  readonly isActive: boolean
  /** It gets events after this sequence. */
  readonly since: number
  /** Undefined: it gets no events, only calls. */
  readonly wants: EventFilter | undefined
  readonly timeoutMs: number
  /** How many requests are sent in a second at most. */
  readonly perSecond: number
}

/** One request, complete with its signature. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A kind of destinations. Its functions are called outside of writes, and again for each attempt. */
export interface DestinationKind<App> {
  /** Part of the names of its queues: it never changes. */
  readonly name: string
  /** The kinds of documents that its answers depend on. After an event of one of them `list` is called again. */
  readonly dependsOn: readonly string[]
  /** Every destination that gets events. */
  list(app: App): Promise<readonly { readonly id: string; readonly wants: EventFilter }[]>
  /** Undefined: it was removed, and its queue is removed, too. */
  find(app: App, id: string): Promise<Destination | undefined>
  /** The request for an event; undefined: this event is not for it after all. */
  eventRequest(app: App, id: string, event: StoredEvent): Promise<OutgoingRequest | undefined>
  /** The request for a call that was given by `callLater`. */
  callRequest?(app: App, id: string, call: QueuedCall): Promise<OutgoingRequest | undefined>
  /** It answered that it is gone (410), and its queue is parked; what else is to be done. */
  switchOff?(app: App, id: string): Promise<void>
}

/** A delivery that is not an event: prepared by a module, and durable before anything is sent. */
export interface QueuedCall {
  /** The same for each attempt. */
  readonly id: string
  /** JSON, without secrets: it is stored as it is. */
  readonly payload: unknown
}

/** Names one destination. */
export interface DestinationRef {
  /** The name of its kind. */
  readonly kind: string
  readonly id: string
}
