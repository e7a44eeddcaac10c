import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eachAtOnce } from './each-at-once.ts'

suite('each at once', () => {
  test('every item is done once, and no more than allowed at the same time', async () => {
    const done: number[] = []
    let [running, most] = [0, 0]
    const items = Array.from({ length: 50 }, (_, index) => index)
    const run = async (item: number) => {
      most = Math.max(most, ++running)
      for (let turns = item % 3; turns > 0; turns--) await nextTurn()
      running--
      done.push(item)
    }
    await eachAtOnce(items, run, 4)
    assert.deepEqual(
      done.toSorted((one, other) => one - other),
      items,
    )
    assert.equal(most, 4)
    await eachAtOnce([], () => assert.fail())
  })

  test('after a failure nothing more begins, and what is running ends before it is thrown', async () => {
    const [begun, ended]: [number[], number[]] = [[], []]
    const run = async (item: number) => {
      begun.push(item)
      await nextTurn()
      if (item === 2) throw new Error('two')
      await nextTurn()
      ended.push(item)
    }
    await assert.rejects(eachAtOnce([1, 2, 3, 4, 5, 6], run, 3), /two/)
    assert.deepEqual(
      [begun, ended],
      [
        [1, 2, 3],
        [1, 3],
      ],
    )
  })
})
