/** What a load generator offers: counts since the last look, and an end. */

export interface Taken {
  readonly ok: number
  readonly failed: number
  /** Milliseconds, one per answered request. */
  readonly latencies: number[]
}

export interface Load {
  take(): Taken
  stop(): void
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The value below which `share` of the sorted samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5)
}
