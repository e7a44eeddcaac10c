/** How results are shown: a few lines for people, or one line of JSON. */
import type { Caught, Measured, Scenario } from './scenario.ts'

/** What became of a scenario. */
export type Outcome = { readonly scenario: Scenario; readonly seconds: number } & (
  | { readonly state: 'done'; readonly measured: Measured; readonly caught: Caught }
  | { readonly state: 'skipped' | 'failed'; readonly reason: string }
)

/** Whether the figure meets what is required, and the control was caught. */
export function hasPassed(outcome: Outcome): boolean {
  return outcome.state === 'done' && outcome.measured.isMet && outcome.caught.isCaught
}

function wordOf(outcome: Outcome): string {
  if (outcome.state !== 'done') return outcome.state
  return hasPassed(outcome) ? 'pass' : 'fail'
}

/** One line of JSON. */
export function toLine(outcome: Outcome): string {
  const { scenario, seconds } = outcome
  const about = { scenario: scenario.name, result: wordOf(outcome), required: scenario.required, seconds }
  if (outcome.state !== 'done') return JSON.stringify({ ...about, reason: outcome.reason })
  const { measured, caught } = outcome
  const control = { what: scenario.control.what, ...caught }
  return JSON.stringify({ ...about, ...measured, control })
}

/** The lines for people: what was done, the figure, what is required, and the control that must fail. */
export function toText(outcome: Outcome): string {
  const { scenario, seconds } = outcome
  const line = (title: string, text: string) => `      ${title.padEnd(9)} ${text}`
  const head = (text: string) => `${wordOf(outcome).padEnd(8)}${scenario.name}: ${text} (${seconds} s)`
  if (outcome.state !== 'done') return head(outcome.reason)
  const { measured, caught } = outcome
  const verdict = caught.isCaught ? 'caught, as it must be' : 'NOT CAUGHT: the check proves nothing'
  return [
    head(measured.done),
    line('figure', `${measured.figure}${measured.isMet ? '' : '   <- MISSED'}`),
    line('required', scenario.required),
    line('control', `${scenario.control.what}: ${caught.figure}; ${verdict}`),
  ].join('\n')
}
