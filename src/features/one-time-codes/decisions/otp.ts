/**
 * The rules of sent codes: only the newest code of a medium is valid, only once, and their number per hour is limited.
 * Pure.
 */
import { accept, type Decision, refuse } from '../../../kernel/decider.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { Medium, OneTimeCodesEvent } from '../events.ts'
import type { OneTimeCodeRefusal } from '../refusals.ts'

/** Codes for one user and medium per hour. Limits spam and the cost of text messages. */
export const MOST_OTPS = 10
const WINDOW_MILLISECONDS = 3_600_000

/** One medium of one user. */
export interface Otp {
  readonly isOn: boolean
  /** Counts the codes, so that failures with one code do not count for the next. */
  readonly issue: number
  /** Whether the newest code is unused. The session that requested it knows when it expires. */
  readonly isOpen: boolean
  /** When the latest codes were created, oldest first; only as many as the limit needs. */
  readonly issuedAt: readonly Instant[]
}

export type OtpCommand =
  | { readonly type: 'add_otp' | 'remove_otp'; readonly medium: Medium }
  | { readonly type: 'issue_otp'; readonly medium: Medium; readonly at: Instant }
  /** Evidence: the code of this issue was presented in time. */
  | { readonly type: 'use_otp'; readonly medium: Medium; readonly issue: number }

export const NO_OTP: Otp = { isOn: false, issue: 0, isOpen: false, issuedAt: [] }

/** The time from which another code can be created. */
export function nextOtpAt({ issuedAt }: Otp): Instant {
  const oldest = issuedAt.length < MOST_OTPS ? undefined : issuedAt[0]
  return instant(oldest === undefined ? 0 : oldest + WINDOW_MILLISECONDS)
}

/** Whether the code of this issue can still be used. */
export function isOpenIssue({ isOpen, issue }: Otp, one: number): boolean {
  return isOpen && issue === one
}

/** Decides about the codes of one medium. */
export function decideOtp(command: OtpCommand, otp: Otp = NO_OTP): Decision<OneTimeCodesEvent, OneTimeCodeRefusal> {
  const { medium } = command
  switch (command.type) {
    case 'add_otp':
      return otp.isOn ? refuse('otp.already_set_up') : accept({ type: 'otp.added.v1', data: { medium } })
    case 'remove_otp':
      return otp.isOn ? accept({ type: 'otp.removed.v1', data: { medium } }) : refuse('otp.not_found')
    case 'issue_otp': {
      if (!otp.isOn) return refuse('otp.not_set_up')
      if (command.at < nextOtpAt(otp)) return refuse('otp.too_many')
      return accept({ type: 'otp.issued.v1', data: { medium, issuedAt: command.at } })
    }
    case 'use_otp':
      if (!otp.isOn) return refuse('otp.not_set_up')
      return isOpenIssue(otp, command.issue)
        ? accept({ type: 'otp.used.v1', data: { medium, issue: command.issue } })
        : refuse('otp.code_used')
  }
}

type OtpEvent = Extract<OneTimeCodesEvent, { type: `otp.${string}` }>

/** Folds an event into a medium. The count of codes is kept when the medium is turned off and on again. */
export function evolveOtp(event: OtpEvent, otp: Otp = NO_OTP): Otp {
  switch (event.type) {
    case 'otp.added.v1':
      return { ...otp, isOn: true }
    case 'otp.removed.v1':
      return { ...otp, isOn: false, isOpen: false }
    case 'otp.issued.v1':
      return {
        ...otp,
        issue: otp.issue + 1,
        isOpen: true,
        issuedAt: [...otp.issuedAt, event.data.issuedAt].slice(-MOST_OTPS),
      }
    case 'otp.used.v1':
      return { ...otp, isOpen: false }
  }
}
