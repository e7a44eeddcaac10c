/** Turns codes by email or text message on and off, and returns the address or number for them. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { type HumanUser, readActiveHuman } from '../../users/index.ts'
import type { OneTimeCodes } from '../decider.ts'
import { oneTimeCodes, oneTimeCodesOf } from '../documents.ts'
import type { Medium } from '../events.ts'
import { oneTimeCodeRefusals } from '../refusals.ts'

/** The verified address or number of a user for codes; undefined when it is not verified. */
export function verifiedTarget({ email, phone }: HumanUser, medium: Medium): string | undefined {
  if (medium === 'sms') return phone?.isVerified ? phone.number : undefined
  return email.isVerified ? email.address : undefined
}

/** Like the function above, but throws when there is none. */
export function requireTarget(user: HumanUser, medium: Medium): string {
  const target = verifiedTarget(user, medium)
  if (target !== undefined) return target
  throw refused(oneTimeCodeRefusals, medium === 'sms' ? 'otp.phone_not_verified' : 'otp.email_not_verified')
}

/** Turns on codes that are sent; throws unless the address or number is verified. */
export async function addOtp(work: Work, userId: string, medium: Medium): Promise<Document<OneTimeCodes>> {
  const { owner, state } = await readActiveHuman(work, userId)
  requireTarget(state, medium)
  return work.decide(oneTimeCodes, userId, { type: 'add_otp', medium }, owner)
}

/** Turns off codes by text message in the commit that removes the phone number. */
export async function removeOtpSmsOf(app: App, work: Work, userId: string): Promise<void> {
  if (!(await oneTimeCodesOf(app, userId, work)).otp.sms?.isOn) return
  await work.decide(oneTimeCodes, userId, { type: 'remove_otp', medium: 'sms' })
}

/** Removes every factor of this module that a user has, as part of a write; new ones can be set up afterwards. */
export async function removeFactorsOf(app: App, work: Work, userId: string): Promise<void> {
  const { totp, otp, recovery } = await oneTimeCodesOf(app, userId, work)
  if (totp !== undefined) await work.decide(oneTimeCodes, userId, { type: 'remove_totp' })
  for (const medium of ['email', 'sms'] as const) {
    if (otp[medium]?.isOn) await work.decide(oneTimeCodes, userId, { type: 'remove_otp', medium })
  }
  if (recovery !== undefined) await work.decide(oneTimeCodes, userId, { type: 'remove_recovery_codes' })
}

/** Removes everything of this module in the commit that removes the user; does nothing when nothing is left. */
export async function removeOneTimeCodesOf(work: Work, userId: string): Promise<void> {
  if (await work.get(oneTimeCodes, userId)) await work.decide(oneTimeCodes, userId, { type: 'remove' })
}
