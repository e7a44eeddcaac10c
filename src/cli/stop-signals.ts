/** Signals that ask the process to stop, from its first moment on. */

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

type Receive = (signal: NodeJS.Signals) => void

let receive: Receive = () => process.exit(0)

/** Stays permanently: a signal that has arrived when its listener is replaced would be lost. */
function dispatch(signal: NodeJS.Signals): void {
  receive(signal)
}

/**
 * Until the server is ready nothing is in flight, and whatever it was writing is all or nothing: a signal ends it at
 * once, and being told to stop is not a failure.
 */
export function endOnEarlySignals(): void {
  for (const signal of SIGNALS) process.on(signal, dispatch)
}

/** From now on, this receives the signals. */
export function receiveSignals(next: Receive): void {
  receive = next
  for (const signal of SIGNALS) if (!process.listeners(signal).includes(dispatch)) process.on(signal, dispatch)
}
