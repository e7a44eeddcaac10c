/** What errors of SQLite mean: a passing problem of the disk, a lock or the memory, or a fault of the program. */
import { type Refused, refused } from '../../kernel/refusal.ts'
import { storeRefusals } from '../refusals.ts'

/** An error as a thread reports it. `code` is SQLite's extended result code, when SQLite raised the error. */
export interface Failure {
  readonly type: 'failed'
  readonly message: string
  readonly code: number | undefined
}

// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN.
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14])

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode
  return typeof code === 'number' ? code : undefined
}

/** Describes an error for the main thread; an error object would lose its code on the way. */
export function describeFailure(error: unknown): Failure {
  return { type: 'failed', message: error instanceof Error ? error.message : String(error), code: codeOf(error) }
}

/** The refusal that callers get; SQLite's error is its cause, for the log. */
export function unavailable(cause: unknown): Refused {
  return Object.assign(refused(storeRefusals, 'store.unavailable', { retryAfterSeconds: 1 }), { cause })
}

/** What to throw instead of an error of SQLite: `store.unavailable` for a passing problem, else the error itself. */
export function translateError(error: unknown, code = codeOf(error)): unknown {
  return code !== undefined && PASSING.has(code & 0xff) ? unavailable(error) : error
}

/** As above, for an error that a thread reported. */
export function translateFailure({ message, code }: Failure): Error {
  return translateError(new Error(message), code) as Error
}
