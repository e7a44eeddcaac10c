import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Owners, openAttempts, Places } from './share.ts'

suite('places that owners use at once', () => {
  const takeAll = (places: Places, ...owners: Owners) => {
    let count = 0
    while (places.take(...owners) !== undefined) count++
    return count
  }

  test('an owner alone gets half of them, and whoever comes next half of the rest', () => {
    const places = new Places(64)
    assert.deepEqual(
      ['one', 'two', 'three'].map((owner) => takeAll(places, owner)),
      [32, 16, 8],
    )
    assert.equal(takeAll(places, 'one'), 0)
  })

  test('the users of an organization have shares of its half', () => {
    const places = new Places(64)
    assert.deepEqual([takeAll(places, 'A', 'loud'), takeAll(places, 'A', 'ada')], [16, 8])
    assert.equal(takeAll(places, 'B', 'bob'), 16)
  })

  test('without an owner there is no share: taking a place for nobody does not compile', () => {
    const places = new Places(64)
    // @ts-expect-error: everybody would use the same one.
    const takeForNobody = () => places.take()
    assert.ok(takeForNobody)
  })

  test('a place that is given back can be taken again', () => {
    const places = new Places(2)
    const leave = places.take('one')
    assert.equal(places.take('one'), undefined)
    leave?.()
    assert.equal(places.isEmpty, true)
    assert.notEqual(places.take('one'), undefined)
  })
})

test('calls of one key in a window leave other keys their share', () => {
  let now = 0
  const { take, giveBack } = openAttempts({
    now: () => now as ReturnType<Parameters<typeof openAttempts>[0]['now']>,
    limit: 2,
    windowMs: 10,
  })
  assert.deepEqual([take('a'), take('a'), take('a'), take('b')], [true, true, false, true])
  giveBack('b')
  assert.deepEqual([take('b'), take('b'), take('b')], [true, true, false])
  now = 10
  assert.equal(take('a'), true)
})
