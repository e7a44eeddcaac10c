/** Whether the server can be reached, as the last request found. */
import { useSyncExternalStore } from 'react'

let isLost = false
const listeners = new Set<() => void>()

/** Told by the transport after each request. */
export function setConnectionLost(lost: boolean): void {
  if (lost === isLost) return
  isLost = lost
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the last request could not reach the server. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost)
}
