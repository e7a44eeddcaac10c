/** Whether this process accepts calls. The probes and the health service give the same answer. */
import { keepFor } from '../../kernel/keep-for.ts'

export type Readiness = 'ready' | 'stopping' | 'unreachable'

/** How long the store may take to answer before the server counts as not ready. */
const PING_MS = 2_000

/** Anybody may ask, and is not refused when the server is overloaded: the store is asked once for all of them. */
const KEPT_MS = 100

async function answersInTime(ping: () => Promise<void>): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), PING_MS)
  try {
    await Promise.race([ping(), late])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What it returns never rejects and never waits long. `ping` throws when the store cannot be reached or is not migrated;
 * `isDraining` tells whether the server is about to stop.
 */
export function openReadiness(ping: () => Promise<void>, isDraining: () => boolean): () => Promise<Readiness> {
  const isReachable = keepFor(KEPT_MS, () => answersInTime(ping))
  return async () => {
    if (isDraining()) return 'stopping'
    return (await isReachable()) ? 'ready' : 'unreachable'
  }
}
