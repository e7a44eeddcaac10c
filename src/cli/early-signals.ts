/** Signals that come before the server is ready. */

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

function end(): void {
  process.exit(0)
}

/**
 * Until the server is ready nothing is in flight, and whatever it was writing is all or nothing: a signal ends it at
 * once, and being told to stop is not a failure.
 */
export function endOnEarlySignals(): void {
  for (const signal of SIGNALS) process.on(signal, end)
}

/** From now on, something else handles the signals. */
export function leaveEarlySignals(): void {
  for (const signal of SIGNALS) process.off(signal, end)
}
