/** Invites human users to set up a sign-in method, and accepts invitations. Everything runs inside a write. */
import type { App } from '../../../access/app.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mailCode } from '../../messages/index.ts'
import { type HumanUser, type User, userRefusals, users } from '../../users/index.ts'
import { checkCode, issueCode } from '../../verifications/index.ts'
import { authenticationMethodsOf } from '../authentication-methods.ts'

/** The content of an invitation email. */
export interface InvitationMail {
  readonly urlTemplate?: string | undefined
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
  }
  await work.decide(users, userId, { type: 'invite', invitation })
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'invite', target: user.state.email.address })
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
export function inviteByCode(app: App, work: Work, user: Document<HumanUser>): Promise<string> {
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
  await inviteByMail(app, work, user, invitation)
}

/** Accepts an invitation with its code: the email address is verified, and the setup is complete. */
export async function acceptInvitation(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  code: string,
): Promise<Document<User>> {
  const { id: userId, owner } = user
  const { address } = user.state.email
  await checkCode(app, work, { userId, owner, purpose: 'invite', target: address, code })
  return work.decide(users, userId, { type: 'accept_invitation', address })
}
