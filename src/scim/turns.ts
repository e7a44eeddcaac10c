/** How many requests of one caller are served at once. */
import { ScimError } from './errors.ts'
import { MAX_AT_ONCE } from './limits.ts'

/** Counts the requests of each caller that are being served. */
export class Turns {
  readonly #running = new Map<string, number>()

  async take<Value>(callerId: string, run: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(callerId) ?? 0
    if (running >= MAX_AT_ONCE) {
      throw new ScimError(429, `At most ${MAX_AT_ONCE} requests at once.`, undefined, { 'retry-after': '1' })
    }
    this.#running.set(callerId, running + 1)
    try {
      return await run()
    } finally {
      const left = (this.#running.get(callerId) ?? 1) - 1
      if (left === 0) this.#running.delete(callerId)
      else this.#running.set(callerId, left)
    }
  }
}
