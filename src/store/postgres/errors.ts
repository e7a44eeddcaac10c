/** What the driver's errors mean: whether the connection is lost, whether the statement was rolled back, what to throw. */
import pg from 'pg'
import { Refused, refused } from '../../kernel/refusal.ts'
import { FoldFailed } from '../fold.ts'
import { NodeOutdated } from '../outdated.ts'
import { storeRefusals } from '../refusals.ts'

/** SQLSTATE of an error that the server itself sent; undefined for everything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** A pooler, or a distributed engine, lost its own connection (class 08), or does not know what became of the statement. */
const UNKNOWN = /^(08|40003$)/

/**
 * Whether the server answered that the statement was rolled back. Any other error leaves open whether it was executed: a
 * FATAL may come after the commit, a broken connection says nothing, and behind the server can be another one.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !UNKNOWN.test(error.code ?? '')
}

/** Whether the connection is broken or its server has become read-only (25006): close it and connect again. */
export function isLost(error: unknown): boolean {
  if (error instanceof Refused || error instanceof TypeError || error instanceof RangeError) return false
  if (error instanceof FoldFailed || error instanceof NodeOutdated) return false
  return !isRolledBack(error) || sqlState(error) === '25006'
}

/** Whether another try cannot help: wrong password, no such user or database, an invalid URL. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof TypeError) return true
  const state = sqlState(error)
  return state !== undefined && (state.startsWith('28') || state === '3D000' || state === '42501')
}

// Serialization and deadlock, out of disk, memory or connections, cancelled or timed out, locked, not migrated yet.
const PASSING = /^(40|53|57|58)|^(55P03|42P01|42883|25006)$/

/** The refusal that callers get; the driver's error is its cause, for the log. */
export function unavailable(cause: unknown): Refused {
  return Object.assign(refused(storeRefusals, 'store.unavailable'), { cause })
}

/** What to throw instead of a driver's error: `store.unavailable` for a passing problem, else a fault with its cause. */
export function translateError(error: unknown): Error {
  if (error instanceof Refused || error instanceof FoldFailed) return error
  if (error instanceof NodeOutdated) return unavailable(error)
  const state = sqlState(error)
  if (isLost(error) || (state !== undefined && PASSING.test(state))) return unavailable(error)
  return new Error(`PostgreSQL refused a statement (${state ?? 'no code'})`, { cause: error })
}
