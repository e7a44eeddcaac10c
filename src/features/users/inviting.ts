/** Asking people to set up how they sign in, and what happens when they do. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { checkCode, issueCode } from '../verifications/index.ts'
import { users } from './documents.ts'
import type { UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'
import type { HumanUser, User } from './state.ts'

/** How an invitation looks. */
export interface InvitationMail {
  readonly urlTemplate?: string | undefined
  readonly applicationName?: string | undefined
}

/** Makes the code of an invitation; an earlier one ends. */
async function issueInvitation(
  { codes }: UsersNeeds,
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
  const { code } = await issueCode(codes, work, { userId, owner, purpose: 'invite', target: user.state.email.address })
  return code
}

/** Invites a person by mail as part of a write. */
export async function inviteByMail(
  needs: UsersNeeds,
  work: Work,
  user: Document<HumanUser>,
  mail: InvitationMail,
): Promise<void> {
  const code = await issueInvitation(needs, work, user, mail, true)
  await needs.messages.mailCode(work, 'invitation', { user, code, ...mail })
}

/** Invites a person and hands the code to the caller. */
export function inviteByCode(needs: UsersNeeds, work: Work, user: Document<HumanUser>): Promise<string> {
  return issueInvitation(needs, work, user, {}, false)
}

/** Throws when there is nothing to invite to: the person can sign in already. */
export async function requireNotSetUp({ authenticationMethods }: UsersNeeds, userId: string): Promise<void> {
  for (const find of authenticationMethods) {
    if ((await find(userId)).length > 0) throw refused(userRefusals, 'user.already_set_up')
  }
}

/** Invites a person again, as before. */
export async function inviteAgain(needs: UsersNeeds, work: Work, user: Document<HumanUser>): Promise<void> {
  const { invitation } = user.state
  if (invitation?.isMailed !== true) throw refused(userRefusals, 'user.not_invited')
  await inviteByMail(needs, work, user, invitation)
}

/** Uses the code of an invitation as part of a write: the address is verified and somebody is there from now on. */
export async function acceptInvitation(
  { codes }: Pick<UsersNeeds, 'codes'>,
  work: Work,
  user: Document<HumanUser>,
  code: string,
): Promise<Document<User>> {
  const { id: userId, owner } = user
  const { address } = user.state.email
  await checkCode(codes, work, { userId, owner, purpose: 'invite', target: address, code })
  return work.decide(users, userId, { type: 'accept_invitation', address })
}
