/** The rules of codes: each is valid for one purpose, once, until it expires. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { isCurrent } from '../../kernel/generations.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { CodeGenerations, VerificationEvent } from './events.ts'
import type { VerificationRefusal } from './refusals.ts'

/**
 * Codes for one user and purpose per hour, used or not, so that mailboxes are not flooded and guessing does not start
 * over.
 */
export const MOST_CODES = 10

const WINDOW_MILLISECONDS = 3_600_000

/** A code that was issued and is neither used nor replaced. */
export interface OpenCode {
  /** Its number among the codes of this user and purpose, so that failures with one do not count for another. */
  readonly issue: number
  readonly target: string
  readonly expiresAt: Instant
  readonly isMailed?: true
  readonly generations?: CodeGenerations
  readonly secret: { readonly hash: string }
}

export interface Verification {
  readonly isRemoved: boolean
  /** Counts the codes of this user and purpose. */
  readonly issue: number
  /** When the latest codes were issued, oldest first; only as many as the limit needs. */
  readonly issuedAt: readonly Instant[]
  /** Oldest first. Links can be open side by side; of other codes, there is one. Some may have expired. */
  readonly open: readonly OpenCode[]
}

/** When a code is shown, and how often by then what ends it has happened. */
export interface Moment {
  readonly at: Instant
  readonly now: CodeGenerations
}

export type VerificationCommand =
  | {
      readonly type: 'issue'
      /** Earlier codes stay valid. */
      readonly keepsOthers?: boolean
      readonly target: string
      readonly at: Instant
      readonly expiresAt: Instant
      /** Only the mailbox of the target gets it. */
      readonly isMailed?: boolean
      readonly generations: CodeGenerations
      readonly hash: string
    }
  /** The code of this issue matched. This decides whether it is still valid. */
  | ({ readonly type: 'use'; readonly issue: number; readonly target: string } & Moment)
  | { readonly type: 'cancel' }
  | { readonly type: 'remove' }

/** The codes that are valid now, oldest first. Their expiration is fixed when they are issued. */
export function validCodes({ open }: Verification, { at, now }: Moment): readonly OpenCode[] {
  return open.filter(({ expiresAt, generations }) => at < expiresAt && isCurrent(now, generations))
}

/** The code for this target that is valid now. */
export function openCodeFor(state: Verification, target: string, moment: Moment): OpenCode | undefined {
  return validCodes(state, moment).find((code) => code.target === target)
}

/** The time from which another code can be issued. */
export function nextIssueAt({ issuedAt }: Verification): Instant {
  const oldest = issuedAt.length < MOST_CODES ? undefined : issuedAt[0]
  return instant(oldest === undefined ? 0 : oldest + WINDOW_MILLISECONDS)
}

export const verification: Decider<VerificationCommand, Verification, VerificationEvent, VerificationRefusal> = {
  initial: { isRemoved: false, issue: 0, issuedAt: [], open: [] },

  evolve(state, event) {
    switch (event.type) {
      case 'verification.issued.v1':
      case 'verification.added.v1': {
        const { issuedAt: at, ...data } = event.data
        const issue = state.issue + 1
        const others = event.type === 'verification.added.v1' ? state.open : []
        const issuedAt = [...state.issuedAt, at].slice(-MOST_CODES)
        return { ...state, issue, issuedAt, open: [...others, { issue, ...data }].slice(-MOST_CODES) }
      }
      case 'verification.code_used.v1':
        return { ...state, open: state.open.filter(({ issue }) => issue !== event.data.issue) }
      case 'verification.used.v1':
      case 'verification.cancelled.v1':
        return { ...state, open: [] }
      case 'verification.removed.v1':
        return { isRemoved: true, issue: state.issue, issuedAt: [], open: [] }
    }
  },

  decide(command, state) {
    if (state.isRemoved) return refuse('verification.removed')
    switch (command.type) {
      case 'issue': {
        const { target, at, expiresAt, generations, hash } = command
        if (at < nextIssueAt(state)) return refuse('verification.too_many')
        const mailed = command.isMailed === true ? { isMailed: true as const } : {}
        const data = { target, issuedAt: at, expiresAt, ...mailed, generations, secret: { hash } }
        const type = command.keepsOthers === true ? 'verification.added.v1' : 'verification.issued.v1'
        return accept({ type, data })
      }
      case 'use': {
        const { issue, target } = command
        if (openCodeFor(state, target, command)?.issue !== issue) return refuse('verification.code_invalid')
        return state.open.length === 1
          ? accept({ type: 'verification.used.v1', data: {} })
          : accept({ type: 'verification.code_used.v1', data: { issue } })
      }
      case 'cancel':
        return state.open.length > 0 ? accept({ type: 'verification.cancelled.v1', data: {} }) : accept()
      case 'remove':
        return accept({ type: 'verification.removed.v1', data: {} })
    }
  },
}
