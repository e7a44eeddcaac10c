/** Codes that are sent to the phone or the mailbox of a person while they sign in. */
import { newDigitCode } from '../../crypto/codes.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Work } from '../../store/index.ts'
import { countTry } from '../verifications/index.ts'
import { isOpenIssue, NO_OTP, nextOtpAt } from './decisions/otp.ts'
import { oneTimeCodes, oneTimeCodesOf } from './documents.ts'
import type { Medium } from './events.ts'
import type { OneTimeCodesNeeds } from './needs.ts'
import { readActiveHuman, requireTarget } from './people.ts'
import { oneTimeCodeRefusals } from './refusals.ts'

/** 8 digits are 26 bits, and at most 5 tries a code. */
const LENGTH = 8
/** How long a code is valid. */
export const OTP_LIFETIME_MS = 300_000

/** What the session that asked for a code keeps of it until it is typed. */
export interface OtpChallenge {
  readonly expiresAt: Instant
  /** Which code of the person and medium it is; an earlier one ends. */
  readonly issue: number
  readonly secret: { readonly hash: string }
}

interface OtpOf {
  readonly medium: Medium
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly sessionId: string
}

/** The words that go into the hash: another session, another address or an older code never match. */
function bindingOf({ medium, userId, sessionId }: OtpOf, issue: number, target: string): readonly string[] {
  return [`otp_${medium}`, userId, sessionId, String(issue), target]
}

function refuseTemplate(description: string) {
  return refused(oneTimeCodeRefusals, 'otp.url_template_invalid', {
    violations: [{ field: 'challenges.otpEmail.sendCode.urlTemplate', description }],
  })
}

/**
 * Makes a code and sends or returns it; an earlier one of the same medium ends. Throws `otp.not_set_up`,
 * `otp.phone_not_verified` or `otp.email_not_verified`, `otp.too_many` after ten within an hour, `sms.no_provider`, and
 * `otp.url_template_invalid`. Who may see a returned code is the caller's to ask.
 */
export async function challengeOtp(
  { vault, messages }: OneTimeCodesNeeds,
  work: Work,
  of: OtpOf & { readonly delivery: 'return' | { readonly urlTemplate?: string | undefined } },
): Promise<{ readonly challenge: OtpChallenge; readonly code?: string }> {
  const { medium, userId, sessionId, delivery } = of
  const urlTemplate = delivery === 'return' ? undefined : delivery.urlTemplate
  const problem = urlTemplate === undefined ? undefined : messages.urlTemplateProblem(urlTemplate)
  if (problem !== undefined) throw refuseTemplate(problem)
  const { at } = work.origin
  const user = await readActiveHuman(work, userId)
  const before = (await oneTimeCodesOf(work, userId)).otp[medium] ?? NO_OTP
  if (!before.isOn) throw refused(oneTimeCodeRefusals, 'otp.not_set_up')
  const target = requireTarget(user.state, medium)
  const wait = nextOtpAt(before) - at
  if (wait > 0) throw refused(oneTimeCodeRefusals, 'otp.too_many', { retryAfterSeconds: Math.ceil(wait / 1000) })

  const { state } = await work.decide(oneTimeCodes, userId, { type: 'issue_otp', medium, at })
  const { issue } = state.otp[medium] ?? NO_OTP
  const code = newDigitCode(LENGTH)
  const hash = await vault.hashCode(work, bindingOf(of, issue, target), code)
  const challenge = { expiresAt: instant(at + OTP_LIFETIME_MS), issue, secret: { hash } }
  if (delivery === 'return') return { challenge, code }
  const message = { user, code, sessionId, validForMinutes: OTP_LIFETIME_MS / 60_000, urlTemplate }
  await (medium === 'sms' ? messages.textCode(work, message) : messages.mailCode(work, message))
  return { challenge }
}

/**
 * Checks the code of a challenge and uses it up with the commit of this work. Throws `otp.not_set_up`,
 * `otp.challenge_expired`, `otp.code_used`, `verification.code_invalid`, which is remembered and after five times ends
 * the code, or without looking `attempts.too_many` and `attempts.locked`.
 */
export async function checkOtp(
  { vault, instanceId }: OneTimeCodesNeeds,
  work: Work,
  of: OtpOf & { readonly challenge: OtpChallenge; readonly code: string },
): Promise<void> {
  const { medium, userId, owner, challenge, code } = of
  const { issue } = challenge
  const user = await readActiveHuman(work, userId)
  const otp = (await oneTimeCodesOf(work, userId)).otp[medium] ?? NO_OTP
  if (!otp.isOn) throw refused(oneTimeCodeRefusals, 'otp.not_set_up')
  const target = requireTarget(user.state, medium)
  // Where no code is open nothing can be guessed, and nothing is counted.
  if (work.origin.at >= challenge.expiresAt) throw refused(oneTimeCodeRefusals, 'otp.challenge_expired')
  if (!isOpenIssue(otp, issue)) throw refused(oneTimeCodeRefusals, 'otp.code_used')

  const typed = code.replaceAll(/[\s-]/g, '')
  const matches = await vault.matchesCode(bindingOf(of, issue, target), typed, challenge.secret.hash)
  await countTry(work, instanceId, { userId, owner, path: `otp_${medium}`, issue }, matches)
  await work.decide(oneTimeCodes, userId, { type: 'use_otp', medium, issue })
}
