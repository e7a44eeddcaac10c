/** Issues the code for a new password, and sends it. */

import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { type Delivery, mailCode, TO_THE_USER, textResetCode } from '../../messages/index.ts'
import { type HumanUser, readActiveHuman, userRefusals } from '../../users/index.ts'
import { issueCode } from '../../verifications/index.ts'

/** How the code is delivered: by mail or returned, or by text message. */
export type ResetMedium = Delivery | { readonly type: 'sms' }

/** Where a code goes. `messages` refuses to send it to an address that was never verified. */
function targetOf({ email, phone }: HumanUser, medium: ResetMedium): string {
  if (medium.type !== 'sms') return email.address
  if (phone === undefined) throw refused(userRefusals, 'user.no_phone')
  return phone.number
}

async function issueReset(app: App, work: Work, userId: string, medium: ResetMedium, language?: string) {
  const user = await readActiveHuman(work, userId)
  const { owner, state } = user
  const target = targetOf(state, medium)
  const isMailed = medium.type === 'send'
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'password_reset', target, isMailed })
  if (medium.type === 'send') {
    await mailCode(app, work, 'password_reset', { user, code, urlTemplate: medium.urlTemplate, language })
  }
  if (medium.type === 'sms') await textResetCode(app, work, { user, code })
  return { user, code }
}

/** Issues a code for an active user, and invalidates an earlier one. */
export async function resetPassword(
  app: App,
  origin: Origin,
  userId: string,
  medium: ResetMedium,
  language?: string,
): Promise<{ readonly user: Document<HumanUser>; readonly code: string }> {
  const { value } = await app.store.write(origin, (work) => issueReset(app, work, userId, medium, language))
  return value
}

/**
 * Sends a code by email to an active user, in this language if they prefer none. Does not reveal whether there is one.
 */
export async function sendPasswordReset(app: App, origin: Origin, userId: string, language?: string): Promise<void> {
  try {
    await resetPassword(app, origin, userId, TO_THE_USER, language)
  } catch (error) {
    if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
  }
}
