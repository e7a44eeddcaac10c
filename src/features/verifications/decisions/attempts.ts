/**
 * The rules of wrong attempts. Each factor of a user has a count of its own, whatever name was typed: a right password
 * does not reset the count of wrong codes. From the fifth failure in a row each next try has to wait. From a limit on
 * every failure locks the factor for a time that doubles. Pure.
 */
import { accept, type Decider, type Decision, refuse } from '../../../kernel/decider.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { MOST_CODES } from '../decider.ts'
import type { AttemptsEvent, Factor, SecretPath } from '../events.ts'
import type { VerificationRefusal } from '../refusals.ts'

/** Wrong attempts after which a code becomes invalid, regardless of its remaining lifetime. */
export const TRIES_OF_A_CODE = 5

const FAILURES_A_STEP = 5
const STEP_MILLISECONDS = 1000
const LONGEST_WAIT_MILLISECONDS = 10_000

/** How long the first lock of a factor lasts. */
export const FIRST_LOCK_MILLISECONDS = 60_000
export const LONGEST_LOCK_MILLISECONDS = 24 * 3_600_000
/** From this many failures on every lock is the longest (SP 800-63B-4, 3.2.2). */
const FAILURES_OF_LONGEST_LOCK = 100

const FACTORS: Readonly<Record<SecretPath, Factor>> = {
  password: 'password',
  totp: 'totp',
  recovery_code: 'recovery_code',
  otp_sms: 'otp',
  otp_email: 'otp',
  email: 'sent_code',
  phone: 'sent_code',
  invite: 'sent_code',
  password_reset: 'sent_code',
  passkey: 'sent_code',
  email_change: 'sent_code',
  phone_change: 'sent_code',
}

/** The factor that a kind of secret belongs to. */
function factorOf(path: SecretPath): Factor {
  return FACTORS[path]
}

/** The count of one factor. */
export interface FactorCount {
  /** Wrong secrets since the last right one. */
  readonly failures: number
  readonly lastFailedAt: Instant
  /** Until when nothing is compared; 0: never locked since the count began. */
  readonly lockedUntil: Instant
}

export interface Attempts {
  readonly isRemoved: boolean
  readonly counts: Readonly<Partial<Record<Factor, FactorCount>>>
  /** Wrong tries at the latest codes of each purpose. They end the code and are never reset. */
  readonly codes: Readonly<Partial<Record<SecretPath, readonly CodeTries[]>>>
  /** When the longest lock of any factor ends, for searching; absent if none was locked since its count began. */
  readonly lockedUntil?: Instant
}

/** Wrong tries at one code. */
interface CodeTries {
  readonly issue: number
  readonly failures: number
}

/** One try, as far as it matters whether it is compared. */
export interface Attempt {
  readonly path: SecretPath
  /** Which code of that purpose was compared. */
  readonly issue?: number
  /** How many failures in a row begin the first lock of this factor. */
  readonly most: number
  readonly at: Instant
}

export type AttemptsCommand =
  /** `matches` is evidence gathered before deciding. */
  | ({ readonly type: 'try'; readonly matches: boolean } & Attempt)
  /** Without a factor: an administrator unlocks the user. With one: what it compares was replaced. */
  | { readonly type: 'unlock'; readonly factor?: Factor }
  | { readonly type: 'remove' }

const NO_FAILURES: FactorCount = { failures: 0, lastFailedAt: instant(0), lockedUntil: instant(0) }

export const NO_ATTEMPTS: Attempts = { isRemoved: false, counts: {}, codes: {} }

export function countOf({ counts }: Attempts, path: SecretPath): FactorCount {
  return counts[factorOf(path)] ?? NO_FAILURES
}

/** Wrong secrets of all factors together. */
export function countFailures({ counts }: Attempts): number {
  return Object.values(counts).reduce((sum, { failures }) => sum + failures, 0)
}

/** Whether any factor is locked at this time. */
export function isLockedAt({ lockedUntil }: Attempts, at: Instant): boolean {
  return lockedUntil !== undefined && at < lockedUntil
}

/** The time from which the next try is compared: 1 s after five failures, 1 s more with every five, 10 s at most. */
export function nextTryAt({ failures, lastFailedAt }: Omit<FactorCount, 'lockedUntil'>): Instant {
  const wait = Math.floor(failures / FAILURES_A_STEP) * STEP_MILLISECONDS
  return instant(lastFailedAt + Math.min(wait, LONGEST_WAIT_MILLISECONDS))
}

/**
 * Until when the failure of a try locks its factor; undefined when it does not. Codes that were sent to their owner never
 * lock: each ends after five wrong tries and few are sent in an hour, and they are the owner's way back in.
 */
