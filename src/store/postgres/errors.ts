/** What the driver's errors mean for us: is the connection lost, was the statement surely undone, what do callers hear. */
import pg from 'pg'
import { Refused, refused } from '../../kernel/refusal.ts'
import { storeRefusals } from '../refusals.ts'

/** SQLSTATE of an error that the server itself sent; undefined for everything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/**
 * The server answered, and the answer is that the statement was rolled back. Anything else leaves open whether it was
 * carried out: a FATAL may come after the commit, a broken connection says nothing at all.
 */
export function isSurelyUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

/** The connection is gone or no longer to a server that takes writes (25006): drop it and connect again. */
export function isLost(error: unknown): boolean {
  if (error instanceof Refused || error instanceof TypeError || error instanceof RangeError) return false
  return !isSurelyUndone(error) || sqlState(error) === '25006'
}

/** Wrong password, no such user or database, a URL that is none: trying again does not help. */
export function isHopeless(error: unknown): boolean {
  if (error instanceof TypeError) return true
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('28') || state === '3D000' || state === '42501')
}

// Serialization and deadlock, out of disk, memory or connections, cancelled or timed out, locked, not migrated yet.
const PASSING = /^(40|53|57|58)|^(55P03|42P01|42883|25006)$/

/** The refusal that callers get; the driver's error stays with it as its cause, for the log. */
export function unavailable(cause: unknown): Refused {
  return Object.assign(refused(storeRefusals, 'store.unavailable'), { cause })
}

/** What to throw instead of a driver's error: `store.unavailable` for all that may pass, else a fault with its cause. */
export function translateError(error: unknown): Error {
  if (error instanceof Refused) return error
  const state = sqlState(error)
  if (isLost(error) || (state !== undefined && PASSING.test(state))) return unavailable(error)
  return new Error(`PostgreSQL refused a statement (${state ?? 'no code'})`, { cause: error })
}
