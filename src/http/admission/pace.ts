/**
 * How fast waiting requests are started, as the best of the last stretches of time. A machine that got no processor for a
 * moment, or a disk that stood still, makes one stretch slow; only what stays slow changes the pace.
 */

/** Of waiting, not of the clock: while nothing waits there is nothing to measure. */
const STRETCH_MS = 250
/** The first one counts before it is over. */
const FIRST_MS = 100
const STRETCHES = 4
/** After so long without waiting, what was measured before says nothing about now. */
const FORGET_MS = 2_000

export class Pace {
  /** Milliseconds for each start, the latest stretch last. */
  readonly #stretches: number[] = []
  #ms = 0
  #starts = 0
  #notedAt = Number.NEGATIVE_INFINITY

  /** Requests begin to wait. */
  begin(now: number): void {
    if (now - this.#notedAt <= FORGET_MS) return
    this.#stretches.length = 0
    this.#ms = 0
    this.#starts = 0
  }

  /** For `ms` requests waited, and `starts` of them were started. However long, it is part of one stretch. */
  note(now: number, ms: number, starts: number): void {
    this.#notedAt = now
    this.#ms += ms
    this.#starts += starts
    if (this.#ms < STRETCH_MS) return
    this.#stretches.push(this.#ms / this.#starts)
    if (this.#stretches.length > STRETCHES) this.#stretches.shift()
    this.#ms = 0
    this.#starts = 0
  }

  /**
   * How long a new request waits behind that many others; 0 as long as that is not known. That nothing is started counts
   * only when it was so all the time.
   */
  waitMs(ahead: number): number {
    if (ahead === 0) return 0
    if (this.#stretches.length === 0)
      return this.#ms < FIRST_MS || this.#starts === 0 ? 0 : (ahead * this.#ms) / this.#starts
    const best = Math.min(...this.#stretches)
    return best === Number.POSITIVE_INFINITY && this.#stretches.length < STRETCHES ? 0 : ahead * best
  }
}
