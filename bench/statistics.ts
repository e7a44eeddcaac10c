/** What rounds of a measurement say together: percentiles, and how far they spread. Pure. */

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle sample; of an even number, the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}

/** The interquartile range as a share of the median; undefined for fewer than three samples. */
export function spread(samples: readonly number[]): number | undefined {
  if (samples.length < 3) return undefined
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / median(samples)
}

/** Interpolated between samples, because there are few rounds. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
