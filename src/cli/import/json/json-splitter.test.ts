import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonBroken, JsonSplitter, parsePart } from './json-splitter.ts'

/** The parts of a text that arrives in pieces of this size. */
function split(text: string, size: number): readonly unknown[] {
  const splitter = new JsonSplitter((member) => member === 'users')
  const bytes = Buffer.from(text)
  const parts: unknown[] = []
  for (let at = 0; at < bytes.length; at += size)
    for (const part of splitter.push(bytes.subarray(at, at + size)))
      parts.push([part.member, part.index, parsePart(part)])
  splitter.end()
  return parts
}

const SIZES = [1, 2, 7, 1_000_000]

test('the members of an object come one by one, wherever the pieces of the file end', () => {
  const value = {
    a: 1,
    'b"\\': 'ü"\\{[',
    users: [{ n: [1, { x: '}' }] }, 'two', 3, null],
    c: { users: [1] },
    d: [],
    e: -1.5e3,
  }
  for (const text of [JSON.stringify(value), `\ufeff \n${JSON.stringify(value, null, 2)}\n `])
    for (const size of SIZES)
      assert.deepEqual(split(text, size), [
        ['a', undefined, 1],
        ['b"\\', undefined, 'ü"\\{['],
        ['users', 0, { n: [1, { x: '}' }] }],
        ['users', 1, 'two'],
        ['users', 2, 3],
        ['users', 3, null],
        ['c', undefined, { users: [1] }],
        ['d', undefined, []],
        ['e', undefined, -1500],
      ])
})

test('a list is read element by element, and an empty object or list has no parts', () => {
  for (const size of SIZES) {
    assert.deepEqual(split('[1, {"a": 2}]', size), [
      ['', 0, 1],
      ['', 1, { a: 2 }],
    ])
    for (const empty of ['{}', ' [ ] ', '{"users":[]}']) assert.deepEqual(split(empty, size), [])
  }
})

test('a text that is cut anywhere is refused', () => {
  const text = '{"realm":"r","users":[{"id":"1"},{"id":"2"}],"enabled":true}'
  for (let length = 0; length < text.length; length++)
    for (const size of SIZES) assert.throws(() => split(text.slice(0, length), size), JsonBroken)
})

const BROKEN = ['', 'x', '1', '{', '{"a"}', '{"a":}', '{"a" 1}', '{"a":1,}', '{"a":1 "b":2}', '[1,]', '[,1]', '{a:1}']
const BROKEN_AFTER = [
  '{}{}',
  '{} x',
  '[1]]',
  '{"users":[1}',
  '{"a":[1}',
  '{"a":tru}',
  '{"a":"\\x"}',
  '{"users":[1,,2]}',
]

test('what is no JSON is refused, with its place and without its content', () => {
  for (const text of [...BROKEN, ...BROKEN_AFTER])
    for (const size of SIZES) assert.throws(() => split(text, size), JsonBroken, text)
  assert.throws(() => split('{"users":[{"id":"1"},{"secret": hunter2}]}', 3), {
    message: 'is not valid JSON, in users[1]',
  })
  assert.throws(() => split('{"realm":"r","users":[{"id":"1"},{"id":', 3), /in users\[1\]/)
})
