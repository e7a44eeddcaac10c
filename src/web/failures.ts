/** What pages make of a refusal of a room: few words, so that they tell nobody apart. A fault stays one. */
import { Refused } from '../kernel/refusal.ts'
import type { Failure } from './sign-in-ports.ts'

const GONE: ReadonlySet<string> = new Set([
  'session.not_found',
  'session.ended',
  'session.expired',
  'session.token_invalid',
])

/** Why nothing can be asked of a key here. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['passkey.none', 'passkey.domain_not_allowed'])

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Refused)) throw error
  const { code, kind, retryAfterSeconds } = error
  if (code === 'password.busy' || kind === 'unavailable' || kind === 'aborted') return { outcome: 'busy' }
  if (kind === 'exhausted') return { outcome: 'throttled', retryAfterSeconds: retryAfterSeconds ?? 60 }
  return { outcome: GONE.has(code) ? 'gone' : 'refused' }
}

/** The same where a key was asked for. */
export function keyFailureOf(error: unknown): Failure | { readonly outcome: 'unavailable' } {
  return error instanceof Refused && UNAVAILABLE.has(error.code) ? { outcome: 'unavailable' } : failureOf(error)
}

/** The same for those who are not signed in: that there was too much of something would tell that somebody is there. */
export function strangersFailureOf(error: unknown): Failure | { readonly outcome: 'unavailable' } {
  const failure = keyFailureOf(error)
  return failure.outcome === 'throttled' ? { outcome: 'refused' } : failure
}
