import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { median, percentile, spread } from './statistics.ts'

suite('statistics of a benchmark', () => {
  test('the median does not depend on the order, and lies between the two in the middle', () => {
    assert.equal(median([30, 10, 20]), 20)
    assert.equal(median([40, 10, 20, 30]), 25)
    assert.ok(Number.isNaN(median([])))
  })

  test('a percentile is a sample', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
    assert.equal(percentile(samples, 0.99), 100)
    assert.equal(percentile(samples, 0.5), 51)
  })

  test('the spread is the interquartile range beside the median, so that one bad round counts little', () => {
    assert.equal(spread([90, 100, 100, 100, 110]), 0)
    assert.equal(spread([80, 90, 100, 110, 120]), 0.2)
    assert.equal(spread([80, 90, 100, 110, 1000]), 0.2)
    assert.equal(spread([100, 200]), undefined)
  })
})
