/** Invites human users to set up a sign-in method, and accepts invitations. Everything runs inside a write. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { type ChosenLink, chosenBefore, type Delivery, mailCode } from '../../messages/index.ts'
import { type HumanUser, type User, userRefusals, users } from '../../users/index.ts'
import { checkCode, issueCode } from '../../verifications/index.ts'
import { authenticationMethodsOf } from '../authentication-methods.ts'

/** How long an invitation is open: later only an administrator can send it again. */
const INVITATION_MILLISECONDS = 7 * 24 * 3_600_000

/** How the mail of an invitation looks. */
export interface InvitationMail {
  readonly urlTemplate?: ChosenLink | undefined
  readonly applicationName?: string | undefined
}

/** Creates the code of an invitation and invalidates an earlier one. */
async function issueInvitation(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  { urlTemplate, applicationName }: InvitationMail,
  isMailed: boolean,
): Promise<string> {
  const { id: userId, owner } = user
  const invitation = {
    ...(urlTemplate !== undefined && { urlTemplate }),
    ...(applicationName !== undefined && { applicationName }),
    isMailed,
    expiresAt: work.origin.at + INVITATION_MILLISECONDS,
  }
  await work.decide(users, userId, { type: 'invite', invitation })
  const { address: target } = user.state.email
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'invite', target, isMailed })
  return code
}

/** Invites a human user by email. */
export async function inviteByMail(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  mail: InvitationMail,
): Promise<void> {
  const code = await issueInvitation(app, work, user, mail, true)
  await mailCode(app, work, 'invitation', { user, code, ...mail })
}

/** Invites a human user and returns the code to the caller. */
export function inviteByCode(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  _delivery: Extract<Delivery, { readonly type: 'return' }>,
): Promise<string> {
  return issueInvitation(app, work, user, {}, false)
}

/** Throws when the user can already sign in, so that there is nothing to set up. */
export async function requireNotSetUp(app: App, userId: string): Promise<void> {
  const found = await authenticationMethodsOf(app, userId)
  if (found.length > 0) throw refused(userRefusals, 'user.already_set_up')
}

/** Invites a human user again, with the same email as before. */
export async function inviteAgain(app: App, work: Work, user: Document<HumanUser>): Promise<void> {
  const { invitation } = user.state
  if (invitation?.isMailed !== true) throw refused(userRefusals, 'user.not_invited')
  await inviteByMail(app, work, user, { ...invitation, urlTemplate: chosenBefore(invitation.urlTemplate) })
}

/**
 * Sends a new code for an open invitation to a visitor who requests one. The link leads to the built-in page, even if the
 * invitation used another one, and the invitation does not last longer.
 */
export async function sendInvitationCode(app: App, work: Work, user: Document<HumanUser>): Promise<void> {
  const { id: userId, owner, state } = user
  const { invitation } = state
  const isOpen = invitation?.isMailed === true && work.origin.at < (invitation.expiresAt ?? 0)
  if (!isOpen) throw refused(userRefusals, 'user.not_invited')
  await requireNotSetUp(app, userId)
  const { address: target } = state.email
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'invite', target, isMailed: true })
  await mailCode(app, work, 'invitation', { user, code, applicationName: invitation.applicationName })
}

/** Uses the code of an invitation: the address is verified, and the set-up is finished. */
export async function acceptInvitation(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  code: string,
): Promise<Document<User>> {
  const { id: userId, owner } = user
  const { address } = user.state.email
  const { isMailed } = await checkCode(app, work, { userId, owner, purpose: 'invite', target: address, code })
  return work.decide(users, userId, { type: 'accept_invitation', address, isMailed })
}
