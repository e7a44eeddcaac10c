/** What this room is given by whoever wires the house. */
import type { AnyKind, Store } from '../../store/index.ts'

export interface AuditNeeds {
  readonly store: Store
  /** Every kind of the house: what events can be about. */
  readonly kinds: readonly AnyKind[]
  /** The event types of every room. */
  readonly eventTypes: readonly string[]
}
