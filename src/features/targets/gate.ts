/**
 * How many calls of one target run at once, and whether it is called at all. A target that is dead or slow costs its own
 * callers their time, and nobody else anything: no queue forms before it, each organization and each of its users has a share
 * of the calls, and after some failures the target is left alone.
 */
import { type Owners, Places } from '../../kernel/share.ts'
import { perApp } from '../../module/app.ts'
import { TargetFailed } from './failure.ts'

/** Calls of one target that this process waits for at once: half of them for one organization, a quarter for one user. */
export const MOST_AT_ONCE = 256
/** After this many failures in a row, nothing is sent for a while. */
export const MOST_FAILURES = 10
export const PAUSE_MS = 10_000

interface TargetState {
  readonly places: Places
  failures: number
  /** Nothing is sent before; on the clock of `performance`. */
  closedUntil: number
}

/** The gates of this process, by target. Only targets that are used now or have failed are in it. */
export class Gates {
  readonly #states = new Map<string, TargetState>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get size(): number {
    return this.#states.size
  }

  /** How many targets fail: still called, and left alone. */
  states(): { readonly failing: number; readonly open: number } {
    const failing = [...this.#states.values()].filter(({ failures }) => failures > 0)
    const open = failing.filter(({ closedUntil }) => closedUntil > this.#now()).length
    return { failing: failing.length - open, open }
  }

  /** Runs a call, unless its owners have their share already or the target has failed too often. */
  async pass<Answer>(id: string, owners: Owners, call: () => Promise<Answer>): Promise<Answer> {
    const state = this.#states.get(id) ?? { places: new Places(MOST_AT_ONCE), failures: 0, closedUntil: 0 }
    if (state.closedUntil > this.#now()) throw notCalled('it has failed too often')
    const leave = state.places.take(...owners)
    if (leave === undefined) throw notCalled('it is busy')
    // After a pause, one call tries it, and the others wait for what becomes of that.
    if (state.failures >= MOST_FAILURES) state.closedUntil = this.#now() + PAUSE_MS
    this.#states.set(id, state)
    try {
      const answer = await call()
      state.failures = 0
      state.closedUntil = 0
      return answer
    } catch (error) {
      if (isUnreachable(error) && ++state.failures >= MOST_FAILURES) state.closedUntil = this.#now() + PAUSE_MS
      throw error
    } finally {
      leave()
      if (state.places.taken === 0 && state.failures === 0) this.#states.delete(id)
    }
  }
}

function notCalled(why: string): TargetFailed {
  return new TargetFailed('unknown', `was not called: ${why}`, { isSkipped: true })
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TargetFailed && error.isUnreachable
}

export const gatesOf = perApp(() => new Gates())
