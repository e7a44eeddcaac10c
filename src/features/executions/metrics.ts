/** Metrics of the calls of targets that somebody waits for, and of those that were queued. */
import { Counter, Histogram } from '../../kernel/metrics.ts'
import { type App, perApp } from '../../module/app.ts'
import type { KeptMetric, Metric } from '../../module/module.ts'
import { gatesOf, TargetFailed } from '../targets/index.ts'
import type { Execution } from './decider.ts'

const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const counted = perApp(() => ({ calls: new Counter(), seconds: new Histogram(BOUNDS_S) }))

/** `request`, `response` or `function`: the first word of a condition. */
function kindOf({ condition }: Execution): string {
  return condition.split('/')[0] ?? ''
}

function resultOf(error: unknown): string {
  return error instanceof TargetFailed ? error.result : 'failed'
}

/** Counts a call that the sender waits for, and passes on what becomes of it. */
export async function countCall<Answer>(app: App, execution: Execution, call: () => Promise<Answer>): Promise<Answer> {
  const { calls, seconds } = counted(app)
  const kind = kindOf(execution)
  const startedAt = performance.now()
  let result = 'succeeded'
  try {
    return await call()
  } catch (error) {
    result = resultOf(error)
    throw error
  } finally {
    calls.add([kind, result])
    // Those that were not made would make the others look quick.
    if (result !== 'skipped') seconds.observe([kind], (performance.now() - startedAt) / 1000)
  }
}

/** Counts a call that was put into the queue of its target. */
export function countQueued(app: App, execution: Execution): void {
  counted(app).calls.add([kindOf(execution), 'queued'])
}

export function executionMetrics(app: App): readonly (Metric | KeptMetric)[] {
  const { calls, seconds } = counted(app)
  return [
    {
      name: 'signet_action_calls_total',
      help: 'Calls of targets by the kind of their condition and result; skipped: not made, because the target was busy or left alone.',
      labels: ['kind', 'result'],
      values: calls,
    },
    {
      name: 'signet_action_call_seconds',
      help: 'How long callers waited for a target.',
      labels: ['kind'],
      values: seconds,
    },
    {
      name: 'signet_action_breakers',
      help: 'Targets of this server that fail: still called (failing), or left alone after too many failures (open).',
      type: 'gauge',
      merge: 'sum',
      label: 'state',
      read: () => gatesOf(app).states(),
    },
  ]
}
