/** `npm run faults`: what it prints, and when it fails. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasPassed, type Outcome, toLine, toText } from '../../faults/print.ts'
import type { Scenario } from '../../faults/scenario.ts'

const scenario: Scenario = {
  name: 'sample',
  title: 'a sample',
  required: '0 lost',
  measure: () => assert.fail('it is not run'),
  control: { what: 'a client that lies', run: () => assert.fail('it is not run') },
}

function outcome(isMet: boolean, isCaught: boolean): Outcome {
  const measured = { done: '3 kills', figure: `${isMet ? 0 : 1} lost`, figures: { lost: isMet ? 0 : 1 }, isMet }
  return { scenario, seconds: 1.5, state: 'done', measured, caught: { figure: '2 lost', isCaught } }
}

suite('the command for fault scenarios', () => {
  test('shows what was done, the figure, what is required and the control', () => {
    const text = toText(outcome(true, true))
    assert.match(
      text,
      /^pass +sample: 3 kills \(1\.5 s\)\n +figure +0 lost\n +required +0 lost\n +control +a client that lies: 2 lost; caught/,
    )
    assert.deepEqual(JSON.parse(toLine(outcome(true, true))), {
      scenario: 'sample',
      result: 'pass',
      required: '0 lost',
      seconds: 1.5,
      done: '3 kills',
      figure: '0 lost',
      figures: { lost: 0 },
      isMet: true,
      control: { what: 'a client that lies', figure: '2 lost', isCaught: true },
    })
  })

  test('a figure that misses, and a control that is not caught, are failures', () => {
    assert.deepEqual([outcome(true, true), outcome(false, true), outcome(true, false)].map(hasPassed), [
      true,
      false,
      false,
    ])
    assert.match(toText(outcome(false, true)), /^fail.*\n.*1 lost.*MISSED/)
    assert.match(toText(outcome(true, false)), /^fail.*NOT CAUGHT/s)
    const broken: Outcome = { scenario, seconds: 0, state: 'failed', reason: 'it threw' }
    assert.equal(hasPassed(broken), false)
    assert.match(toText(broken), /^failed +sample: it threw/)
  })

  test('an unknown name is answered with the list of scenarios, with exit code 2', () => {
    const file = fileURLToPath(new URL('../../faults/main.ts', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [file, 'nothing'], { encoding: 'utf8' })
    assert.equal(status, 2)
    assert.match(stderr, /There are: kill, .*power-cut.*fuzz/)
  })
})
