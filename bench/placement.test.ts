/** The simulation agrees with what can be computed without it. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Model, placeByRate, simulate, skewedRates } from './placement-model.ts'

const BASE: Omit<Model, 'instances'> = {
  servers: 1,
  coresOfServer: 8,
  commitMs: 0.1,
  waitMs: 3,
  batch: 256,
  seconds: 6,
  seed: 7,
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

function isAbout(actual: number, expected: number, share: number): void {
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} is not about ${expected}`)
}

suite('the simulation of placement', () => {
  test('a commit that is alone takes its processor time and the wait for the disk', () => {
    const { latencies, rate } = simulate({ ...BASE, instances: [{ server: 0, rate: 2 }], seconds: 2_000 })
    isAbout(mean(latencies), 3.1, 0.05)
    isAbout(rate, 2, 0.05)
  })

  test('the processors are busy for the commits, and no longer', () => {
    const instances = Array.from({ length: 8 }, () => ({ server: 0, rate: 1_000 }))
    const { used, rate } = simulate({ ...BASE, instances })
    isAbout(rate, 8_000, 0.02)
    isAbout(used[0] ?? 0, (8_000 * 0.1) / 1_000 / 8, 0.02)
  })

  test('a sequence writes at most a full batch at a time, whatever is asked of it', () => {
    const { rate } = simulate({ ...BASE, instances: [{ server: 0, rate: 20_000 }] })
    isAbout(rate, (256 / (256 * 0.1 + 3)) * 1_000, 0.03)
  })

  test('twice as many instances write twice as much, as long as there are cores', () => {
    const rateOf = (count: number) =>
      simulate({
        ...BASE,
        seconds: 10,
        waitMs: 10,
        instances: Array.from({ length: count }, () => ({ server: 0, rate: 12_000 })),
      }).rate
    isAbout(rateOf(4), 4 * rateOf(1), 0.05)
    // With more instances than cores it is the cores.
    isAbout(rateOf(16), (8 / 0.1) * 1_000, 0.05)
  })

  test('a server that has too many instances does not slow down another one', () => {
    const quiet = Array.from({ length: 4 }, () => ({ server: 0, rate: 500 }))
    const noisy = Array.from({ length: 20 }, () => ({ server: 1, rate: 5_000 }))
    const alone = simulate({ ...BASE, servers: 2, instances: quiet })
    const { used } = simulate({ ...BASE, servers: 2, instances: [...quiet, ...noisy] })
    isAbout(used[0] ?? 0, alone.used[0] ?? 1, 0.05)
    assert.ok((used[1] ?? 0) > 0.99)
  })

  test('the same seed gives the same numbers', () => {
    const instances = [{ server: 0, rate: 900 }]
    assert.deepEqual(simulate({ ...BASE, instances }), simulate({ ...BASE, instances }))
    assert.notDeepEqual(simulate({ ...BASE, instances }), simulate({ ...BASE, instances, seed: 8 }))
  })

  test('rates add up, follow the skew, and stay below what an instance may have', () => {
    const sum = (rates: readonly number[]) => rates.reduce((before, rate) => before + rate, 0)
    const even = skewedRates(100, 4, 0)
    assert.deepEqual(even, [25, 25, 25, 25])
    const skewed = skewedRates(1_000, 10, 1)
    isAbout(sum(skewed), 1_000, 1e-9)
    isAbout((skewed[0] ?? 0) / (skewed[4] ?? 1), 5, 1e-9)
    const capped = skewedRates(50_000, 64, 1, 2_000)
    isAbout(sum(capped), 50_000, 1e-9)
    assert.equal(Math.max(...capped), 2_000)
    assert.throws(() => skewedRates(50_000, 20, 1, 2_000), RangeError)
  })

  test('the largest go where least is, and what is there already stays', () => {
    const placed = placeByRate([10, 1, 1, 8], [0, 1])
    assert.deepEqual(
      placed.map(({ server, rate }) => `${server}: ${rate}`),
      ['0: 10', '1: 8', '1: 1', '1: 1'],
    )
    const kept = [{ server: 1, rate: 5 }]
    assert.deepEqual(placeByRate([3, 1], [1, 2], kept), [...kept, { server: 2, rate: 3 }, { server: 2, rate: 1 }])
  })
})
