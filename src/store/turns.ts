/**
 * Writers that met at a document take turns: each decides again when the one before it has ended. If all tried again at
 * once, one of them would succeed and the others would meet again.
 */

interface Named {
  readonly kind: string
  readonly id: string
}

function keyOf({ kind, id }: Named): string {
  return `${kind} ${id}`
}

/** One that waits longer gives up: no request waits for ever, whatever the others do. */
const LONGEST_WAIT_MS = 10_000

export class Turns {
  readonly #longestWaitMs: number
  /** The turns that were taken at a document and have not ended: how many, and the end of the last one. */
  readonly #taken = new Map<string, { count: number; lastEnd: Promise<void> }>()

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs
  }

  /** Whether a writer waits for its turn at one of these documents. Who comes later must not overtake it. */
  isAwaited(documents: readonly Named[]): boolean {
    return this.#taken.size > 0 && documents.some((document) => (this.#taken.get(keyOf(document))?.count ?? 0) > 1)
  }

  /**
   * Waits until every turn has ended that was taken earlier at one of these documents. Returns the function that ends
   * this one, or undefined if that took too long. It is taken at all documents at once, so that no two wait for each other.
   */
  async take(documents: readonly Named[]): Promise<(() => void) | undefined> {
    const keys = new Set(documents.map(keyOf))
    const { promise: lastEnd, resolve } = Promise.withResolvers<void>()
    const earlier: Promise<void>[] = []
    for (const key of keys) {
      const before = this.#taken.get(key)
      if (before !== undefined) earlier.push(before.lastEnd)
      this.#taken.set(key, { count: (before?.count ?? 0) + 1, lastEnd })
    }
    const end = (): void => {
      for (const key of keys) this.#end(key)
      resolve()
    }
    if (earlier.length === 0) return end
    const allEnded = Promise.all(earlier)
    if (await this.#isInTime(allEnded)) return end
    void allEnded.then(end)
    return undefined
  }

  #end(key: string): void {
    const taken = this.#taken.get(key)
    if (taken !== undefined && --taken.count === 0) this.#taken.delete(key)
  }

  async #isInTime(promise: Promise<unknown>): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>()
    const timer = setTimeout(resolve, this.#longestWaitMs, false)
    try {
      return await Promise.race([promise.then(() => true), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
