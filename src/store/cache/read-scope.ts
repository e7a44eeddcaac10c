/**
 * What the reads of one request must see: everything that was acknowledged before the request arrived, and its own
 * commits. An engine that has to ask the database whether its cache is valid asks once per request, not once per read.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A request that lasts longer than this asks again. */
const LONGEST_MS = 1_000

class ReadScope {
  /** When the request arrived, on the clock of `performance.now()`; moved forward when it must see more. */
  began = performance.now()
  /** The sequence of its last commit. */
  sequence = 0
}

const scopes = new AsyncLocalStorage<ReadScope>()

/** Runs a request; its reads may share one validation. */
export function asOneRequest<Value>(run: () => Value): Value {
  return scopes.run(new ReadScope(), run)
}

/** Whether the reads of the current request may use what was valid at this time and up to this sequence. */
export function isRecentEnough(validAt: number, sequence: number): boolean {
  const scope = scopes.getStore()
  if (scope === undefined || validAt < scope.began || sequence < scope.sequence) return false
  return performance.now() - validAt < LONGEST_MS
}

/** The current request has committed up to `sequence`. */
export function sawCommit(sequence: number): void {
  const scope = scopes.getStore()
  if (scope !== undefined && sequence > scope.sequence) scope.sequence = sequence
}

/** A commit of the current request was refused because of something it has not seen: it must read anew. */
export function sawConflict(): void {
  const scope = scopes.getStore()
  if (scope !== undefined) scope.began = performance.now()
}
