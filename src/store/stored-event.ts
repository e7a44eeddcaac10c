/** Events as the log holds them, and queries for them. */
import type { Actor } from '../kernel/actor.ts'
import type { AnyEvent } from '../kernel/event.ts'
import type { Instant } from '../kernel/instant.ts'

/** One event as the log holds it. */
export interface StoredEvent extends AnyEvent {
  readonly sequence: number
  readonly kind: string
  readonly id: string
  readonly revision: number
  readonly actor: Actor
  readonly owner: string
  readonly at: Instant
}

/** Selects events of the log. */
export interface EventQuery {
  readonly kinds?: readonly string[]
  readonly id?: string
  readonly types?: readonly string[]
  readonly actor?: Actor
  readonly owner?: string
  readonly since?: Instant
  readonly until?: Instant
  /** Exclusive start: events after it when ascending, before it when descending. */
  readonly from?: number
  readonly descending?: boolean
  readonly limit: number
}
