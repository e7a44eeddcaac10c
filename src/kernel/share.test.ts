import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { CollectionLimit } from '../store/kind.ts'
import { type Owners, openAttempts, openPace, openThrottle, Places } from './share.ts'

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

  test('without an owner there is no share: what is counted for nobody does not compile', () => {
    const places = new Places(64)
    // @ts-expect-error: everybody would use the same one.
    const takeForNobody = () => places.take()
    const now = () => 0 as ReturnType<Parameters<typeof openAttempts>[0]['now']>
    // @ts-expect-error
    const startForNobody = () => openThrottle({ now, limit: 1, windowMs: 1 })()
    // @ts-expect-error
    const sendForNobody = () => openPace({ now, burst: 1, everyMs: 1 })()
    // @ts-expect-error: everything that is stored would count together.
    const stored: CollectionLimit = { things: 'sessions', holder: 'nobody', by: [], number: 1 }
    assert.equal([takeForNobody, startForNobody, sendForNobody, stored].length, 4)
  })

  test('a place that is given back can be taken again', () => {
    const places = new Places(2)
    const leave = places.take('one')
    assert.equal(places.take('one'), undefined)
    leave?.()
    leave?.()
    assert.equal(places.taken, 0)
    assert.notEqual(places.take('one'), undefined)
  })

  test('nobody gets more than one needs, and others get theirs beside', () => {
    const places = new Places(64, 10, 4)
    assert.deepEqual(
      [takeAll(places, 'A', 'loud'), takeAll(places, 'A', 'ada'), takeAll(places, 'A', 'amy')],
      [4, 4, 2],
    )
    assert.equal(takeAll(places, 'B', 'bob'), 4)
  })

  test('a place is given back when what ran in it has ended, and failed', async () => {
    const places = new Places(2)
    const busy = () => new Error('busy')
    const { promise, resolve } = Promise.withResolvers<string>()
    const running = places.run(['one'], busy, () => promise)
    await assert.rejects(
      places.run(['one'], busy, async () => 'served'),
      { message: 'busy' },
    )
    resolve('ended')
    assert.equal(await running, 'ended')
    await assert.rejects(
      places.run(['one'], busy, () => Promise.reject(new Error('no'))),
      { message: 'no' },
    )
    assert.equal(places.taken, 0)
  })
})

test('who makes up keys makes nobody but themselves be forgotten', () => {
  const now = () => 0 as ReturnType<Parameters<typeof openAttempts>[0]['now']>
  const { take, count } = openAttempts({ now, limit: 2, windowMs: 10, maxKeys: 100 })
  take('A', 'entry')
  for (let number = 0; number < 1_000; number++) take('B', `made up ${number}`)
  assert.deepEqual([count('A', 'entry'), count('B', 'made up 0'), count('B', 'made up 999')], [1, 0, 1])
})

test('what an owner wants at once beyond the burst is due one after the other, and what others want is due now', () => {
  let now = 0
  const delayOf = openPace({
    now: () => now as ReturnType<Parameters<typeof openPace>[0]['now']>,
    burst: 2,
    everyMs: 10,
  })
  assert.deepEqual(
    [1, 2, 3, 4].map(() => delayOf('A')),
    [0, 0, 10, 20],
  )
  assert.equal(delayOf('B'), 0)
  now = 40
  assert.deepEqual(
    [1, 2, 3].map(() => delayOf('A')),
    [0, 0, 10],
  )
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
