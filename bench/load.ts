/** What a load generator offers: counts since the last look, and an end. */

export interface Taken {
  readonly ok: number
  readonly failed: number
  /** Milliseconds, one per good answer. */
  readonly latencies: number[]
}

export interface Load {
  take(): Taken
  stop(): void
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
