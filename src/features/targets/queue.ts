/** The queue of a target: events and calls that nobody waits for. */
import type { DestinationRef } from '../../module/destinations.ts'

/** Part of the names of queues: it never changes. */
export const TARGET_QUEUES = 'target'

export function queueOf(targetId: string): DestinationRef {
  return { kind: TARGET_QUEUES, id: targetId }
}
