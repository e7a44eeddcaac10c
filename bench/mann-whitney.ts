/** Whether two samples come from one distribution: the test of Mann and Whitney, by its normal approximation. */
import { median } from './statistics.ts'

/** Abramowitz and Stegun 7.1.26: the error function, to seven digits. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  return 1 - polynomial * Math.exp(-x * x)
}

/** The median of `one` less that of `other`, and how likely so different samples of one distribution are. */
export function differenceOf(one: readonly number[], other: readonly number[]): { difference: number; p: number } {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))]
  all.sort((left, right) => left.value - right.value)
  // Times of a clock with many digits hardly ever tie, so that ranks need no sharing.
  const ranks = all.reduce((sum, { isOne }, index) => (isOne ? sum + index + 1 : sum), 0)
  const product = one.length * other.length
  const u = ranks - (one.length * (one.length + 1)) / 2
  const z = Math.abs(u - product / 2) / Math.sqrt((product * (one.length + other.length + 1)) / 12)
  return { difference: median(one) - median(other), p: 1 - errorFunction(z / Math.SQRT2) }
}
