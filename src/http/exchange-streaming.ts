/**
 * An exchange whose request and response are streams. Its deadline counts from the last transferred byte, and it is
 * notified when the port closes so that it can finish.
 */
export class StreamingExchange {
  /** When a byte was last received or sent, in milliseconds. */
  movedAt = Date.now()
  readonly #onDrain: () => void
  #isTold = false

  constructor(onDrain: () => void) {
    this.#onDrain = onDrain
  }

  move(): void {
    this.movedAt = Date.now()
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
