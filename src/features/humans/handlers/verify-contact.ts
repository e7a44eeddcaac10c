/** Creates and checks the codes that verify email addresses and phone numbers. Everything runs inside a write. */

import { instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mailCode, textCode } from '../../messages/index.ts'
import { type HumanUser, readHuman, type User, userRefusals, users } from '../../users/index.ts'
import { checkCode, findOpenCode, issueCode, verificationRefusals } from '../../verifications/index.ts'
import type { DecidedVerification } from '../contact.ts'

/** Creates a code for the email address unless the verification needs none. Sends it, or returns it to the caller. */
export async function verifyEmailBy(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  verification: DecidedVerification,
): Promise<string | undefined> {
  if (verification.type === 'known') return undefined
  if (user.state.email.isVerified) {
    if (verification.type === 'default') return undefined
    throw refused(userRefusals, 'user.email_verified')
  }
  return sendEmailCode(app, work, user, verification)
}

/** Makes a code for the e-mail address, verified or not; mails it, or returns it to the caller. */
export async function sendEmailCode(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  verification: DecidedVerification,
): Promise<string | undefined> {
  const { id: userId, owner } = user
  const isMailed = verification.type !== 'return'
  const { address: target } = user.state.email
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'email', target, isMailed })
  if (verification.type === 'return') return code
  await mailCode(app, work, 'verify_email', {
    user,
    code,
    urlTemplate: verification.type === 'send' ? verification.urlTemplate : undefined,
  })
  return undefined
}

/**
 * Makes a code for the phone number unless the verification asks for none; texts it, or returns it to the caller.
 */
export async function verifyPhoneBy(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  verification: DecidedVerification,
): Promise<string | undefined> {
  const { phone } = user.state
  if (verification.type === 'known' || phone === undefined) return undefined
  if (phone.isVerified) {
    if (verification.type === 'default') return undefined
    throw refused(userRefusals, 'user.phone_verified')
  }
  const { id: userId, owner } = user
  const isMailed = verification.type !== 'return'
  const { code } = await issueCode(app, work, { userId, owner, purpose: 'phone', target: phone.number, isMailed })
  if (verification.type === 'return') return code
  await textCode(app, work, { user, code })
  return undefined
}

/** Whether there is a code for the current email address, expired or not. */
export async function hasEmailCode(app: App, { id, state }: Document<HumanUser>): Promise<boolean> {
  // At instant 0 no code has expired.
  const code = await findOpenCode(app, id, 'email', instant(0))
  return code?.target === state.email.address
}

/** Verifies the email address with its code. */
export async function verifyEmail(app: App, work: Work, userId: string, code: string): Promise<Document<User>> {
  const { owner, state } = await readHuman(work, userId)
  const { address } = state.email
  const { isMailed } = await checkCode(app, work, { userId, owner, purpose: 'email', target: address, code })
  return work.decide(users, userId, { type: 'verify_email', address, isMailed })
}

/** Verifies the phone number with its code. */
export async function verifyPhone(app: App, work: Work, userId: string, code: string): Promise<Document<User>> {
  const { owner, state } = await readHuman(work, userId)
  // Without a number, no code was sent.
  if (state.phone === undefined) throw refused(verificationRefusals, 'verification.code_invalid')
  const { number } = state.phone
  const { isMailed: isSent } = await checkCode(app, work, { userId, owner, purpose: 'phone', target: number, code })
  return work.decide(users, userId, { type: 'verify_phone', number, isSent })
}
