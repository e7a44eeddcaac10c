/** The rules of a node number: the times of its holders never overlap. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { NodeLeaseEvent } from './events.ts'
import type { NodeLeaseRefusal } from './refusals.ts'

export interface NodeLease {
  /** Empty: it was never taken, or it was released. */
  readonly holder: string
  readonly from: Instant
  readonly until: Instant
}

export type NodeLeaseCommand =
  | { readonly type: 'take'; readonly holder: string; readonly at: Instant; readonly lengthMs: number }
  | { readonly type: 'renew'; readonly holder: string; readonly until: Instant }
  /** `unused` is the first time that the holder has given out no id with. */
  | { readonly type: 'release'; readonly holder: string; readonly unused: Instant }

export const nodeLease: Decider<NodeLeaseCommand, NodeLease, NodeLeaseEvent, NodeLeaseRefusal> = {
  initial: { holder: '', from: instant(0), until: instant(0) },

  evolve(state, { type, data }) {
    switch (type) {
      case 'node_lease.taken.v1':
        return { holder: data.holder, from: data.from, until: data.until }
      case 'node_lease.renewed.v1':
        return { ...state, until: data.until }
      case 'node_lease.released.v1':
        return { ...state, holder: '', until: data.until }
    }
  },

  decide(command, { holder, from, until }) {
    if (command.type === 'take') {
      if (holder !== '' && command.at < until) return refuse('node_lease.held')
      // Begins after the lease of the last holder, even if the clock is behind.
      const start = instant(Math.max(command.at, until))
      const end = instant(start + command.lengthMs)
      return accept({ type: 'node_lease.taken.v1', data: { holder: command.holder, from: start, until: end } })
    }
    if (holder !== command.holder) return refuse('node_lease.lost')
    if (command.type === 'renew') {
      return command.until > until
        ? accept({ type: 'node_lease.renewed.v1', data: { until: command.until } })
        : accept()
    }
    const end = instant(Math.min(Math.max(command.unused, from), until))
    return accept({ type: 'node_lease.released.v1', data: { until: end } })
  },
}
