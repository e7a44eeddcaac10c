/** How long to wait before a process that died is started again. */

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A process that lived this long is not the victim of a fault that comes back at once. */
const SETTLED_MS = 60_000

/** At once after a long life; longer each time while it dies young. */
export class RestartPause {
  #nextMs = 0

  /** The pause after a process that lived this long. */
  after(livedMs: number): number {
    const pauseMs = livedMs > SETTLED_MS ? 0 : this.#nextMs
    this.#nextMs = Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), LONGEST_PAUSE_MS)
    return pauseMs
  }
}
