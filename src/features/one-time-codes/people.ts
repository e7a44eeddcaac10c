/** Whom one-time codes are for: people who may act. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { type HumanUser, readHuman, userRefusals } from '../users/index.ts'
import type { Medium } from './events.ts'
import { oneTimeCodeRefusals } from './refusals.ts'

/** The person, guarded until the commit; throws unless they are there and may act. */
export async function readActiveHuman(work: Work, userId: string): Promise<Document<HumanUser>> {
  const user = await readHuman(work, userId)
  const { status } = user.state
  if (status !== 'active' && status !== 'initial') throw refused(userRefusals, 'user.not_active')
  return user
}

/** The address or number of a person that codes are sent to; undefined while it is not verified. */
export function verifiedTarget({ email, phone }: HumanUser, medium: Medium): string | undefined {
  if (medium === 'sms') return phone?.isVerified ? phone.number : undefined
  return email.isVerified ? email.address : undefined
}

/** The same; throws when there is none. */
export function requireTarget(user: HumanUser, medium: Medium): string {
  const target = verifiedTarget(user, medium)
  if (target !== undefined) return target
  throw refused(oneTimeCodeRefusals, medium === 'sms' ? 'otp.phone_not_verified' : 'otp.email_not_verified')
}
