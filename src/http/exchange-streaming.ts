/**
 * Exchanges that may last: the port's deadline counts from the last time something moved in them, and they are told when
 * the port is about to close, so that they can come to an end themselves.
 */
export class LongExchange {
  /** When a byte last came in or went out, in milliseconds. */
  movedAt = Date.now()
  readonly #onDrain: () => void
  #isTold = false

  constructor(onDrain: () => void) {
    this.#onDrain = onDrain
  }

  move(): void {
    this.movedAt = Date.now()
  }

  /** The port is closing. */
  drain(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#onDrain()
  }
}

const known = new WeakMap<object, LongExchange>()

/** Makes the exchange of this response or stream a long one. */
export function keepOpen(carrier: object, long: LongExchange): void {
  known.set(carrier, long)
}

/** The long exchange of this response or stream, if it is one. */
export function longExchangeOf(carrier: object): LongExchange | undefined {
  return known.get(carrier)
}
