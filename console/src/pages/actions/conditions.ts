/** Conditions of executions: in words, and as a form has them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Condition, ConditionSchema } from '../../../../contract/gen/signet/action/v2/execution_pb.ts'
import type { ActionTexts } from './texts/en.ts'

export const TYPES = ['request', 'response', 'function', 'event'] as const
export type ConditionType = (typeof TYPES)[number]

/** What a condition of a type can name; a function only has a name. */
export const SCOPES = {
  request: ['method', 'service', 'all'],
  response: ['method', 'service', 'all'],
  function: ['name'],
  event: ['event', 'group', 'all'],
} as const satisfies Record<ConditionType, readonly string[]>

export type ConditionScope = (typeof SCOPES)[ConditionType][number]

export interface ConditionValues {
  readonly type: ConditionType
  readonly scope: ConditionScope
  readonly value: string
}

/** The condition as a form shows it. */
export function valuesOf({ conditionType: { case: type = 'request', value } }: Condition): ConditionValues {
  if (value === undefined) return { type, scope: 'all', value: '' }
  if ('name' in value) return { type, scope: 'name', value: value.name }
  const { case: scope = 'all', value: named } = value.condition
  return { type, scope, value: typeof named === 'string' ? named : '' }
}

/** The condition as a request has it. */
export function conditionOf({ type, scope, value }: ConditionValues): MessageInitShape<typeof ConditionSchema> {
  const inner =
    type === 'function' ? { name: value } : { condition: { case: scope, value: scope === 'all' ? true : value } }
  return { conditionType: { case: type, value: inner } } as MessageInitShape<typeof ConditionSchema>
}

/** A sentence such as "Before the method …". */
export function describe(condition: Condition, t: ActionTexts): string {
  const { type, scope, value } = valuesOf(condition)
  const sentence = t.when[type]
  return scope === 'all'
    ? sentence({ what: t.everything[type === 'event' ? 'event' : 'method'] })
    : sentence({ what: value })
}

/** What tells one execution from the others. */
export function keyOf(condition: Condition): string {
  const { type, scope, value } = valuesOf(condition)
  return `${type} ${scope} ${value}`
}
