import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { problems, translationProblems, unusedKeys } from '../check-texts.ts'

const english = {
  title: 'Codes',
  left: '{count, plural, one {1 code left} other {{count} codes left}} for {name}',
  flaws: { short: 'Too short.' },
}

suite('the check of texts', () => {
  test('finds nothing in ours', () => {
    assert.deepEqual(problems, [])
  })

  test('finds keys that are missing or too many', () => {
    const german = { title: 'Codes', flaws: { short: 'Zu kurz.', long: 'Zu lang.' } }
    assert.deepEqual(translationProblems(english, german, 'de'), ['left is missing', 'flaws/long is not in English'])
  })

  test('finds other values than in English', () => {
    const left = '{count, plural, one {1 Code} other {{anzahl} Codes}}'
    assert.deepEqual(translationProblems(english, { ...english, left }, 'de'), [
      'left has the values (anzahl, count) instead of (count, name)',
    ])
  })

  test('finds plurals without a form that the language has', () => {
    const left = '{count, plural, one {1 kod} other {{count} kodów}} {name}'
    assert.deepEqual(translationProblems(english, { ...english, left }, 'pl'), ['left has no form “few” for {count}'])
    const right = '{count, plural, one {1 kod} few {{count} kody} other {{count} kodów}} {name}'
    assert.deepEqual(translationProblems(english, { ...english, left: right }, 'pl'), [])
  })

  test('leaves a sentence alone that has no forms but for exact numbers', () => {
    const left = '{count, plural, =0 {Nothing} other {Codes: {count}}} {name}'
    assert.deepEqual(translationProblems(english, { ...english, left }, 'pl'), [])
  })

  test('finds sentences that cannot be read', () => {
    assert.throws(() => translationProblems(english, { ...english, left: '{count' }, 'de'), /cannot be read/)
  })

  test('finds keys that nobody reads: a file has to name them with what they are in, unless they are looked up', () => {
    const readers = { files: [new Set(['title', 'left']), new Set(['flaws'])], isLookedUp: () => false }
    assert.deepEqual(unusedKeys(english, readers), ['flaws/short'])
    assert.deepEqual(unusedKeys(english, { ...readers, isLookedUp: (key) => key === 'short' }), [])
  })
})
