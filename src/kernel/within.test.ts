import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { within } from './within.ts'

suite('what fits within a number of characters', () => {
  const of = (most: number, ...things: readonly string[]) => within(things, most, ({ length }) => length)

  test('is everything, up to the last character', () => {
    assert.deepEqual(of(6, 'one', 'two'), { kept: ['one', 'two'], isCut: false })
    assert.deepEqual(of(0), { kept: [], isCut: false })
  })

  test('is what comes before the first thing that does not fit, and something was left out', () => {
    assert.deepEqual(of(5, 'one', 'two', ''), { kept: ['one'], isCut: true })
    assert.deepEqual(of(2, 'one'), { kept: [], isCut: true })
  })
})
