/** What a load generator offers: counts since the last look, pauses, and an end. */

export interface Taken {
  readonly ok: number
  readonly failed: number
  /** Milliseconds, one per good answer. */
  readonly latencies: number[]
}

export interface Load {
  take(): Taken
  /** Sends no more requests until `resume`; those in flight are answered. The connections stay open. */
  pause(): void
  resume(): void
  stop(): void
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
