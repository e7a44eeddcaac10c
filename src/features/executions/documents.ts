/** The kind `executions`: one document with all executions of the instance, and the table that calls are looked up in. */
import type { App } from '../../module/app.ts'
import { computation, kind } from '../../store/index.ts'
import { type Execution, executionsDecider } from './decider.ts'
import { executionEvents } from './events.ts'
import { executionRefusals } from './refusals.ts'

const MOST_EXECUTIONS = 1_000

export const executions = kind({
  name: 'executions',
  ids: { of: 'instance' },
  waits: false,
  path: { changedBy: 'Only the instance has it.' },
  version: 1,
  events: executionEvents,
  decider: executionsDecider,
  refusals: executionRefusals,
  fields: {},
  limits: [
    { things: 'executions', holder: 'the instance', inside: ({ list }) => list.length, number: MOST_EXECUTIONS },
  ],
})

/** The executions by the keys of their conditions. */
export interface ExecutionTable {
  /** The first of these keys that has an execution. */
  find(keys: readonly string[]): Execution | undefined
  /** Whether there are conditions of this type at all. */
  has(type: 'request' | 'response' | 'function' | 'event'): boolean
}

class Table implements ExecutionTable {
  readonly #byKey: ReadonlyMap<string, Execution>
  readonly #types: ReadonlySet<string>

  constructor(list: readonly Execution[]) {
    this.#byKey = new Map(list.map((execution) => [execution.condition, execution]))
    this.#types = new Set(list.map(({ condition }) => /^[a-z]+/.exec(condition)?.[0] ?? ''))
  }

  find(keys: readonly string[]): Execution | undefined {
    for (const key of keys) {
      const found = this.#byKey.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }

  has(type: string): boolean {
    return this.#types.has(type)
  }
}

/** Every call looks here, and the document of many executions is too large for the cache of documents. */
const table = computation({
  name: 'executions',
  async compute(finder, instanceId: string): Promise<ExecutionTable> {
    return new Table((await finder.get(executions, instanceId))?.state.list ?? [])
  },
})

/** The executions as they are stored now. */
export function executionTable({ store, instanceId }: App): Promise<ExecutionTable> {
  return store.computed(table, instanceId)
}
