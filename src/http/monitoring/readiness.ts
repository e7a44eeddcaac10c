/** Whether this process accepts calls. The probes and the health service give the same answer. */

export type Readiness = 'ready' | 'stopping' | 'unreachable'

/** How long the store may take to answer before the server counts as not ready. */
const PING_MS = 2_000

/**
 * Checks readiness once. Never throws and never waits long. `ping` throws when the store cannot be reached or is not
 * migrated; `isDraining` tells whether the server is about to stop.
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
