/** Whether this process takes calls; the probes and the health service give the same answer. */

export type Readiness = 'ready' | 'stopping' | 'unreachable'

/** How long the store may take to answer before the server counts as not ready. */
const PING_MS = 2_000

/**
 * Looks once; never throws, and never waits for long. `ping` throws when the store cannot be reached or is not migrated;
 * `isDraining` tells whether the server is about to stop.
 */
export async function readReadiness(ping: () => Promise<void>, isDraining: () => boolean): Promise<Readiness> {
  if (isDraining()) return 'stopping'
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), PING_MS)
  try {
    await Promise.race([ping(), late])
    return 'ready'
  } catch {
    return 'unreachable'
  } finally {
    clearTimeout(timer)
  }
}
