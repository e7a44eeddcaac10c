/** Codes that come back: what they prove about a person. For handlers and pages alike, inside a write. */

import { instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import { checkCode, findOpenCode, verificationRefusals } from '../verifications/index.ts'
import { readHuman } from './changing-humans.ts'
import { users } from './documents.ts'
import type { UsersNeeds } from './needs.ts'
import type { HumanUser, User } from './state.ts'

/** Whether a code waits for the e-mail address as it is now, be it still good or not. */
export async function hasEmailCode(store: Store, { id, state }: Document<HumanUser>): Promise<boolean> {
  // At the beginning of time every code is still good.
  const code = await findOpenCode(store, id, 'email', instant(0))
  return code?.target === state.email.address
}

/** Uses the code that was sent to the e-mail address. */
export async function verifyEmail(
  { codes }: Pick<UsersNeeds, 'codes'>,
  work: Work,
  userId: string,
  code: string,
): Promise<Document<User>> {
  const { owner, state } = await readHuman(work, userId)
  const { address } = state.email
  await checkCode(codes, work, { userId, owner, purpose: 'email', target: address, code })
  return work.decide(users, userId, { type: 'verify_email', address })
}

/** Uses the code that was sent to the phone number. */
export async function verifyPhone(
  { codes }: Pick<UsersNeeds, 'codes'>,
  work: Work,
  userId: string,
  code: string,
): Promise<Document<User>> {
  const { owner, state } = await readHuman(work, userId)
  // Who has no number was sent no code.
  if (state.phone === undefined) throw refused(verificationRefusals, 'verification.code_invalid')
  const { number } = state.phone
  await checkCode(codes, work, { userId, owner, purpose: 'phone', target: number, code })
  return work.decide(users, userId, { type: 'verify_phone', number })
}
