import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { EVENTS_IN_PART, EventTimes, type LogParts } from './event-times.ts'

/** A log of which only the times are known, and which can be read in parts. */
class Times {
  readonly times: number[] = []
  history = 'first'
  reads: number[] = []

  /** Of events that were added while it was reading, it may know some. */
  readonly read = async (since: number): Promise<LogParts> => {
    this.reads.push(since)
    const { history } = this
    const sequence = this.times.length
    const parts = this.times.slice(since).map((time, index) => {
      const place = since + index + 1
      return { first: place, last: place, earliest: time, latest: time }
    })
    await Promise.resolve()
    return { history, sequence, parts }
  }
}

suite('the times of events', () => {
  test('the range of a time has all its events, however often clocks were set back', async () => {
    const time = fc.integer({ min: 0, max: 100 })
    const check = async (logged: readonly (readonly number[])[], since: number, until: number) => {
      const log = new Times()
      const times = new EventTimes()
      for (const more of logged) {
        log.times.push(...more)
        const range = await times.rangeOf({ since, until }, log.read)
        for (const [index, at] of log.times.entries()) {
          const isWithin = index + 1 > range.since && index + 1 <= range.until
          assert.ok(isWithin || at < since || at >= until, `event ${index + 1} is missing`)
        }
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(fc.array(time)), time, time, check))
  })

  test('the range leaves out what is before and behind a time', async () => {
    const log = new Times()
    log.times.push(...Array.from({ length: 10 * EVENTS_IN_PART }, (_, index) => index))
    const times = new EventTimes()
    assert.deepEqual(await times.rangeOf({ since: 4_000, until: 6_000 }, log.read), { since: 4_000, until: 6_000 })
    assert.deepEqual(await times.rangeOf({ since: 10_000 }, log.read), { since: 0, until: 0 })
    log.times.push(...Array.from({ length: 3 * EVENTS_IN_PART }, (_, index) => 10_000 + index))
    const { since, until } = await times.rangeOf({ since: 12_500 }, log.read)
    assert.ok(since >= 12_500 - EVENTS_IN_PART && since <= 12_500)
    assert.equal(until, 13_000)
  })

  test('the log is read once, then only what was added', async () => {
    const log = new Times()
    log.times.push(1, 2, 3)
    const times = new EventTimes()
    await Promise.all([times.rangeOf({}, log.read), times.rangeOf({}, log.read)])
    assert.deepEqual(log.reads, [0, 3, 3])
    log.times.push(4)
    await times.rangeOf({}, log.read)
    assert.deepEqual(log.reads, [0, 3, 3, 3])
  })

  test('a query that waits for another one sees what was written before it was asked', async () => {
    const log = new Times()
    log.times.push(1, 2, 3)
    const times = new EventTimes()
    const first = times.rangeOf({ since: 4 }, log.read)
    log.times.push(4)
    const second = times.rangeOf({ since: 4 }, log.read)
    await first
    assert.equal((await second).until, 4)
  })

  test('after a failover the log is read again', async () => {
    const log = new Times()
    log.times.push(1, 2, 3, 4)
    const times = new EventTimes()
    await times.rangeOf({}, log.read)
    log.history = 'second'
    log.times.splice(2, 2, 9)
    assert.deepEqual(await times.rangeOf({ since: 9 }, log.read), { since: 2, until: 3 })
  })

  test('what could not be read is read by the next query', async () => {
    const log = new Times()
    log.times.push(1)
    const times = new EventTimes()
    await assert.rejects(
      times.rangeOf({}, () => Promise.reject(new Error('no connection'))),
      /no connection/,
    )
    assert.deepEqual(await times.rangeOf({}, log.read), { since: 0, until: 1 })
  })
})
