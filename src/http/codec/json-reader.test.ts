import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type JsonValue, toJson } from '@bufbuild/protobuf'
import { Everything } from '../../../test/contract/sample.ts'
import type { Violation } from '../../kernel/refusal.ts'
import { Failed } from '../protocols/errors.ts'
import { jsonReader } from './json-reader.ts'
import { parseJson } from './json-text.ts'

const read = jsonReader(Everything)
function parse(text: string | Buffer) {
  return read(parseJson(Buffer.from(text as string)))
}
function roundTrip(json: unknown): JsonValue {
  return toJson(Everything, parse(JSON.stringify(json)))
}

/** The violations of a text, or its complaint when it has none. */
function refusalOf(text: string | Buffer): readonly Violation[] | string {
  try {
    parse(text)
  } catch (error) {
    assert.ok(error instanceof Failed, String(error))
    return error.failure.violations ?? error.failure.message
  }
  return 'accepted'
}
function wrongField(text: string): string {
  const violations = refusalOf(text)
  return typeof violations === 'string' ? violations : violations.map(({ field }) => field).join()
}

suite('JSON in', () => {
  test('a message of every kind of field comes through unchanged', () => {
    const json = {
      text: 'Zoë 🤖',
      flag: true,
      small: -5,
      smallUnsigned: 4294967295,
      large: '-9223372036854775808',
      largeUnsigned: '18446744073709551615',
      ratio: 0.5,
      single: 1.5,
      raw: '+/8=',
      color: 'COLOR_RED',
      texts: ['a', ''],
      numbers: [1, 2],
      parts: [{ text: 'x' }, {}],
      part: { part: { small: 1 } },
      labels: { a: 'b', __proto__x: 'c' },
      at: '2026-01-31T12:00:00.500Z',
      lasts: '3.500s',
      mask: 'text,part.smallUnsigned',
      object: { any: [1, null, { deep: 'x' }] },
      anyValue: [null, 'x'],
      maybe: '',
      right: { text: 'y' },
      perhaps: '',
    }
    assert.deepEqual(roundTrip(json), json)
  })

  test('snake_case, declared aliases and numbers for enums are accepted', () => {
    assert.deepEqual(roundTrip({ small_unsigned: 1, other_text: 'a', color: 1 }), {
      smallUnsigned: 1,
      text: 'a',
      color: 'COLOR_RED',
    })
    assert.deepEqual(roundTrip({ otherText: 'a' }), { text: 'a' })
  })

  test('null is absent and unknown members are ignored', () => {
    assert.deepEqual(roundTrip({ text: null, part: null, texts: null, labels: null, nobody: { knows: [1] } }), {})
    assert.deepEqual(roundTrip({ anyValue: null }), { anyValue: null })
    assert.deepEqual(roundTrip(null), {})
    assert.deepEqual(parse(''), parse('{}'))
  })

  test('64-bit integers are accepted as text and as numbers that JSON can hold', () => {
    assert.deepEqual(roundTrip({ large: 9007199254740991 }), { large: '9007199254740991' })
    assert.equal(wrongField('{"large":9007199254740993}'), 'large')
    assert.equal(wrongField('{"large":"9223372036854775808"}'), 'large')
    assert.equal(wrongField('{"largeUnsigned":"-1"}'), 'largeUnsigned')
    assert.equal(wrongField('{"largeUnsigned":1e30}'), 'largeUnsigned')
  })

  test('bytes are accepted in both alphabets, padded or not', () => {
    for (const raw of ['+/8=', '-_8=', '+/8', '-_8']) assert.deepEqual(roundTrip({ raw }), { raw: '+/8=' })
    for (const raw of ['+/8==', 'a', '*', 'a b=']) assert.equal(wrongField(JSON.stringify({ raw })), 'raw', raw)
  })

  test('a wrong value is named by its path, and all of them are', () => {
    const text = '{"parts":[{},{"part":{"small":"x"}}],"flag":"yes","labels":{"k":1},"texts":["a",null],"numbers":{}}'
    assert.equal(wrongField(text), 'parts[1].part.small,flag,labels.k,texts[1],numbers')
  })

  test('every kind of field refuses what is not its own', () => {
    const wrong: Readonly<Record<string, readonly string[]>> = {
      text: ['1', 'true', '[]', '{}', '"\\ud800"', '"a\\u0000b"'],
      flag: ['"true"', '1'],
      small: ['1.5', '2147483648', '"1x"', '""', 'true', '1e400'],
      smallUnsigned: ['-1', '4294967296'],
      large: ['1.5', '""', '"1.0"', '" 1"'],
      ratio: ['"x"', '1e400', 'true'],
      single: ['1e39'],
      color: ['"RED"', '1.5', '"1"', '4294967296'],
      texts: ['"a"', '{}'],
      part: ['"a"', '[]'],
      labels: ['[]', '{"a":null}', '{"\\ud800":"a"}'],
      at: ['"yesterday"', '1', '"2026-13-01T00:00:00Z"'],
      lasts: ['"1"', '"1h"', '5'],
      object: ['[]', '"x"', '{"a":"\\udfff"}', '{"a":1e999}'],
      anyValue: ['1e999', '"\\udfff"', '{"a":"\\u0000"}'],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values)
        assert.match(wrongField(`{"${field}":${value}}`), new RegExp(`^${field}`), `${field}: ${value}`)
    }
  })

  test('two members of one oneof are refused, and both are named', () => {
    assert.deepEqual(refusalOf('{"left":"a","right":{}}'), [
      {
        field: 'right',
        description: 'cannot be given together with left: only one of left, right, maybeFlag may be given',
      },
    ])
    assert.deepEqual(roundTrip({ left: null, right: {} }), { right: {} })
    assert.deepEqual(roundTrip({ left: '' }), { left: '' })
    assert.deepEqual(roundTrip({ maybeFlag: false }), { maybeFlag: false })
  })

  test('a member given twice is refused, under whichever spelling, however deep', () => {
    assert.equal(wrongField('{"text":"a","text":"b"}'), 'text')
    assert.equal(wrongField('{"text":"a","te\\u0078t":"b"}'), 'text')
    assert.equal(wrongField('{"text":"a","other_text":"b"}'), 'text')
    assert.equal(wrongField('{"smallUnsigned":1,"small_unsigned":1}'), 'smallUnsigned')
    assert.equal(wrongField('{"parts":[{},{"part":{"a,b":"}]","x\\"":1,"x\\"":2}}]}'), 'parts[1].part.x"')
  })

  test('names that mean something to JavaScript mean nothing here', () => {
    const json =
      '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}},"labels":{"__proto__":"p","toString":"t"}}'
    const message = parse(json)
    assert.equal(JSON.stringify(toJson(Everything, message)), '{"labels":{"__proto__":"p","toString":"t"}}')
    assert.equal(({} as { text?: string }).text, undefined)
  })

  test('nesting ends at a hundred levels, before anything is parsed', () => {
    const nested = (levels: number) => `${'{"part":'.repeat(levels)}{}${'}'.repeat(levels)}`
    assert.equal(refusalOf(nested(99)), 'accepted')
    assert.equal(refusalOf(nested(100)), 'The body is nested deeper than 100 levels.')
    assert.equal(refusalOf('['.repeat(4_000_000)), 'The body is nested deeper than 100 levels.')
  })

  test('text that is not JSON is refused without a word of the parser', () => {
    for (const text of [
      '{',
      'NaN',
      '{"ratio":NaN}',
      '{"a":1,}',
      "{'a':1}",
      '\u{feff}{}',
      '{"a":\u0001}',
      '"',
      '{"\\',
    ]) {
      assert.equal(refusalOf(text), 'The body is not valid JSON.', text)
    }
    assert.equal(refusalOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'The body is not valid UTF-8.')
    assert.equal(wrongField('[]'), '')
    assert.equal(wrongField('"x"'), '')
  })

  test('thousands of wrong items are given up early', () => {
    const violations = refusalOf(`{"numbers":[${'"x",'.repeat(60_000)}1]}`)
    assert.equal(violations.length, 64)
  })
})
