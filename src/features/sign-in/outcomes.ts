/** The outcomes of steps for pages: few codes, so that they reveal nothing about users. Faults are thrown. */
import type { JsonObject } from '@bufbuild/protobuf'
import { isTemporary, Refused } from '../../kernel/refusal.ts'

/**
 * Why a step did not succeed. `refused`: wrong, used, expired, or of a user who cannot sign in; it never says which.
 * `gone`: the session no longer exists. `throttled`: not even checked.
 */
export type Failure =
  /** `managed`: only a directory changes it. */
  | { readonly outcome: 'refused' | 'busy' | 'gone' | 'managed' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }

/** There is no such key, or keys cannot be used at this address. */
export interface Unavailable {
  readonly outcome: 'unavailable'
}

export type Done = { readonly outcome: 'done' } | Failure

/** A token that replaces that of the browser. */
export interface Renewed {
  readonly outcome: 'done'
  readonly token: string
  readonly expiresAt: number
}

/** The options for the browser's passkey dialog. */
export interface Asked {
  readonly outcome: 'asked'
  readonly publicKey: JsonObject
}

const GONE: ReadonlySet<string> = new Set([
  'session.not_found',
  'session.ended',
  'session.expired',
  'session.token_invalid',
])

/** The reasons why no key can be requested here. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['passkey.none', 'passkey.domain_not_allowed'])

/** Converts a refusal to an outcome; throws all other errors again. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Refused)) throw error
  const { code, kind, retryAfterSeconds } = error
  if (kind === 'exhausted' && code !== 'password.busy') {
    return { outcome: 'throttled', retryAfterSeconds: retryAfterSeconds ?? 60 }
  }
  if (isTemporary(error)) return { outcome: 'busy' }
  if (code === 'user.managed') return { outcome: 'managed' }
  return { outcome: GONE.has(code) ? 'gone' : 'refused' }
}

/** What became of a request for a key. */
export function keyFailureOf(error: unknown): Failure | Unavailable {
  return error instanceof Refused && UNAVAILABLE.has(error.code) ? { outcome: 'unavailable' } : failureOf(error)
}

/** A failure for a visitor who is not signed in: `throttled` would reveal that the user exists. */
export function hideThrottling<Outcome extends Failure | Unavailable>(failure: Outcome) {
  return failure.outcome === 'throttled' ? ({ outcome: 'refused' } as const) : failure
}

/** Runs an action and returns its outcome. */
export async function attempt(act: () => Promise<unknown>): Promise<Done> {
  try {
    await act()
    return { outcome: 'done' }
  } catch (error) {
    return failureOf(error)
  }
}
