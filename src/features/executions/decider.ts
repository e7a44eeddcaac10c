/** The rules of executions. Pure. */
import { accept, type Decider } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { ExecutionEvent } from './events.ts'
import type { ExecutionRefusal } from './refusals.ts'

/** What is called when a condition is met. */
export interface Execution {
  /** The key of the condition. */
  readonly condition: string
  /** Never empty. */
  readonly targetIds: readonly string[]
  /** By target: it gets events after this sequence. */
  readonly since: Readonly<Record<string, number>>
  readonly addedAt: Instant
  readonly changedAt: Instant
}

export interface Executions {
  readonly list: readonly Execution[]
}

export type ExecutionCommand =
  /** Without targets, the execution is removed. */
  | {
      readonly type: 'set'
      readonly condition: string
      readonly targetIds: readonly string[]
      /** The sequence of the last event so far. */
      readonly after: number
      readonly at: Instant
    }
  | { readonly type: 'withdraw_target'; readonly targetId: string; readonly at: Instant }

export function findExecution({ list }: Executions, condition: string): Execution | undefined {
  return list.find((one) => one.condition === condition)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}

function without(execution: Execution, targetId: string, changedAt: Instant): Execution {
  const { [targetId]: _, ...since } = execution.since
  return { ...execution, targetIds: execution.targetIds.filter((id) => id !== targetId), since, changedAt }
}

export const executionsDecider: Decider<ExecutionCommand, Executions, ExecutionEvent, ExecutionRefusal> = {
  initial: { list: [] },

  evolve(state, event) {
    const { list } = state
    switch (event.type) {
      case 'execution.set.v1': {
        const { condition, targetIds, after, at } = event.data
        const before = findExecution(state, condition)
        const since = Object.fromEntries(targetIds.map((id) => [id, before?.since[id] ?? after]))
        const set = { condition, targetIds, since, addedAt: before?.addedAt ?? at, changedAt: at }
        return { list: [...list.filter((one) => one !== before), set] }
      }
      case 'execution.removed.v1':
        return { list: list.filter(({ condition }) => condition !== event.data.condition) }
      case 'execution.target_withdrawn.v1': {
        const { targetId, at } = event.data
        const left = list.map((one) => (one.targetIds.includes(targetId) ? without(one, targetId, at) : one))
        return { list: left.filter(({ targetIds }) => targetIds.length > 0) }
      }
    }
  },

  decide(command, state) {
    const { at } = command
    if (command.type === 'withdraw_target') {
      const { targetId } = command
      const isUsed = state.list.some(({ targetIds }) => targetIds.includes(targetId))
      return isUsed ? accept({ type: 'execution.target_withdrawn.v1', data: { targetId, at } }) : accept()
    }
    const { condition, targetIds, after } = command
    const before = findExecution(state, condition)
    if (targetIds.length === 0) {
      return before === undefined ? accept() : accept({ type: 'execution.removed.v1', data: { condition, at } })
    }
    if (before !== undefined && isSame(before.targetIds, targetIds)) return accept()
    return accept({ type: 'execution.set.v1', data: { condition, targetIds: [...targetIds], after, at } })
  },
}
