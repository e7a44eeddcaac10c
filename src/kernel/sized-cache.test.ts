import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SizedCache } from './sized-cache.ts'

suite('a cache with a size', () => {
  test('keeps what is used, and forgets the rest', () => {
    const cache = new SizedCache<number>({ characters: 1_000, longest: 100 })
    cache.set('used', 1)
    for (let done = 0; done < 100; done++) {
      cache.set(`other ${done}`, done)
      assert.equal(cache.get('used'), 1)
    }
    assert.equal(cache.get('other 0'), undefined)
    assert.equal(cache.get('other 99'), 99)
  })

  test('never has more characters than its two generations may have', () => {
    const cache = new SizedCache<string>({ characters: 10_000, longest: 5_000 })
    for (let done = 0; done < 500; done++) {
      cache.set(`${done}`, '', (done * 37) % 6_000)
      cache.get(`${done - 3}`)
      assert.ok(cache.characters <= 20_000, `${cache.characters}`)
    }
  })

  test('does not keep one that is too long, and forgets what it replaces', () => {
    const cache = new SizedCache<number>({ characters: 1_000, longest: 100 })
    cache.set('a', 1)
    cache.set('a', 2, 100)
    assert.equal(cache.get('a'), undefined)
    cache.set('x'.repeat(101), 1)
    assert.equal(cache.characters, 0)
    cache.set('b', 1)
    cache.set('b', 2)
    assert.equal(cache.get('b'), 2)
    cache.delete('b')
    assert.equal(cache.get('b'), undefined)
    assert.equal(cache.characters, 0)
  })
})
