/** The kind `executions`: one document with all executions of the instance, and the table that calls are looked up in. */
import type { App } from '../../module/app.ts'
import { kind } from '../../store/index.ts'
import { type Execution, type Executions, executionsDecider } from './decider.ts'
import { executionEvents } from './events.ts'
import { executionRefusals } from './refusals.ts'

export const MOST_EXECUTIONS = 1_000

export const executions = kind({
  name: 'executions',
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

  constructor({ list }: Executions) {
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

/** Readers share the state of a revision, so a table is made once for each. */
const tables = new WeakMap<Executions, Table>()

/** The executions as they are stored now; undefined when there are none, as in most instances. */
export async function executionTable({ store, instanceId }: App): Promise<ExecutionTable | undefined> {
  const state = (await store.get(executions, instanceId))?.state
  if (state === undefined || state.list.length === 0) return undefined
  let table = tables.get(state)
  if (table === undefined) {
    table = new Table(state)
    tables.set(state, table)
  }
  return table
}
