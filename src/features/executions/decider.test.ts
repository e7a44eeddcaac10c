/** The decisions of executions. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { type ExecutionCommand, type Executions, executionsDecider } from './decider.ts'
import type { ExecutionEvent } from './events.ts'

const at = instant(5)

function decide(state: Executions, command: ExecutionCommand) {
  return executionsDecider.decide(command, state).events
}

function fold(events: readonly ExecutionEvent[], from: Executions = executionsDecider.initial): Executions {
  return events.reduce((state, event) => executionsDecider.evolve(state, event), from)
}

function set(condition: string, targetIds: readonly string[], after = 1): ExecutionCommand {
  return { type: 'set', condition, targetIds, after, at }
}

suite('executions', () => {
  const one = fold(decide(executionsDecider.initial, set('event/user.*', ['a', 'b'], 10)))

  test('replace their list, and targets that stay keep the position from which they get events', () => {
    const after = fold(decide(one, set('event/user.*', ['b', 'c'], 20)), one)
    assert.deepEqual(after.list[0]?.targetIds, ['b', 'c'])
    assert.deepEqual(after.list[0]?.since, { b: 10, c: 20 })
  })

  test('do nothing for the list that is there, and none without one', () => {
    assert.deepEqual(decide(one, set('event/user.*', ['a', 'b'])), [])
    assert.deepEqual(decide(one, set('request', [])), [])
  })

  test('differ by the order of their targets', () => {
    assert.equal(decide(one, set('event/user.*', ['b', 'a'])).length, 1)
  })

  test('end with their last target', () => {
    const half = fold(decide(one, { type: 'withdraw_target', targetId: 'a', at }), one)
    assert.deepEqual(
      half.list.map(({ targetIds, since }) => [targetIds, since]),
      [[['b'], { b: 10 }]],
    )
    assert.deepEqual(fold(decide(half, { type: 'withdraw_target', targetId: 'b', at }), half).list, [])
    assert.deepEqual(decide(one, { type: 'withdraw_target', targetId: 'x', at }), [])
    assert.deepEqual(fold(decide(one, set('event/user.*', [])), one).list, [])
  })
})
