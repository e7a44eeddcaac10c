import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { executionsDecider } from './decider.ts'

const at = instant(1_800_000_000_000)
const later = instant(at + 1000)

function set(targetIds: readonly string[], after = 7, condition = 'event') {
  return { type: 'set', condition, targetIds, after, at } as const
}
function wasSet(targetIds: readonly string[], after = 7, condition = 'event') {
  return { type: 'execution.set.v1', data: { condition, targetIds, after, at } } as const
}

suite('executions', () => {
  test('are set for a condition; the same targets in the same order are no change', () => {
    given(executionsDecider)
      .when(set(['a', 'b']))
      .then(wasSet(['a', 'b']))
    given(executionsDecider, wasSet(['a', 'b']))
      .when(set(['a', 'b'], 9))
      .then()
    given(executionsDecider, wasSet(['a', 'b']))
      .when(set(['b', 'a']))
      .then(wasSet(['b', 'a']))
    given(executionsDecider, wasSet(['a', 'b']))
      .when(set(['a']))
      .then(wasSet(['a']))
    given(executionsDecider, wasSet(['a']))
      .when(set(['a'], 7, 'other'))
      .then(wasSet(['a'], 7, 'other'))
  })

  test('without targets are removed', () => {
    const removed = { type: 'execution.removed.v1', data: { condition: 'event', at } } as const
    given(executionsDecider, wasSet(['a']))
      .when(set([]))
      .then(removed)
    given(executionsDecider).when(set([])).then()
    assert.deepEqual(given(executionsDecider, wasSet(['a']), removed).state, { list: [] })
  })

  test('give a target the events since it was named first', () => {
    const { state } = given(executionsDecider, wasSet(['a'], 7), wasSet(['b', 'a'], 20))
    assert.deepEqual(state.list[0]?.since, { a: 7, b: 20 })
    const { state: again } = given(executionsDecider, wasSet(['a', 'b'], 7), wasSet(['b'], 20), wasSet(['a', 'b'], 30))
    assert.deepEqual(again.list[0]?.since, { a: 30, b: 7 })
  })

  test('keep when they were set first', () => {
    const again = { ...wasSet(['b']), data: { ...wasSet(['b']).data, at: later } }
    const [one] = given(executionsDecider, wasSet(['a']), again).state.list
    assert.deepEqual([one?.addedAt, one?.changedAt], [at, later])
  })

  test('lose a target that is deleted, and go with their last one', () => {
    const withdraw = { type: 'withdraw_target', targetId: 'a', at: later } as const
    const withdrawn = { type: 'execution.target_withdrawn.v1', data: { targetId: 'a', at: later } } as const
    const events = [wasSet(['a', 'b']), wasSet(['a'], 7, 'only'), wasSet(['b'], 7, 'other')]
    given(executionsDecider, ...events)
      .when(withdraw)
      .then(withdrawn)
    given(executionsDecider, wasSet(['b']))
      .when(withdraw)
      .then()
    const { list } = given(executionsDecider, ...events, withdrawn).state
    assert.deepEqual(
      list.map(({ condition, targetIds, since, changedAt }) => [condition, targetIds, since, changedAt]),
      [
        ['event', ['b'], { b: 7 }, later],
        ['other', ['b'], { b: 7 }, at],
      ],
    )
  })
})
