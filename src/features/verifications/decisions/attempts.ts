/**
 * The rules of wrong attempts: wrong secrets of one user are counted together, regardless of the type of secret and the
 * typed name. After five in a row, each next attempt has to wait; at a limit, the user is locked. Pure.
 */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { AttemptsEvent, SecretPath } from '../events.ts'
import type { VerificationRefusal } from '../refusals.ts'

/** Wrong attempts after which a code becomes invalid, regardless of its remaining lifetime. */
export const TRIES_OF_A_CODE = 5

const FAILURES_A_STEP = 5
const STEP_MILLISECONDS = 1000
const LONGEST_WAIT_MILLISECONDS = 10_000

export interface Attempts {
  readonly isRemoved: boolean
  /** Wrong secrets since the last right one. */
  readonly failures: number
  readonly lastFailedAt: Instant
  /** Wrong attempts at the newest code of each purpose. A right password does not reset them. */
  readonly codes: Readonly<Partial<Record<SecretPath, { readonly issue: number; readonly failures: number }>>>
}

export type AttemptsCommand =
  | {
      readonly type: 'try'
      readonly path: SecretPath
      /** Evidence gathered before deciding. */
      readonly matches: boolean
      /** Which code of that purpose was compared. */
      readonly issue?: number
      /** How many failures in a row lock this kind of secret. */
      readonly most: number
      readonly at: Instant
    }
  | { readonly type: 'unlock' }
  | { readonly type: 'remove' }

/**
 * The time from which the next attempt is compared: 1 s after five failures, 1 s more for every further five, at most
 * 10 s.
 */
export function nextTryAt({ failures, lastFailedAt }: Attempts): Instant {
  const wait = Math.floor(failures / FAILURES_A_STEP) * STEP_MILLISECONDS
  return instant(lastFailedAt + Math.min(wait, LONGEST_WAIT_MILLISECONDS))
}

/** Why a secret is not compared at all; undefined when it is. */
export function attemptPrecondition(
  state: Attempts,
  { path, issue, most, at }: { path: SecretPath; issue?: number; most: number; at: Instant },
): VerificationRefusal | undefined {
  if (state.failures >= most) return 'attempts.locked'
  if (at < nextTryAt(state)) return 'attempts.too_many'
  const code = state.codes[path]
  const isEnded = issue !== undefined && code?.issue === issue && code.failures >= TRIES_OF_A_CODE
  return isEnded ? 'verification.code_invalid' : undefined
}

function countCode({ codes }: Attempts, path: SecretPath, issue: number): Attempts['codes'] {
  const before = codes[path]
  return { ...codes, [path]: { issue, failures: (before?.issue === issue ? before.failures : 0) + 1 } }
}

export const NO_ATTEMPTS: Attempts = { isRemoved: false, failures: 0, lastFailedAt: instant(0), codes: {} }

export const attemptsDecider: Decider<AttemptsCommand, Attempts, AttemptsEvent, VerificationRefusal> = {
  initial: NO_ATTEMPTS,

  evolve(state, event) {
    switch (event.type) {
      case 'attempts.failed.v1': {
        const { path, issue, failedAt } = event.data
        const codes = issue === undefined ? state.codes : countCode(state, path, issue)
        return { ...state, failures: state.failures + 1, lastFailedAt: failedAt, codes }
      }
      case 'attempts.cleared.v1':
        return { ...state, failures: 0, lastFailedAt: instant(0) }
      case 'attempts.removed.v1':
        return { ...NO_ATTEMPTS, isRemoved: true }
    }
  },

  decide(command, state) {
    if (state.isRemoved) return refuse('verification.removed')
    switch (command.type) {
      case 'try': {
        const refusal = attemptPrecondition(state, command)
        if (refusal !== undefined) return refuse(refusal)
        const { path, issue, matches, at } = command
        if (matches) {
          return state.failures === 0 ? accept() : accept({ type: 'attempts.cleared.v1', data: { reason: 'success' } })
        }
        const data = { path, ...(issue !== undefined && { issue }), failedAt: at }
        const wrong = path === 'password' ? 'password.wrong' : 'verification.code_invalid'
        return refuse(wrong, { type: 'attempts.failed.v1', data })
      }
      case 'unlock':
        return state.failures === 0 ? accept() : accept({ type: 'attempts.cleared.v1', data: { reason: 'unlocked' } })
      case 'remove':
        return accept({ type: 'attempts.removed.v1', data: {} })
    }
  },
}
