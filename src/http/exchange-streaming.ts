/**
 * An exchange whose request and response are streams. Its deadline counts from the last transferred byte, and it is
 * notified when the port closes so that it can finish.
 */
export class StreamingExchange {
  /** Whether neither side has anything to send for now, as in a stream of rare news: then nothing is late. */
  isResting = false
  #movedAt = performance.now()
  readonly #onDrain: () => void
  #isTold = false

  constructor(onDrain: () => void) {
    this.#onDrain = onDrain
  }

  /** When a byte last came in or went out, in milliseconds. */
  get movedAt(): number {
    return this.isResting ? performance.now() : this.#movedAt
  }

  move(): void {
    this.#movedAt = performance.now()
  }

  /** Called when the port closes. */
  drain(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#onDrain()
  }
}

const known = new WeakMap<object, StreamingExchange>()

/** Marks the exchange of this response or HTTP/2 stream as streaming. */
export function markStreaming(carrier: object, streaming: StreamingExchange): void {
  known.set(carrier, streaming)
}

/** Returns the streaming exchange of this response or HTTP/2 stream, if it is one. */
export function streamingExchangeOf(carrier: object): StreamingExchange | undefined {
  return known.get(carrier)
}
