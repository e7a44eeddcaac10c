import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { foldText, searchText } from '../../kernel/fold-text.ts'
import { canonicalName, lineProblem, nameProblem, paragraphProblem } from './names.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
)

suite('the key of a user name', () => {
  test('is its own key', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const key = canonicalName(name)
        if (key !== undefined) assert.equal(canonicalName(key), key)
      }),
      { numRuns: 2_000 },
    )
  })

  test('settles for every single code point', () => {
    for (let point = 0; point <= 0x10_ff_ff; point++) {
      if (point >= 0xd8_00 && point <= 0xdf_ff) continue
      const once = foldText(String.fromCodePoint(point))
      if (foldText(once) !== once) assert.fail(`U+${point.toString(16)} does not settle`)
    }
  })

  test('does not depend on the case of its letters', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const upper = canonicalName(name.toUpperCase())
        const lower = canonicalName(name.toLowerCase())
        if (upper !== undefined && lower !== undefined) assert.equal(upper, lower)
      }),
      { numRuns: 2_000 },
    )
  })

  const same: readonly (readonly [string, string, string])[] = [
    ['case', 'Sam.Miller', 'sAM.mILLER'],
    ['full width', 'ｓａｍ＠example.com', 'sam@example.com'],
    ['the dotless i', 'mıke', 'mike'],
    ['the sharp s', 'STRASSE', 'straße'],
    ['the final sigma', 'ΝΙΚΟΣ', 'νικος'],
    ['the Kelvin sign', '\u212aelvin', 'kelvin'],
    ['ligatures', 'ﬁn', 'FIN'],
    ['composed and decomposed letters', 'Zoe\u0308', 'ZOË'],
  ]
  for (const [what, one, other] of same) {
    test(`is the same whatever ${what}`, () => {
      assert.notEqual(canonicalName(one), undefined)
      assert.equal(canonicalName(one), canonicalName(other))
    })
  }
})

suite('a user name', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['a leading space', ' sam'],
    ['a trailing space', 'sam '],
    ['a leading no-break space', '\u00a0sam'],
    ['a trailing ideographic space', 'sam\u3000'],
    ['an ogham space', 'sam\u1680miller'],
    ['a line feed', 'sam\nmiller'],
    ['a NUL', 'sam\u0000'],
    ['a delete', 'sam\u007f'],
    ['a zero-width space', 'sa\u200bm'],
    ['a zero-width joiner', 'sa\u200dm'],
    ['a soft hyphen', 'sa\u00adm'],
    ['a byte order mark', '\ufeffsam'],
    ['a right-to-left override', 'sam\u202egnp.exe'],
    ['a direction isolate', '\u2066sam\u2069'],
    ['a Hangul filler', 'sam\u3164'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a variation selector', 'sam\ufe0f'],
    ['a line separator', 'sam\u2028'],
    ['half a surrogate pair', 'sam\ud800'],
    ['a private character', 'sam\ue000'],
    ['an unassigned character', 'sam\u0378'],
    ['a leading combining mark', '\u0301sam'],
    ['Latin and Cyrillic in one word', 'pаypal'],
    ['Latin and Greek in one word', 'mικε'],
    ['ligatures that grow beyond measure', '\ufdfa'.repeat(200)],
  ]
  for (const [what, name] of refused) {
    test(`is refused with ${what}`, () => {
      assert.notEqual(nameProblem(name), undefined)
      assert.equal(canonicalName(name), undefined)
    })
  }

  for (const name of [
    'sam',
    'Sam Miller',
    'sam+test@example.com',
    'иван@example.com',
    '山田 太郎',
    'jérôme',
    'robot🤖',
    'ß'.repeat(200),
    'x'.repeat(200),
  ]) {
    test(`may be ${name.slice(0, 24)}`, () => assert.equal(nameProblem(name), undefined))
  }
})

suite('text for searching', () => {
  test('is never longer than an index can hold, nor cut inside a character', () => {
    const text = searchText(`${'\ufdfa'.repeat(200)}${'🤖'.repeat(300)}`)
    assert.ok(Buffer.byteLength(text) <= 2_400)
    assert.ok(searchText('🤖'.repeat(400)).isWellFormed())
  })
})

suite('shown text', () => {
  test('on one line has no control characters', () => {
    assert.equal(lineProblem('Pipeline “north”'), undefined)
    for (const text of ['a\u0000', 'a\nb', 'a\u001b[31m', 'a\u2028b', '\ud800'])
      assert.notEqual(lineProblem(text), undefined)
  })

  test('in a paragraph may have line breaks and tabs', () => {
    assert.equal(paragraphProblem('one\n\ttwo\r\n'), undefined)
    for (const text of ['a\u0000', 'a\u001b[31m', '\udc00']) assert.notEqual(paragraphProblem(text), undefined)
  })
})
