/** Checks a code that was sent to a user who signs in. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { countTry } from '../../verifications/index.ts'
import { isOpenIssue, NO_OTP } from '../decisions/otp.ts'
import { oneTimeCodes, oneTimeCodesOf } from '../documents.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'
import { requireTarget } from './change-otp.ts'
import { bindingOf, type OtpChallenge, type OtpOf } from './send-otp.ts'

/**
 * Checks the code of a challenge and uses it up with the commit of this work. Throws `otp.not_set_up`,
 * `otp.challenge_expired`, `otp.code_used`, or `verification.code_invalid`, which is counted and invalidates the code
 * after five times. Throws `attempts.too_many` and `attempts.locked` without comparing the code.
 */
export async function checkOtp(
  app: App,
  work: Work,
  of: OtpOf & { readonly challenge: OtpChallenge; readonly code: string },
): Promise<void> {
  const { medium, userId, owner, challenge, code } = of
  const { issue } = challenge
  const user = await readActiveHuman(work, userId)
  const otp = (await oneTimeCodesOf(app, userId, work)).otp[medium] ?? NO_OTP
  if (!otp.isOn) throw refused(oneTimeCodeRefusals, 'otp.not_set_up')
  const target = requireTarget(user.state, medium)
  // Without a valid code nothing can be guessed, so nothing is counted.
  if (work.origin.at >= challenge.expiresAt) throw refused(oneTimeCodeRefusals, 'otp.challenge_expired')
  if (!isOpenIssue(otp, issue)) throw refused(oneTimeCodeRefusals, 'otp.code_used')

  const typed = code.replaceAll(/[\s-]/g, '')
  const matches = await app.vault.matchesCode(bindingOf(of, issue, target), typed, challenge.secret.hash)
  await countTry(app, work, { userId, owner, path: `otp_${medium}`, issue }, matches)
  await work.decide(oneTimeCodes, userId, { type: 'use_otp', medium, issue })
}
