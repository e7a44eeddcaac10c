/**
 * Conditions and their keys: `request/pkg.Service/Method`, `request/pkg.Service`, `request`; `response` likewise;
 * `function/name`; `event/type`, `event/group.*`, `event`.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Condition, ConditionSchema } from '../../../contract/gen/signet/action/v2/execution_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { eventNames } from './event-names.ts'
import { executionRefusals } from './refusals.ts'

/** The functions that conditions can name. */
export const FUNCTIONS = ['preuserinfo', 'preaccesstoken', 'presamlresponse'] as const
export type FunctionName = (typeof FUNCTIONS)[number]

const GROUP_SUFFIX = '.*'

function groupOf(group: string): string {
  return group.endsWith(GROUP_SUFFIX) ? group.slice(0, -GROUP_SUFFIX.length) : group
}

function invalid(): Error {
  return refused(executionRefusals, 'execution.condition_invalid')
}

/** The key of a condition; refused when it is empty. */
export function keyOf({ conditionType }: Condition): string {
  switch (conditionType.case) {
    case 'request':
    case 'response': {
      const { case: type, value } = conditionType.value.condition
      if (type === undefined) throw invalid()
      if (type === 'all') return conditionType.case
      return type === 'method' ? `${conditionType.case}${value}` : `${conditionType.case}/${value}`
    }
    case 'function':
      return `function/${conditionType.value.name}`
    case 'event': {
      const { case: type, value } = conditionType.value.condition
      if (type === undefined) throw invalid()
      if (type === 'all') return 'event'
      return type === 'event' ? `event/${value}` : `event/${groupOf(value)}${GROUP_SUFFIX}`
    }
    case undefined:
      throw invalid()
  }
}

function callCondition(name: string) {
  if (name === '') return { case: 'all', value: true } as const
  return name.includes('/')
    ? ({ case: 'method', value: `/${name}` } as const)
    : ({ case: 'service', value: name } as const)
}

function eventCondition(name: string) {
  if (name === '') return { case: 'all', value: true } as const
  return name.endsWith(GROUP_SUFFIX)
    ? ({ case: 'group', value: groupOf(name) } as const)
    : ({ case: 'event', value: name } as const)
}

/** The condition of a key. */
export function conditionOf(key: string): MessageInitShape<typeof ConditionSchema> {
  const end = key.indexOf('/')
  const type = end === -1 ? key : key.slice(0, end)
  const name = end === -1 ? '' : key.slice(end + 1)
  switch (type) {
    case 'request':
      return { conditionType: { case: 'request', value: { condition: callCondition(name) } } }
    case 'response':
      return { conditionType: { case: 'response', value: { condition: callCondition(name) } } }
    case 'function':
      return { conditionType: { case: 'function', value: { name } } }
    default:
      return { conditionType: { case: 'event', value: { condition: eventCondition(name) } } }
  }
}

function isKnown(app: App, { conditionType }: Condition): boolean {
  switch (conditionType.case) {
    case 'request':
    case 'response': {
      const { case: type, value } = conditionType.value.condition
      if (type === 'method') return app.isServedMethod(value)
      return type === 'service' ? app.isServed(value) : true
    }
    case 'function':
      return (FUNCTIONS as readonly string[]).includes(conditionType.value.name)
    case 'event': {
      const { case: type, value } = conditionType.value.condition
      if (type === 'event') return eventNames(app).has(value)
      if (type !== 'group') return true
      const start = `${groupOf(value)}.`
      return [...eventNames(app)].some((name) => name.startsWith(start))
    }
    case undefined:
      return true
  }
}

/** The key of a condition that names something that there is; refused otherwise. */
export function knownKeyOf(app: App, condition: Condition): string {
  const key = keyOf(condition)
  if (!isKnown(app, condition)) throw refused(executionRefusals, 'execution.condition_unknown')
  return key
}
