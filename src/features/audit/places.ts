/** How many event streams may be open: they last, so no caller can take the places of all others. */
const STREAMS_PER_CALLER = 50
const STREAMS_PER_NODE = 2_000

/** The places for streams of one process. */
export class StreamPlaces {
  readonly #ofCallers = new Map<string, number>()
  #open = 0

  get open(): number {
    return this.#open
  }

  /** Takes a place for a caller and answers how to give it back; undefined when there is none. */
  take(callerId: string): (() => void) | undefined {
    const own = this.#ofCallers.get(callerId) ?? 0
    if (this.#open >= STREAMS_PER_NODE || own >= STREAMS_PER_CALLER) return undefined
    this.#open++
    this.#ofCallers.set(callerId, own + 1)
    return () => {
      this.#open--
      const left = (this.#ofCallers.get(callerId) ?? 1) - 1
      if (left > 0) this.#ofCallers.set(callerId, left)
      else this.#ofCallers.delete(callerId)
    }
  }
}
