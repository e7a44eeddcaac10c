/** Brings the executions of an export or of another product, as part of a write. Targets get events from then on. */
import { create } from '@bufbuild/protobuf'
import { ConditionSchema } from '../../../contract/gen/signet/action/v2/execution_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { findTarget } from '../targets/index.ts'
import { conditionOf, knownKeyOf } from './conditions.ts'
import type { Execution } from './decider.ts'
import { executions } from './documents.ts'
import { executionRefusals } from './refusals.ts'

export type ImportedExecution = Pick<Execution, 'condition' | 'targetIds' | 'addedAt'>

/** Sets what is called when; all targets must be there. */
export async function importExecutions(app: App, work: Work, list: readonly ImportedExecution[]): Promise<void> {
  const { sequence: after } = await app.store.find(executions, { limit: 1 })
  for (const { condition: key, targetIds, addedAt: at } of list) {
    const condition = knownKeyOf(app, create(ConditionSchema, conditionOf(key)))
    for (const id of targetIds) {
      if ((await findTarget(work, id)) === undefined) throw refused(executionRefusals, 'execution.target_unknown')
    }
    await work.decide(executions, app.instanceId, { type: 'set', condition, targetIds, after, at }, app.instanceId)
  }
}

/** Removes what is called under a condition; nothing happens when there is nothing. */
export async function removeExecutionIn({ instanceId }: App, work: Work, condition: string): Promise<void> {
  if ((await work.get(executions, instanceId)) === undefined) return
  const command = { type: 'set', condition, targetIds: [], after: 0, at: work.origin.at } as const
  await work.decide(executions, instanceId, command)
}
