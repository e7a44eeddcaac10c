import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { openIds } from './id.ts'
import { instant } from './instant.ts'

const NOON = 1_800_000_000_000

function openAt(times: { now: number }, range: { from?: number; until?: number; node?: number } = {}) {
  const { from = 0, until = NOON + 1e9, node = 7 } = range
  return openIds({
    node,
    from: instant(from),
    until: instant(until),
    clock: () => instant(times.now),
    firstNumber: () => 0,
  })
}

suite('ids of objects', () => {
  test('are numbers of 18 digits: time, node, counter', () => {
    const ids = openAt({ now: NOON })
    assert.equal(ids.next(), '132774400000007000')
    assert.equal(ids.next(), '132774400000007001')
    for (const now of [0, 1_767_225_600_000, NOON, 2_600_000_000_000]) {
      assert.match(openAt({ now }, { until: 1e13 }).next() ?? '', /^[1-9]\d{17}$/, `at ${now}`)
    }
  })

  test('grow whatever the clock does and however many there are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 1, max: 1500 }))),
        (steps) => {
          const time = { now: NOON }
          const ids = openAt(time)
          let last = ''
          for (const [step, count] of steps) {
            time.now += step
            for (let made = 0; made < count; made++) {
              const id = ids.next() ?? ''
              assert.ok(id > last && id.length === 18, `${id} after ${last}`)
              last = id
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('begin at a number that nobody can foresee in each millisecond', () => {
    const times = { now: NOON }
    const [ids, others] = [0, 1].map(() =>
      openIds({ node: 7, from: instant(0), until: instant(NOON + 1e9), clock: () => instant(times.now++) }),
    )
    const firsts = Array.from({ length: 40 }, () => [ids?.next(), others?.next()].map((id) => id?.slice(-3)))
    assert.ok(new Set(firsts.flat()).size > 40)
    assert.ok(
      firsts.flat().every((first = '') => Number(first) < 900),
      'others follow it',
    )
  })

  test('more than 1000 in a millisecond take from the next one', () => {
    const ids = openAt({ now: NOON })
    const all = Array.from({ length: 2500 }, () => ids.next() ?? '')
    assert.equal(new Set(all).size, 2500)
    assert.equal(all[2499], '132774400002007499')
    assert.equal(ids.unused(), NOON + 3)
  })

  test('never leave their range: neither before its start nor at its end', () => {
    const time = { now: NOON }
    const ids = openAt(time, { from: NOON + 5, until: NOON + 7 })
    const all = Array.from({ length: 2000 }, () => ids.next() ?? '')
    assert.ok(all[0]?.startsWith('132774400005') && all[1999]?.startsWith('132774400006'))
    assert.equal(ids.next(), undefined)
    ids.extend(instant(NOON + 8))
    assert.equal(ids.next(), '132774400007007000')
    time.now = NOON + 8
    assert.equal(ids.next(), undefined)
    // A clock that was wrong for a moment leaves nothing behind.
    time.now = NOON
    assert.equal(ids.next(), '132774400007007001')
    assert.equal(ids.unused(), NOON + 8)
  })

  test('are refused to a node number that does not exist, and end in 2054 instead of growing longer', () => {
    for (const node of [-1, 1000, 0.5]) assert.throws(() => openAt({ now: NOON }, { node }), RangeError)
    assert.throws(() => openAt({ now: 2_700_000_000_000 }, { until: 1e13 }).next(), RangeError)
  })
})
