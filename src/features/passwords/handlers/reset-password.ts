/** Issues the code with which a new password can be set, and sends it. */
import type { App } from '../../../access/app.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { canText, mailCode, textResetCode } from '../../messages/index.ts'
import { type HumanUser, readActiveHuman, userRefusals } from '../../users/index.ts'
import { issueCode } from '../../verifications/index.ts'
import { passwordsRefusals } from '../refusals.ts'

/** How the code reaches the user. */
export type ResetMedium =
  | { readonly type: 'mail'; readonly urlTemplate?: string | undefined }
  | { readonly type: 'sms' }
  /** It is returned to the caller, and nothing is sent. */
  | { readonly type: 'return' }

/** Where a code goes. What was never verified may belong to someone else, who could then become the user. */
function targetOf({ email, phone }: HumanUser, medium: ResetMedium): string {
  if (medium.type === 'sms' && phone === undefined) throw refused(userRefusals, 'user.no_phone')
  const isVerified = medium.type === 'return' || (medium.type === 'sms' ? phone : email)?.isVerified === true
  if (!isVerified) throw refused(passwordsRefusals, 'password.address_not_verified')
  return medium.type === 'sms' && phone !== undefined ? phone.number : email.address
}

async function issueReset(app: App, work: Work, userId: string, medium: ResetMedium) {
  const user = await readActiveHuman(work, userId)
  const { owner, state } = user
  const target = targetOf(state, medium)
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'password_reset', target })
  if (medium.type === 'mail') {
    await mailCode(app, work, 'password_reset', { user, code, urlTemplate: medium.urlTemplate })
  }
  if (medium.type === 'sms') await textResetCode(app, work, { user, code })
  return { user, code }
}

/** Issues a code for a user who may act; an earlier one ends. */
export async function resetPassword(
  app: App,
  origin: Origin,
  userId: string,
  medium: ResetMedium,
): Promise<{ readonly user: Document<HumanUser>; readonly code: string; readonly sequence: number }> {
  if (medium.type === 'sms' && !(await canText(app))) throw refused(userRefusals, 'user.no_sms_provider')
  const { value, sequence } = await app.store.write(origin, (work) => issueReset(app, work, userId, medium))
  return { ...value, sequence }
}

/** Mails a code to a user who may act; does not tell whether there was one. */
export async function sendPasswordReset(app: App, origin: Origin, userId: string): Promise<void> {
  try {
    await resetPassword(app, origin, userId, { type: 'mail' })
  } catch (error) {
    if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
  }
}
