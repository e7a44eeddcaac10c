/** Making the code with which a new password can be set, and sending it. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Work } from '../../store/index.ts'
import { type HumanUser, readHuman, userRefusals } from '../users/index.ts'
import { issueCode } from '../verifications/index.ts'
import type { PasswordsNeeds } from './needs.ts'

/** How the code reaches whoever needs it. */
export type ResetMedium =
  | { readonly type: 'mail'; readonly urlTemplate?: string | undefined }
  | { readonly type: 'sms' }
  /** It is given back, and nothing is sent. */
  | { readonly type: 'return' }

type ResetNeeds = Pick<PasswordsNeeds, 'store' | 'codes' | 'messages'>

function numberOf({ phone }: HumanUser): string {
  if (phone === undefined) throw refused(userRefusals, 'user.no_phone')
  return phone.number
}

async function issueReset({ codes, messages }: ResetNeeds, work: Work, userId: string, medium: ResetMedium) {
  const user = await readHuman(work, userId)
  const { owner, state } = user
  if (state.status !== 'active' && state.status !== 'initial') throw refused(userRefusals, 'user.not_active')
  const target = medium.type === 'sms' ? numberOf(state) : state.email.address
  const { code } = await issueCode(codes, work, { userId, owner, purpose: 'password_reset', target })
  if (medium.type === 'mail') {
    await messages.mailCode(work, 'password_reset', { user, code, urlTemplate: medium.urlTemplate })
  }
  if (medium.type === 'sms') await messages.textCode(work, { user, code })
  return { user, code }
}

/** Makes a code for a person who may act; an earlier one ends. */
export async function resetPassword(
  needs: ResetNeeds,
  origin: Origin,
  userId: string,
  medium: ResetMedium,
): Promise<{ readonly user: Document<HumanUser>; readonly code: string; readonly sequence: number }> {
  if (medium.type === 'sms' && !(await needs.messages.canText())) throw refused(userRefusals, 'user.no_sms_provider')
  const { value, sequence } = await needs.store.write(origin, (work) => issueReset(needs, work, userId, medium))
  return { ...value, sequence }
}
