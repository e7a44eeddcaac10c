/**
 * Which targets are called when. Stream: `executions`, one for the instance, so that one read answers what applies to a call.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

export const executionEvents = declareEvents({
  /**
   * `condition` is its key, see conditions.ts; `targetIds` are in the order of the calls. Targets that are new in it get
   * events after the sequence `after`.
   */
  'execution.set.v1': data<{
    readonly condition: string
    readonly targetIds: readonly string[]
    readonly after: number
    readonly at: Instant
  }>(),
  'execution.removed.v1': data<{ readonly condition: string; readonly at: Instant }>(),
  /** From all executions, because it was deleted; those without another target are removed. */
  'execution.target_withdrawn.v1': data<{ readonly targetId: string; readonly at: Instant }>(),
})

export type ExecutionEvent = EventOf<typeof executionEvents>
