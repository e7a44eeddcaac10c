/** Every refusal about node numbers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const nodeLeaseRefusals = {
  'node_lease.held': ['conflict', 'Another process holds this node number.'],
  'node_lease.lost': ['aborted', 'This process no longer holds the node number.'],
  'node_lease.none_free': ['exhausted', 'All node numbers are held by other processes.'],
  'node_lease.expired': ['unavailable', 'No new ids can be given out at the moment. Try again later.'],
} as const satisfies Catalogue

/** A code of this module. */
export type NodeLeaseRefusal = keyof typeof nodeLeaseRefusals