export function lockAfter(state: Attempts, { path, most, at }: Attempt): Instant | undefined {
  const failures = countOf(state, path).failures + 1
  if (factorOf(path) === 'sent_code' || failures < most) return undefined
  if (failures >= FAILURES_OF_LONGEST_LOCK) return instant(at + LONGEST_LOCK_MILLISECONDS)
  return instant(at + Math.min(FIRST_LOCK_MILLISECONDS * 2 ** (failures - most), LONGEST_LOCK_MILLISECONDS))
}

function triesOf({ codes }: Attempts, path: SecretPath, issue: number): number {
  return codes[path]?.find((code) => code.issue === issue)?.failures ?? 0
}

/** Why a secret is not compared at all; undefined when it is. */
export function attemptPrecondition(state: Attempts, { path, issue, at }: Attempt): VerificationRefusal | undefined {
  const count = countOf(state, path)
  if (at < count.lockedUntil) return 'attempts.locked'
  if (at < nextTryAt(count)) return 'attempts.too_many'
  const isEnded = issue !== undefined && triesOf(state, path, issue) >= TRIES_OF_A_CODE
  return isEnded ? 'verification.code_invalid' : undefined
}

function countCode(state: Attempts, path: SecretPath, issue: number): Attempts['codes'] {
  const others = (state.codes[path] ?? []).filter((code) => code.issue !== issue)
  const counted = { issue, failures: triesOf(state, path, issue) + 1 }
  const newestLast = [...others, counted].sort((one, other) => one.issue - other.issue)
  return { ...state.codes, [path]: newestLast.slice(-MOST_CODES) }
}

function without({ counts }: Attempts, factor: Factor): Attempts['counts'] {
  const { [factor]: _, ...rest } = counts
  return rest
}

function withLock(state: Attempts): Attempts {
  const { lockedUntil: _, ...rest } = state
  const lockedUntil = instant(Math.max(0, ...Object.values(state.counts).map((count) => count.lockedUntil)))
  return lockedUntil === 0 ? rest : { ...rest, lockedUntil }
}

function count(state: Attempts, event: AttemptsEvent): Attempts {
  switch (event.type) {
    case 'attempts.failed.v1': {
      const { path, issue, failedAt } = event.data
      const before = countOf(state, path)
      const codes = issue === undefined ? state.codes : countCode(state, path, issue)
      const after = { ...before, failures: before.failures + 1, lastFailedAt: failedAt }
      return { ...state, counts: { ...state.counts, [factorOf(path)]: after }, codes }
    }
    case 'attempts.factor_locked.v1': {
      const { factor, until } = event.data
      const after = { ...(state.counts[factor] ?? NO_FAILURES), lockedUntil: until }
      return { ...state, counts: { ...state.counts, [factor]: after } }
    }
    case 'attempts.factor_cleared.v1':
      return { ...state, counts: without(state, event.data.factor) }
    case 'attempts.cleared.v1':
      return { ...state, counts: {} }
    case 'attempts.removed.v1':
      return { ...NO_ATTEMPTS, isRemoved: true }
  }
}

type AttemptsDecision = Decision<AttemptsEvent, VerificationRefusal>

function clear(state: Attempts, factor: Factor, reason: 'success' | 'replaced'): AttemptsDecision {
  if (state.counts[factor] === undefined) return accept()
  return accept({ type: 'attempts.factor_cleared.v1', data: { factor, reason } })
}

export const attemptsDecider: Decider<AttemptsCommand, Attempts, AttemptsEvent, VerificationRefusal> = {
  initial: NO_ATTEMPTS,

  evolve: (state, event) => withLock(count(state, event)),

  decide(command, state) {
    if (state.isRemoved) return refuse('verification.removed')
    switch (command.type) {
      case 'try': {
        const refusal = attemptPrecondition(state, command)
        if (refusal !== undefined) return refuse(refusal)
        const { path, issue, matches, at } = command
        const factor = factorOf(path)
        if (matches) return clear(state, factor, 'success')
        const failed: AttemptsEvent = {
          type: 'attempts.failed.v1',
          data: { path, ...(issue !== undefined && { issue }), failedAt: at },
        }
        const until = lockAfter(state, command)
        const locked: readonly AttemptsEvent[] =
          until === undefined ? [] : [{ type: 'attempts.factor_locked.v1', data: { factor, until } }]
        return refuse(path === 'password' ? 'password.wrong' : 'verification.code_invalid', failed, ...locked)
      }
      case 'unlock': {
        if (command.factor !== undefined) return clear(state, command.factor, 'replaced')
        const isEmpty = Object.keys(state.counts).length === 0
        return isEmpty ? accept() : accept({ type: 'attempts.cleared.v1', data: { reason: 'unlocked' } })
      }
      case 'remove':
        return accept({ type: 'attempts.removed.v1', data: {} })
    }
  },
}
