/**
 * Which process gives out ids with which node number, and until when.
 * Stream: `node-lease`, whose id is the number. It belongs to the server itself: there are leases before the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

export const nodeLeaseEvents = declareEvents({
  'node_lease.taken.v1': data<{
    readonly holder: string
    /** IDs with this time or a later one belong to the holder. */
    readonly from: Instant
    /** IDs with this time or a later one no longer belong to the holder. */
    readonly until: Instant
  }>(),
  'node_lease.renewed.v1': data<{ readonly until: Instant }>(),
  /** `until` is the first time that no id has. */
  'node_lease.released.v1': data<{ readonly until: Instant }>(),
})

export type NodeLeaseEvent = EventOf<typeof nodeLeaseEvents>
