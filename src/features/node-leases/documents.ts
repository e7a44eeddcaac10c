/** The kind of this module. */
import { kind } from '../../store/index.ts'
import { nodeLease } from './decider.ts'
import { nodeLeaseEvents } from './events.ts'
import { nodeLeaseRefusals } from './refusals.ts'

/** The id of a lease is the node number. */
export const nodeLeases = kind({
  name: 'node-lease',
  ids: { of: 'node' },
  waits: false,
  path: false,
  version: 1,
  events: nodeLeaseEvents,
  decider: nodeLease,
  refusals: nodeLeaseRefusals,
  fields: {},
})
