import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { countWords, moreThanBefore } from '../plain-words-reference.ts'

suite('words to be rewritten', () => {
  test('are counted in all their forms', () => {
    const counts = countWords(['It went on, and goes on; that of a user, Those of all', 'for whom? For good.'])
    assert.deepEqual(counts, {
      'goes on': 2,
      'that of, those of': 2,
      whom: 1,
      'for good': 1,
      'hears of': 0,
      'is told of': 0,
    })
  })

  test('may become fewer, and not more', () => {
    const counts = { ...countWords([]), whom: 3 }
    assert.deepEqual(moreThanBefore(counts, 'whom: 4\nfor good: 1\n'), [])
    assert.deepEqual(moreThanBefore(counts, 'whom: 2\n'), ['“whom” occurs 3 times instead of 2; write who, that'])
  })
})
