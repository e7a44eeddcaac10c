/**
 * Users turn on codes by email or text message themselves only with a code that was sent to them, so that they do not
 * turn on a factor that never arrives and lock themselves out.
 */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { mailOneTimeCode, textCode } from '../../messages/index.ts'
import { hasSmsProvider } from '../../sms/index.ts'
import { readActiveHuman } from '../../users/index.ts'
import { checkCode, issueCode } from '../../verifications/index.ts'
import { oneTimeCodesOf } from '../documents.ts'
import type { Medium } from '../events.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'
import { addOtp, requireTarget } from './change-otp.ts'
import { OTP_LIFETIME_MS } from './send-otp.ts'

const PURPOSES = { email: 'email', sms: 'phone' } as const satisfies Record<Medium, string>

/** The user who turns on a medium, and the session in which they do it. */
export interface OtpSetUp {
  readonly userId: string
  readonly sessionId: string
  readonly medium: Medium
}

/**
 * Sends a code to the verified address or number of a user, and returns that. Throws `otp.already_set_up`,
 * `otp.phone_not_verified`, `otp.email_not_verified`, and `otp.sms_unavailable`.
 */
export async function sendSetUpCode(app: App, work: Work, { userId, sessionId, medium }: OtpSetUp): Promise<string> {
  const user = await readActiveHuman(work, userId)
  const { owner, state } = user
  const target = requireTarget(state, medium)
  const { otp } = await oneTimeCodesOf(app, userId, work)
  if (otp[medium]?.isOn) throw refused(oneTimeCodeRefusals, 'otp.already_set_up')
  if (medium === 'sms' && !(await hasSmsProvider(app))) throw refused(oneTimeCodeRefusals, 'otp.sms_unavailable')
  const what = { userId, owner, purpose: PURPOSES[medium], target, lifetimeMs: OTP_LIFETIME_MS }
  const { code } = await issueCode(app, work, what)
  if (medium === 'sms') await textCode(app, work, { user, code })
  else await mailOneTimeCode(app, work, { user, code, sessionId, validForMinutes: OTP_LIFETIME_MS / 60_000 })
  return target
}

/** Turns a medium on with the code that was sent. Throws `verification.code_invalid` for any other; a wrong one counts. */
export async function addProvenOtp(
  app: App,
  work: Work,
  { userId, medium, code }: Omit<OtpSetUp, 'sessionId'> & { readonly code: string },
): Promise<void> {
  const { owner, state } = await readActiveHuman(work, userId)
  const target = requireTarget(state, medium)
  await checkCode(app, work, { userId, owner, purpose: PURPOSES[medium], target, code })
  await addOtp(work, userId, medium)
}
