import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { LineSplitter } from './ndjson.ts'

function split(pieces: readonly (string | Buffer)[], maxBytes = 100) {
  const splitter = new LineSplitter(maxBytes)
  const lines = pieces.flatMap((piece) => splitter.push(Buffer.from(piece)))
  return [...lines, ...splitter.end()].map(({ number, bytes }) => [number, bytes?.toString()])
}

suite('lines of a body', () => {
  test('are numbered as an editor numbers them, and those with nothing on them are left out', () => {
    assert.deepEqual(split(['a\n\n \t\r\nb\r\n', 'c']), [
      [1, 'a'],
      [4, 'b\r'],
      [5, 'c'],
    ])
    assert.deepEqual(split([]), [])
    assert.deepEqual(split(['\n\n']), [])
  })

  test('are the same however the body is cut into pieces', () => {
    const body = Buffer.from('{"a":"ü"}\n\nlong line that spans pieces\nlast')
    const whole = split([body])
    fc.assert(
      fc.property(fc.array(fc.nat(body.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), body.length]
        const pieces = places.slice(1).map((end, index) => body.subarray(places[index], end))
        assert.deepEqual(split(pieces), whole)
      }),
    )
  })

  test('may be as long as allowed; a longer one is told of and its neighbours are kept', () => {
    const [fits, exceeds] = ['x'.repeat(100), 'x'.repeat(101)]
    assert.deepEqual(split([`${fits}\n${exceeds}\n${fits}`]), [
      [1, fits],
      [2, undefined],
      [3, fits],
    ])
    const bytewise = [...`a\n${exceeds}\nb`].map((character) => Buffer.from(character))
    assert.deepEqual(split(bytewise), [
      [1, 'a'],
      [2, undefined],
      [3, 'b'],
    ])
    assert.deepEqual(split([exceeds]), [[1, undefined]])
  })

  test('a byte order mark before the first is no part of it', () => {
    assert.deepEqual(split(['\ufeffa\n\ufeffb']), [
      [1, 'a'],
      [2, '\ufeffb'],
    ])
  })
})
