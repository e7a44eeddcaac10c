import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Pace } from './pace.ts'

/** Notes turns of the event loop of 10 ms each, one after the other. */
function turns(pace: Pace, from: number, { ms, starts }: { readonly ms: number; readonly starts: number }): number {
  let now = from
  for (; now < from + ms; now += 10) pace.note(now + 10, 10, starts)
  return now
}

suite('the pace at which waiting requests are started', () => {
  test('is not known at first, and then the number of starts in the time', () => {
    const pace = new Pace()
    assert.equal(pace.waitMs(1_000), 0)
    turns(pace, 0, { ms: 250, starts: 10 })
    assert.equal(pace.waitMs(1_000), 1_000)
  })

  test('does not change when nothing runs for a moment, however long it is', () => {
    const pace = new Pace()
    const now = turns(pace, 0, { ms: 500, starts: 10 })
    pace.note(now + 10_000, 10_000, 10)
    assert.equal(pace.waitMs(1_000), 1_000)
  })

  test('is slower when the last second was', () => {
    const pace = new Pace()
    const now = turns(pace, 0, { ms: 1_000, starts: 10 })
    turns(pace, now, { ms: 750, starts: 5 })
    assert.equal(pace.waitMs(1_000), 1_000)
    turns(pace, now + 750, { ms: 250, starts: 5 })
    assert.equal(pace.waitMs(1_000), 2_000)
  })

  test('is faster as soon as a quarter of a second was', () => {
    const pace = new Pace()
    const now = turns(pace, 0, { ms: 1_000, starts: 5 })
    turns(pace, now, { ms: 250, starts: 10 })
    assert.equal(pace.waitMs(1_000), 1_000)
  })

  test('is none when nothing was started for a second', () => {
    const pace = new Pace()
    turns(pace, 0, { ms: 750, starts: 0 })
    assert.equal(pace.waitMs(1), 0)
    turns(pace, 750, { ms: 250, starts: 0 })
    assert.equal(pace.waitMs(1), Number.POSITIVE_INFINITY)
    assert.equal(pace.waitMs(0), 0)
  })

  test('is forgotten when nothing has waited for a while', () => {
    const pace = new Pace()
    const now = turns(pace, 0, { ms: 1_000, starts: 1 })
    pace.begin(now + 1_000)
    assert.equal(pace.waitMs(10), 100)
    pace.begin(now + 3_000)
    assert.equal(pace.waitMs(10), 0)
  })
})
