/** Runs the short form of a fault scenario and its control as tests. `npm run faults` runs the long form. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import type { Run, Scenario } from '../../faults/scenario.ts'

function runOf(context: TestContext): Run {
  return { isShort: true, isRealTime: false, say: (line) => context.diagnostic(line) }
}

/** Declares a suite with two tests: what must hold, and the control that must be caught. */
export async function testScenario(scenario: Scenario): Promise<void> {
  const { name, title, required, control } = scenario
  const obstacle = await scenario.obstacle?.()
  suite(`fault scenario ${name}`, { skip: obstacle ?? false }, () => {
    test(title, async (context) => {
      const { done, figure, isMet } = await scenario.measure(runOf(context))
      context.diagnostic(`${done}: ${figure}`)
      assert.ok(isMet, `${figure}; required: ${required}`)
    })

    test(`control: ${control.what} is caught`, async (context) => {
      const { figure, isCaught } = await control.run(runOf(context))
      context.diagnostic(figure)
      assert.ok(isCaught, figure)
    })
  })
}
