/** Runs writes side by side, and waits out a database that is away for a moment. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../../kernel/refusal.ts'

/** Enough that a commit contains many objects; few enough that their drafts need little memory. */
const AT_ONCE = 256
const MOST_TRIES = 20
const LONGEST_PAUSE_MS = 2_000

/** Waits out a database that is away or busy for a moment. */
export async function patiently<Value>(act: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (!isTemporary(error) || tries === MOST_TRIES) throw error
      await sleep(Math.min(LONGEST_PAUSE_MS, 25 * 2 ** tries))
    }
  }
}

/** Work of which many run at once. The first error is thrown by the next call. */
export function openRunners() {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  const check = () => {
    if (failure !== undefined) throw failure.error
  }
  return {
    async start(act: () => Promise<void>): Promise<void> {
      while (running.size >= AT_ONCE) await Promise.race(running)
      check()
      const one: Promise<void> = act()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(one))
      running.add(one)
    },
    async all(): Promise<void> {
      await Promise.all(running)
      check()
    },
  }
}
