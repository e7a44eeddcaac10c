/**
 * A person who changes how they sign in, or where codes reach them, must have signed in lately: a session that was left
 * open, or stolen, is not enough to take the account over. Every method that writes something about oneself is one of
 * these unless it is listed here.
 */
import type { DescMethod } from '@bufbuild/protobuf'
import { refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { accessRefusals } from './refusals.ts'

/** The maximum age of the last check of a first factor. */
export const FRESH_SIGN_IN_MILLISECONDS = 15 * 60_000

/** Methods that write something about oneself and need no fresh sign-in, with the reason. */
const EXEMPT: ReadonlyMap<string, string> = new Map([
  ['UpdateUser', 'asks for one itself when a name, an address, a number or, without a proof, the password changes'],
  [
    'UpdateHumanUser',
    'asks for one itself when a name, an address, a number or, without a proof, the password changes',
  ],
  ['UpdateMyProfile', 'changes no name that one signs in with, no address and no number'],
  ['RemoveMyAvatar', 'changes a picture'],
  ['RevokeMyRefreshToken', 'takes access from an application, and gives none'],
  ['RevokeAllMyRefreshTokens', 'takes access from applications, and gives none'],
  ['ResendMyEmailVerification', 'sends a code to the address that is set'],
  ['ResendMyPhoneVerification', 'sends a code to the number that is set'],
  ['SendMyPasswordlessLink', 'sends a link to the own address'],
  ['VerifyMyPasswordless', 'finishes what was begun with one a few minutes ago'],
  ['VerifyMyAuthFactorU2F', 'finishes what was begun with one a few minutes ago'],
  // A link of the caller's own, or the code itself, asks for one in `messages/delivery.ts`.
  ['ResendEmailCode', 'sends a code to the address that is set, with a link to the built-in page'],
  ['SendEmailCode', 'sends a code to the address that is set, with a link to the built-in page'],
  ['ResendPhoneCode', 'sends a code to the number that is set'],
  ['PasswordReset', 'sends a code to a verified address, with a link to the built-in page; the code is the proof'],
  ['CreatePasskeyRegistrationLink', 'sends a link to the own address, to the built-in page'],
  ['VerifyPasskeyRegistration', 'finishes what was begun with one a few minutes ago'],
  ['VerifyU2FRegistration', 'finishes what was begun with one a few minutes ago'],
  ['RenamePasskey', 'changes a label'],
  ['RenameU2F', 'changes a label'],
  ['HumanMFAInitSkipped', 'records only that the user skipped setting up a second factor'],
])

/** Whether a person who calls this method for themself must have signed in lately. */
export function needsFreshSignIn({ name }: DescMethod, permission: string): boolean {
  return !permission.endsWith('.read') && !EXEMPT.has(name)
}

/** Throws `access.sign_in_again` when the caller acts on themself after a sign-in that is not fresh. */
export function requireFreshSignIn({ caller, at }: Pick<Call, 'caller' | 'at'>, subject: string): void {
  const authenticatedAt = caller.session?.authenticatedAt ?? caller.authenticatedAt
  if (caller.userId !== subject || authenticatedAt === undefined) return
  if (at - authenticatedAt > FRESH_SIGN_IN_MILLISECONDS) {
    throw refused(accessRefusals, 'access.sign_in_again')
  }
}
