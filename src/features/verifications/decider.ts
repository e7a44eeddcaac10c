/** The rules of codes: each is valid for one purpose, once, until it expires. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { VerificationEvent } from './events.ts'
import type { VerificationRefusal } from './refusals.ts'

/**
 * Codes for one user and purpose per hour, used or not, so that mailboxes are not flooded and guessing does not start
 * over.
 */
export const MOST_CODES = 10

const WINDOW_MILLISECONDS = 3_600_000

interface Issues {
  /** Counts the codes of this user and purpose, so that failures with one code do not count for the next. */
  readonly issue: number
  /** When the latest codes were issued, oldest first; only as many as the limit needs. */
  readonly issuedAt: readonly Instant[]
}

export type Verification = Issues &
  (
    | { readonly status: 'none' | 'used' | 'cancelled' | 'removed' }
    | {
        readonly status: 'open'
        readonly target: string
        readonly expiresAt: Instant
        readonly secret: { readonly hash: string }
      }
  )

export type VerificationCommand =
  | {
      readonly type: 'issue'
      readonly target: string
      readonly at: Instant
      readonly expiresAt: Instant
      readonly hash: string
    }
  /** The code of this issue matched. This decides whether it is still valid. */
  | { readonly type: 'use'; readonly issue: number; readonly target: string; readonly at: Instant }
  | { readonly type: 'cancel' }
  | { readonly type: 'remove' }

/** Whether a code for this target is valid now. Its expiration is fixed when it is issued. */
export function isOpenFor(
  state: Verification,
  target: string,
  at: Instant,
): state is Extract<Verification, { status: 'open' }> {
  return state.status === 'open' && state.target === target && at < state.expiresAt
}

/** The time from which another code can be issued. */
export function nextIssueAt({ issuedAt }: Verification): Instant {
  const oldest = issuedAt.length < MOST_CODES ? undefined : issuedAt[0]
  return instant(oldest === undefined ? 0 : oldest + WINDOW_MILLISECONDS)
}

export const verification: Decider<VerificationCommand, Verification, VerificationEvent, VerificationRefusal> = {
  initial: { status: 'none', issue: 0, issuedAt: [] },

  evolve({ issue, issuedAt }, event) {
    switch (event.type) {
      case 'verification.issued.v1': {
        const { issuedAt: at, ...code } = event.data
        return { status: 'open', issue: issue + 1, issuedAt: [...issuedAt, at].slice(-MOST_CODES), ...code }
      }
      case 'verification.used.v1':
        return { status: 'used', issue, issuedAt }
      case 'verification.cancelled.v1':
        return { status: 'cancelled', issue, issuedAt }
      case 'verification.removed.v1':
        return { status: 'removed', issue, issuedAt: [] }
    }
  },

  decide(command, state) {
    if (state.status === 'removed') return refuse('verification.removed')
    switch (command.type) {
      case 'issue': {
        const { target, at, expiresAt, hash } = command
        if (at < nextIssueAt(state)) return refuse('verification.too_many')
        const data = { target, issuedAt: at, expiresAt, secret: { hash } }
        return accept({ type: 'verification.issued.v1', data })
      }
      case 'use':
        return isOpenFor(state, command.target, command.at) && state.issue === command.issue
          ? accept({ type: 'verification.used.v1', data: {} })
          : refuse('verification.code_invalid')
      case 'cancel':
        return state.status === 'open' ? accept({ type: 'verification.cancelled.v1', data: {} }) : accept()
      case 'remove':
        return accept({ type: 'verification.removed.v1', data: {} })
    }
  },
}
