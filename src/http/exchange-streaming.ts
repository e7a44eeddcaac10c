/**
 * An exchange whose request and reply are streams may last: the port's deadline counts from the last time something moved
 * in it, and it is told when the port is about to close, so that it can come to an end itself.
 */
export class StreamingExchange {
  /** Whether neither side has anything to send for now, as in a stream of rare news: then nothing is late. */
  isResting = false
  #movedAt = Date.now()
  readonly #onDrain: () => void
  #isTold = false

  constructor(onDrain: () => void) {
    this.#onDrain = onDrain
  }

  /** When a byte last came in or went out, in milliseconds. */
  get movedAt(): number {
    return this.isResting ? Date.now() : this.#movedAt
  }

  move(): void {
    this.#movedAt = Date.now()
  }

  /** The port is closing. */
  drain(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#onDrain()
  }
}

const known = new WeakMap<object, StreamingExchange>()

/** Makes the exchange of this response or HTTP/2 stream a streaming one. */
export function markStreaming(carrier: object, streaming: StreamingExchange): void {
  known.set(carrier, streaming)
}

/** The streaming exchange of this response or HTTP/2 stream, if it is one. */
export function streamingExchangeOf(carrier: object): StreamingExchange | undefined {
  return known.get(carrier)
}
