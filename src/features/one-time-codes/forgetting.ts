/** What this room forgets when a user, or the phone number of one, is removed. */
import type { Work } from '../../store/index.ts'
import { oneTimeCodes, oneTimeCodesOf } from './documents.ts'

/** Removes all one-time codes in the commit that removes the user; does nothing when nothing is left. */
export async function removeOneTimeCodesOf(work: Work, userId: string): Promise<void> {
  if (await work.get(oneTimeCodes, userId)) await work.decide(oneTimeCodes, userId, { type: 'remove' })
}

/** Turns codes by SMS off in the commit that takes the number away: nothing could ever be sent. */
export async function removeOtpSmsOf(work: Work, userId: string): Promise<void> {
  if (!(await oneTimeCodesOf(work, userId)).otp.sms?.isOn) return
  await work.decide(oneTimeCodes, userId, { type: 'remove_otp', medium: 'sms' })
}
