import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ReadCache } from './cache/read-cache.ts'
import { follows } from './history.ts'

const at = (history: string, sequence: number) => ({ history, sequence })

suite('a stamp follows another one', () => {
  test('of the same history, and not of another one, however high its sequence is', () => {
    assert.equal(follows(at('one', 5), at('one', 5)), true)
    assert.equal(follows(at('one', 6), at('one', 5)), true)
    assert.equal(follows(at('one', 4), at('one', 5)), false)
    assert.equal(follows(at('two', 5), at('one', 5)), false)
    assert.equal(follows(at('two', 6), at('one', 5)), false)
  })

  test('otherwise the cache keeps nothing, even if the log tells of no change', () => {
    const cache = new ReadCache()
    const keep = () => {
      cache.keepAnswer('box', 'key', { rows: [], total: 0, ...cache.stamp })
      cache.keepHolder('label', 'a', { kind: 'box', id: 'one' })
      cache.keepDocument('box', 'two', null)
      cache.keepComputed('key', 'value', { documents: [], kinds: [], found: 0 }, cache.moment)
    }
    const kept = () => [
      cache.answer('box', 'key')?.total,
      cache.holder('label', 'a'),
      cache.document('box', 'two'),
      cache.computed('key'),
    ]
    cache.follow(at('one', 5), () => [])
    keep()
    cache.follow(at('one', 6), () => [])
    assert.deepEqual(kept(), [0, 'one', null, 'value'])
    for (const now of [at('two', 6), at('three', 7), at('three', 6), at('four', 5)]) {
      keep()
      cache.follow(now, () => [])
      assert.deepEqual(kept(), [undefined, undefined, undefined, undefined], JSON.stringify(now))
    }
  })
})
