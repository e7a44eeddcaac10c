import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ComputedValues } from './computed-values.ts'

function foundIn(kind: string, found: number) {
  return { documents: [], kinds: [kind], found }
}

suite('computed values', () => {
  test('one is not kept that was computed from more than 5,000 found documents', () => {
    const values = new ComputedValues()
    values.keep('ada', 'grants', foundIn('membership', 5_000))
    values.keep('bob', 'grants', foundIn('membership', 5_001))
    assert.deepEqual([values.get('ada'), values.get('bob')], ['grants', undefined])
  })

  test('a value that has become too large does not stay as it was', () => {
    const values = new ComputedValues()
    values.keep('ada', 'grants', foundIn('membership', 1))
    values.keep('ada', 'more grants', foundIn('membership', 5_001))
    assert.equal(values.get('ada'), undefined)
  })

  test('all together are computed from at most 50,000 found documents', () => {
    const values = new ComputedValues()
    for (let index = 0; index < 10; index++) values.keep(`user ${index}`, index, foundIn('membership', 5_000))
    assert.equal(values.size, 10)
    values.streamChanged('membership', 'any')
    assert.equal(values.size, 0)
    for (let index = 0; index < 10; index++) values.keep(`user ${index}`, index, foundIn('membership', 5_000))
    values.keep('ada', 'grants', foundIn('membership', 1))
    assert.deepEqual([values.size, values.get('ada')], [1, 'grants'])
  })
})
