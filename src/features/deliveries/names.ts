/** The names of the jobs that queues consist of. */
import { instant } from '../../kernel/instant.ts'
import type { DestinationRef } from '../../module/destinations.ts'

/** One job for each destination: its kind says how it is. Those that fail have runners of their own. */
export const QUEUE = 'delivery'
export const FAILING = 'delivery.failing'
/** It works, and takes long to answer. */
export const SLOW = 'delivery.slow'
/** Given up until somebody resumes it; no runner takes it. */
export const HELD = 'delivery.held'
/** The kinds of the jobs whose destinations do not work. */
export const QUEUES_IN_TROUBLE = { failing: FAILING, parked: HELD } as const
export const LANES = [QUEUE, SLOW, FAILING, HELD] as const
/** Those whose destinations work, each with its own runners. */
export const WORKING = [QUEUE, SLOW] as const
/** What a queue is to do beside its events: calls, replays. Its own run takes them. */
export const ORDER = 'delivery.order'
/** What became of the last deliveries. */
export const RECORD = 'delivery.record'

/** Of jobs that no runner takes. */
export const NEVER = instant(253_402_300_799_000)

export function queueId({ kind, id }: DestinationRef): string {
  return `${QUEUE}:${kind}:${id}`
}

export function recordId({ kind, id }: DestinationRef): string {
  return `${RECORD}:${kind}:${id}`
}

/** The orders of a destination have ids between these two. */
export function orderIds({ kind, id }: DestinationRef): { readonly from: string; readonly to: string } {
  return { from: `${ORDER}:${kind}:${id}:`, to: `${ORDER}:${kind}:${id}:~` }
}

/** The destination of a queue. */
export function refOf(queue: string): DestinationRef {
  const [, kind = '', ...rest] = queue.split(':')
  return { kind, id: rest.join(':') }
}
