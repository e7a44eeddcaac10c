/** The methods of the ActionService about executions. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ActionService, type ListExecutionsRequest } from '../../../contract/gen/signet/action/v2/action_service_pb.ts'
import { ExecutionType } from '../../../contract/gen/signet/action/v2/execution_pb.ts'
import { ExecutionFieldName, type ExecutionSearchFilter } from '../../../contract/gen/signet/action/v2/query_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { replayEvents } from '../deliveries/index.ts'
import { findTarget, queueOf, targetRefusals } from '../targets/index.ts'
import { conditionOf, FUNCTIONS, keyOf, knownKeyOf } from './conditions.ts'
import { type Execution, findExecution } from './decider.ts'
import { executions } from './documents.ts'
import { executionRefusals } from './refusals.ts'

const TYPES: Readonly<Record<ExecutionType, string>> = {
  [ExecutionType.UNSPECIFIED]: '',
  [ExecutionType.REQUEST]: 'request',
  [ExecutionType.RESPONSE]: 'response',
  [ExecutionType.EVENT]: 'event',
  [ExecutionType.FUNCTION]: 'function',
}

function matches({ filter }: ExecutionSearchFilter): (execution: Execution) => boolean {
  switch (filter.case) {
    case 'inConditionsFilter': {
      const keys = new Set(filter.value.conditions.map(keyOf))
      return ({ condition }) => keys.has(condition)
    }
    case 'executionTypeFilter': {
      const type = TYPES[filter.value.executionType]
      return ({ condition }) => condition === type || condition.startsWith(`${type}/`)
    }
    case 'targetFilter': {
      const { targetId } = filter.value
      return ({ targetIds }) => targetIds.includes(targetId)
    }
    case undefined:
      return () => true
  }
}

function compare(column: ExecutionFieldName): (one: Execution, other: Execution) => number {
  const byKey = (one: Execution, other: Execution) => (one.condition < other.condition ? -1 : 1)
  switch (column) {
    case ExecutionFieldName.ID:
      return byKey
    case ExecutionFieldName.CHANGED_DATE:
      return (one, other) => one.changedAt - other.changedAt || byKey(one, other)
    default:
      return (one, other) => one.addedAt - other.addedAt || byKey(one, other)
  }
}

async function listExecutions(
  { store, instanceId }: App,
  { pagination, sortingColumn, filters }: ListExecutionsRequest,
) {
  const { offset, limit, descending } = pageOf(pagination, 'pagination')
  const list = (await store.get(executions, instanceId))?.state.list ?? []
  const conditions = filters.map(matches)
  const order = compare(sortingColumn ?? ExecutionFieldName.UNSPECIFIED)
  const found = list
    .filter((execution) => conditions.every((isMet) => isMet(execution)))
    .toSorted((one, other) => order(one, other) * (descending ? -1 : 1))
  return {
    pagination: { totalResult: BigInt(found.length), appliedLimit: BigInt(limit) },
    executions: found.slice(offset, offset + limit).map(({ condition, targetIds, addedAt, changedAt }) => ({
      condition: conditionOf(condition),
      creationDate: timestampFromMs(addedAt),
      changeDate: timestampFromMs(changedAt),
      targets: [...targetIds],
    })),
  }
}

/** The methods of this module. */
export function executionMethods(app: App): readonly Method[] {
  const { store, instanceId, servedNames } = app
  return methods(ActionService, {
    async setExecution({ condition: given, targets: targetIds }, call) {
      if (given === undefined) throw refused(executionRefusals, 'execution.condition_invalid')
      const condition = knownKeyOf(app, given)
      const { value, at } = await store.write(call.origin, async (work) => {
        const found = await Promise.all(targetIds.map((id) => findTarget(work, id)))
        if (found.includes(undefined) || new Set(targetIds).size < targetIds.length) {
          throw refused(executionRefusals, 'execution.target_unknown')
        }
        const { sequence: after } = await store.find(executions, { limit: 1 })
        const command = { type: 'set', condition, targetIds, after, at: work.origin.at } as const
        return work.decide(executions, instanceId, command, instanceId)
      })
      return { setDate: timestampFromMs(findExecution(value.state, condition)?.changedAt ?? at) }
    },

    async replayTarget({ id, after }) {
      if ((await findTarget(store, id)) === undefined) throw refused(targetRefusals, 'target.not_found')
      const [last] = await store.events({ descending: true, limit: 1 })
      const until = last?.sequence ?? 0
      await replayEvents(app, queueOf(id), { after: Math.min(Number(after), until), until })
      return { until: BigInt(until) }
    },

    listExecutions: (message) => listExecutions(app, message),
    listExecutionFunctions: async () => ({ functions: [...FUNCTIONS] }),
    listExecutionMethods: async () => ({ methods: [...servedNames.methods] }),
    listExecutionServices: async () => ({ services: [...servedNames.services] }),
  })
}
