/** Sends a code by text message or email to a user who signs in. */

import { newDigitCode } from '../../../crypto/codes.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { type Delivery, mailOneTimeCode, textOneTimeCode, urlTemplateProblem } from '../../messages/index.ts'
import { generatorOf } from '../../settings/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { NO_OTP, nextOtpAt } from '../decisions/otp.ts'
import { oneTimeCodes, oneTimeCodesOf } from '../documents.ts'
import type { Medium } from '../events.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'
import { requireTarget } from './change-otp.ts'

/** 8 digits are 26 bits, with at most 5 attempts per code. */
const LENGTH = 8
/** How long a code is valid. */
export const OTP_LIFETIME_MS = 300_000

/** The data of a code that the session stores until the code is presented. */
export interface OtpChallenge {
  readonly expiresAt: Instant
  /** The number of the code for this user and medium. Earlier codes are invalid. */
  readonly issue: number
  readonly secret: { readonly hash: string }
}

/** The session and user that a code is for. */
export interface OtpOf {
  readonly medium: Medium
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly sessionId: string
}

/** The binding of the hash of a code: codes of another session, another address or an older issue never match. */
export function bindingOf({ medium, userId, sessionId }: OtpOf, issue: number, target: string): readonly string[] {
  return [`otp_${medium}`, userId, sessionId, String(issue), target]
}

function refuseTemplate(description: string) {
  return refused(oneTimeCodeRefusals, 'otp.url_template_invalid', {
    violations: [{ field: 'challenges.otpEmail.sendCode.urlTemplate', description }],
  })
}

/**
 * Makes a code and sends or returns it; an earlier one of the same medium ends. Throws `otp.not_set_up`,
 * `otp.phone_not_verified` or `otp.email_not_verified`, `otp.too_many` after ten within an hour, and
 * `otp.url_template_invalid`.
 */
export async function challengeOtp(
  app: App,
  work: Work,
  of: OtpOf & { readonly delivery: Delivery },
): Promise<{ readonly challenge: OtpChallenge; readonly code?: string }> {
  const { medium, userId, sessionId, delivery } = of
  const urlTemplate = delivery.type === 'return' ? undefined : delivery.urlTemplate
  const problem = urlTemplate === undefined ? undefined : urlTemplateProblem(urlTemplate, 'one_time_code')
  if (problem !== undefined) throw refuseTemplate(problem)
  const { at } = work.origin
  const user = await readActiveHuman(work, userId)
  const before = (await oneTimeCodesOf(app, userId, work)).otp[medium] ?? NO_OTP
  if (!before.isOn) throw refused(oneTimeCodeRefusals, 'otp.not_set_up')
  const target = requireTarget(user.state, medium)
  const wait = nextOtpAt(before) - at
  if (wait > 0) throw refused(oneTimeCodeRefusals, 'otp.too_many', { retryAfterSeconds: Math.ceil(wait / 1000) })

  const { state } = await work.decide(oneTimeCodes, userId, { type: 'issue_otp', medium, at })
  const { issue } = state.otp[medium] ?? NO_OTP
  const generator = await generatorOf(app, `otp_${medium}`, { reader: work })
  const { length, expiryMs } = generator ?? { length: LENGTH, expiryMs: OTP_LIFETIME_MS }
  const code = newDigitCode(length)
  const hash = await app.vault.hashCode(work, bindingOf(of, issue, target), code)
  const challenge = { expiresAt: instant(at + expiryMs), issue, secret: { hash } }
  if (delivery.type === 'return') return { challenge, code }
  const message = { user, code, sessionId, validForMinutes: expiryMs / 60_000, urlTemplate }
  await (medium === 'sms' ? textOneTimeCode(app, work, message) : mailOneTimeCode(app, work, message))
  return { challenge }
}
