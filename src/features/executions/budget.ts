/** How long the targets of one request may take together. */
import type { App } from '../../module/app.ts'

/** Ends when nobody waits any more, or when the request has waited as long as any may. */
export function budgetOf({ config }: App, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(config.longestWaitMs)
  return signal === undefined ? limit : AbortSignal.any([signal, limit])
}
