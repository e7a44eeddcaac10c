/**
 * Executions: which targets are called before and after methods, while tokens are made, and after events. Awaited calls are
 * made outside of every write; the others go through the queue of the module `deliveries`.
 */
import { module } from '../../module/module.ts'
import { carriedExecutions } from './carried.ts'
import { targetDestinations } from './destinations.ts'
import { executions } from './documents.ts'
import { executionMetrics } from './metrics.ts'
import { executionRefusals } from './refusals.ts'
import { executionMethods } from './rpc-v2.ts'

export const executionsModule = module({
  name: 'executions',
  kinds: [carriedExecutions],
  refusals: executionRefusals,
  methods: executionMethods,
  metrics: executionMetrics,
  destinations: [targetDestinations],
  async whenTargetRemoved({ instanceId }, work, targetId) {
    const command = { type: 'withdraw_target', targetId, at: work.origin.at } as const
    if ((await work.get(executions, instanceId)) !== undefined) await work.decide(executions, instanceId, command)
  },
})

export type { ExecutionsDraft } from './carried.ts'
export type { FunctionName } from './conditions.ts'
export { executions } from './documents.ts'
export { type FunctionSubject, samlFunctionMembers, tokenFunctionMembers } from './function-payload.ts'
export type { FunctionAnswer } from './functions.ts'
export { runFunctionFor } from './functions-for-users.ts'
export {
  budgetOfCall,
  type CalledMethod,
  interceptionOf,
  interceptRequest,
  interceptResponse,
  type ShownMessage,
} from './intercept.ts'
