/** How an e-mail address or phone number becomes verified, and the codes that are made for it. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { issueCode } from '../verifications/index.ts'
import type { UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'
import type { HumanUser } from './state.ts'

/** What the caller wants for an address or a number. `default`: nothing was said, so a code is sent. */
export type Verification =
  | { readonly type: 'default' }
  | { readonly type: 'send'; readonly urlTemplate?: string | undefined }
  | { readonly type: 'return' }
  /** The caller says how it is, and no code is made. */
  | { readonly type: 'known'; readonly isVerified: boolean }

/** The oneof of all messages that ask for a verification. */
type VerificationMessage =
  | { readonly case: 'sendCode'; readonly value: object & { readonly urlTemplate?: string | undefined } }
  | { readonly case: 'returnCode'; readonly value: object }
  | { readonly case: 'isVerified'; readonly value: boolean }
  | { readonly case: undefined; readonly value?: undefined }

/** What a message asks for. */
export function verificationOf(message: VerificationMessage): Verification {
  switch (message.case) {
    case 'sendCode':
      return { type: 'send', urlTemplate: message.value.urlTemplate }
    case 'returnCode':
      return { type: 'return' }
    case 'isVerified':
      return { type: 'known', isVerified: message.value }
    case undefined:
      return { type: 'default' }
  }
}

/** What is verified from the start; undefined leaves it open. */
export function knownOf(verification: Verification): boolean | undefined {
  return verification.type === 'known' ? verification.isVerified : undefined
}

/** Whether only those who may write users may ask for it: it vouches for an address or hands out its proof. */
export function needsWriter({ type }: Verification): boolean {
  return type === 'known' || type === 'return'
}

/** The link template that a verification brings. */
export function templateOf(verification: Verification): string | undefined {
  return verification.type === 'send' ? verification.urlTemplate : undefined
}

/** Makes a code for the e-mail address if one is wanted, and mails or returns it. */
export async function verifyEmailBy(
  { codes, messages }: UsersNeeds,
  work: Work,
  user: Document<HumanUser>,
  verification: Verification,
): Promise<string | undefined> {
  if (verification.type === 'known') return undefined
  if (user.state.email.isVerified) {
    if (verification.type === 'default') return undefined
    throw refused(userRefusals, 'user.email_verified')
  }
  const { id: userId, owner } = user
  const { code } = await issueCode(codes, work, { userId, owner, purpose: 'email', target: user.state.email.address })
  if (verification.type === 'return') return code
  await messages.mailCode(work, 'verify_email', { user, code, urlTemplate: templateOf(verification) })
  return undefined
}

/**
 * Makes a code for the phone number if one is wanted, and sends or returns it. Where no SMS can be sent, asking for one
 * is refused; who did not ask gets a number that waits for its verification.
 */
export async function verifyPhoneBy(
  { codes, messages }: UsersNeeds,
  work: Work,
  user: Document<HumanUser>,
  verification: Verification,
): Promise<string | undefined> {
  const { phone } = user.state
  if (verification.type === 'known' || phone === undefined) return undefined
  if (phone.isVerified) {
    if (verification.type === 'default') return undefined
    throw refused(userRefusals, 'user.phone_verified')
  }
  if (verification.type !== 'return' && !(await messages.canText())) {
    if (verification.type === 'default') return undefined
    throw refused(userRefusals, 'user.no_sms_provider')
  }
  const { id: userId, owner } = user
  const { code } = await issueCode(codes, work, { userId, owner, purpose: 'phone', target: phone.number })
  if (verification.type === 'return') return code
  await messages.textCode(work, { user, code })
  return undefined
}
