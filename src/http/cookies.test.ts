import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cookiesOf } from './cookies.ts'

function read(header: string | undefined, name = 'a') {
  return cookiesOf({ header: () => header }, name)
}

suite('the cookies of a request', () => {
  test('are read by their whole name, in the order of the browser', () => {
    assert.deepEqual(read('a=1; b=2;a=3 ; aa=4; __Host-a=5'), ['1', '3'])
    assert.deepEqual(read('b=a=1'), [])
  })

  test('keep all of their value', () => {
    assert.deepEqual(read('a=one=two='), ['one=two='])
    assert.deepEqual(read('a='), [''])
  })

  test('are none without a value or a header', () => {
    assert.deepEqual([read('a'), read(''), read(undefined)], [[], [], []])
  })
})
