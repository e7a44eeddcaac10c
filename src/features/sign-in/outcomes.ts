/** What pages are told about a step: few words, so that they do not tell users apart. Faults are thrown. */
import type { JsonObject } from '@bufbuild/protobuf'
import { Refused } from '../../kernel/refusal.ts'

/**
 * Why a step did not succeed. `refused`: wrong, used, expired, or of a user who cannot sign in; it never says which.
 * `gone`: the session no longer exists. `throttled`: not even checked.
 */
export type Failure =
  | { readonly outcome: 'refused' | 'busy' | 'gone' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }

/** There is no such key, or keys cannot be used at this address. */
export interface Unavailable {
  readonly outcome: 'unavailable'
}

export type Done = { readonly outcome: 'done' } | Failure

/** A token that replaces the one that the browser holds. */
export interface Renewed {
  readonly outcome: 'done'
  readonly token: string
  readonly expiresAt: number
}

/** What the browser's passkey dialog is opened with. */
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

/** Why no key can be asked for here. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['passkey.none', 'passkey.domain_not_allowed'])

/** A refusal as an outcome; every other error is thrown again. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Refused)) throw error
  const { code, kind, retryAfterSeconds } = error
  if (code === 'password.busy' || kind === 'unavailable' || kind === 'aborted') return { outcome: 'busy' }
  if (kind === 'exhausted') return { outcome: 'throttled', retryAfterSeconds: retryAfterSeconds ?? 60 }
  return { outcome: GONE.has(code) ? 'gone' : 'refused' }
}

/** The same where a key was asked for. */
export function keyFailureOf(error: unknown): Failure | Unavailable {
  return error instanceof Refused && UNAVAILABLE.has(error.code) ? { outcome: 'unavailable' } : failureOf(error)
}

/** A failure for a visitor who is not signed in: `throttled` would tell that there is such a user. */
export function hideThrottling<Outcome extends Failure | Unavailable>(failure: Outcome) {
  return failure.outcome === 'throttled' ? ({ outcome: 'refused' } as const) : failure
}

/** Does something and answers how it went. */
export async function attempt(act: () => Promise<unknown>): Promise<Done> {
  try {
    await act()
    return { outcome: 'done' }
  } catch (error) {
    return failureOf(error)
  }
}
