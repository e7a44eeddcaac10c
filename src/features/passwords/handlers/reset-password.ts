/** Issues the code for a new password, and sends it. */

import type { Call } from '../../../access/call.ts'
import { holdsSomewhere } from '../../../access/roles.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { requirePower } from '../../memberships/index.ts'
import { type Delivery, mailCode, TO_THE_USER, textResetCode } from '../../messages/index.ts'
import { isPasswordResetAllowed, settingsOfUser } from '../../settings/index.ts'
import { type HumanUser, readActiveHuman, userRefusals } from '../../users/index.ts'
import { issueCode } from '../../verifications/index.ts'
import { passwordsRefusals } from '../refusals.ts'

/** How the code is delivered: by mail or returned, or by text message. */
export type ResetMedium = Delivery | { readonly type: 'sms' }

/** Where a code goes. `messages` refuses to send it to an address that was never verified. */
function targetOf({ email, phone }: HumanUser, medium: ResetMedium): string {
  if (medium.type !== 'sms') return email.address
  if (phone === undefined) throw refused(userRefusals, 'user.no_phone')
  return phone.number
}

/** Who asks for a code: a caller of the API, or the visitor of a page. */
type Asking = Call | 'visitor'

/**
 * Throws where users cannot reset their password by themselves, and the user or a login page for them asks. Others need
 * power over the user then.
 */
async function requireReset(app: App, work: Work, { id: userId, owner }: Document<HumanUser>, asking: Asking) {
  const { login } = await settingsOfUser(app, { userId, organizationId: owner }, work)
  if (isPasswordResetAllowed(login)) return
  // Only login pages of clients have this permission.
  const isForUser = (call: Call) => call.caller.userId === userId || holdsSomewhere(call.caller.grants, 'session.link')
  if (asking === 'visitor' || isForUser(asking)) throw refused(passwordsRefusals, 'password.reset_not_allowed')
  await requirePower(app, asking, 'user.write', { id: userId, owner })
}

interface AskedReset {
  readonly userId: string
  readonly medium: ResetMedium
  readonly asking: Asking
  readonly language?: string | undefined
}

async function issueReset(app: App, work: Work, { userId, medium, asking, language }: AskedReset) {
  const user = await readActiveHuman(work, userId)
  await requireReset(app, work, user, asking)
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
  asked: AskedReset,
): Promise<{ readonly user: Document<HumanUser>; readonly code: string }> {
  const { value } = await app.store.write(origin, (work) => issueReset(app, work, asked))
  return value
}

/**
 * Sends a code by email to an active user, in this language if they prefer none. Does not reveal whether there is one.
 */
export async function sendPasswordReset(app: App, origin: Origin, userId: string, language?: string): Promise<void> {
  try {
    await resetPassword(app, origin, { userId, medium: TO_THE_USER, asking: 'visitor', language })
  } catch (error) {
    if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
  }
}
