/** How executions are carried. Targets get the events from then on. */
import { create } from '@bufbuild/protobuf'
import { ConditionSchema } from '../../../contract/gen/signet/action/v2/execution_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type BodyOf, type Draft, declare, nothingElse } from '../../module/carried.ts'
import type { Work } from '../../store/index.ts'
import { findTarget } from '../targets/index.ts'
import { conditionOf, knownKeyOf } from './conditions.ts'
import { type Execution, type Executions, findExecution } from './decider.ts'
import { executions } from './documents.ts'
import { executionRefusals } from './refusals.ts'

type CarriedExecution = Pick<Execution, 'condition' | 'targetIds' | 'addedAt'>

/** Which targets are called when. The ID is a condition, or the instance's if all of them are in one draft. */
export interface ExecutionsDraft extends Draft<'executions'> {
  readonly executions: readonly CarriedExecution[]
}

/** Sets what is called when; all targets must be there. */
async function put(app: App, work: Work, list: readonly CarriedExecution[]): Promise<void> {
  const { sequence: after } = await app.store.find(executions, { limit: 1 })
  for (const { condition: key, targetIds, addedAt: at } of list) {
    const condition = knownKeyOf(app, create(ConditionSchema, conditionOf(key)))
    for (const id of targetIds) {
      if ((await findTarget(work, id)) === undefined) throw refused(executionRefusals, 'execution.target_unknown')
    }
    await work.decide(executions, app.instanceId, { type: 'set', condition, targetIds, after, at }, app.instanceId)
  }
}

function carriedOf({ condition, targetIds, addedAt, since: _, changedAt: __, ...rest }: Execution): CarriedExecution {
  nothingElse(rest)
  return { condition, targetIds, addedAt }
}

export const carriedExecutions = declare(executions, {
  as: 'executions',
  // What is brought before is no news for those who get events.
  after: ['everything', 'target'],
  lives: (state: Executions): state is Executions => state.list.length > 0,
  describe: ({ list, ...rest }): BodyOf<ExecutionsDraft> => {
    nothingElse(rest)
    return { executions: list.map(carriedOf) }
  },
  idOf: ({ instanceId }) => instanceId,
  has: (state, draft) => draft.executions.every(({ condition }) => findExecution(state, condition)),
  async put({ app, work, id, draft, part }, before) {
    const { executions: all, ...rest } = draft
    nothingElse(rest)
    const known = before === undefined ? await work.get(executions, app.instanceId) : undefined
    const given = all.filter(({ condition }) => !known || findExecution(known.state, condition) === undefined)
    // A draft of one condition is refused as a whole; of one with all of them, the others are carried.
    const isOne = given.some(({ condition }) => condition === id)
    if (isOne) await put(app, work, given)
    else for (const one of given) await part(`The execution ${one.condition}`, () => put(app, work, [one]))
  },
  async remove({ app: { instanceId }, work, id: condition }) {
    if ((await work.get(executions, instanceId)) === undefined) return
    const command = { type: 'set', condition, targetIds: [], after: 0, at: work.origin.at } as const
    await work.decide(executions, instanceId, command)
  },
})
