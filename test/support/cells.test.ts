import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCells, assertNone } from './cells.ts'

function message(text: string) {
  return (error: unknown) => error instanceof assert.AssertionError && error.message === text
}

test('a matrix that is as expected passes, in any order', () => {
  assertCells({ one: 'passes', two: 'refused' }, { two: 'refused', one: 'passes' })
  assertCells(['one', 'two'], ['two', 'one'])
  assertNone([])
})

test('a matrix that differs names the cells that do', () => {
  const expected = Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`cell ${index}`, 'refused']))
  const { 'cell 7': _, ...rest } = expected
  assert.throws(
    () => assertCells({ ...rest, 'cell 3': 'passes', 'cell 230': 'passes' }, expected),
    message(`3 of 231 cells differ:
cell 3: refused expected, but passes
cell 7: refused expected, but nothing
cell 230: nothing expected, but passes`),
  )
  assert.throws(
    () => assertCells(['one'], ['two']),
    message(`2 of 2 cells differ:
two: there expected, but nothing
one: nothing expected, but there`),
  )
  assert.throws(() => assertNone(['a leak']), message('1 is wrong:\na leak'))
})
