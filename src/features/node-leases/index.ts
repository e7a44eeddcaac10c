/** Node numbers: each process that gives out ids leases one in the store, so that no id is given out twice. */
import { stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { nodeLeases } from './documents.ts'
import { nodeLeaseRefusals } from './refusals.ts'

export const nodeLeasesModule = module({
  name: 'node-leases',
  kinds: stays('The numbers of running processes.', nodeLeases),
  refusals: nodeLeaseRefusals,
})

export { nodeLeases } from './documents.ts'
export { type NodeIds, openNodeIds } from './open-node-ids.ts'
