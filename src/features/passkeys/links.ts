/** Registration links: a code with which a passkey can be registered once, for whoever has it. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work } from '../../store/index.ts'
import { type HumanUser, readHuman, userRefusals } from '../users/index.ts'
import { findOpenCode, issueCode, refuseWrongCode, useCode } from '../verifications/index.ts'
import type { LinkProof } from './events.ts'
import type { PasskeysNeeds } from './needs.ts'

/** What the codes of links prove, in the words of the room of codes. */
export const REGISTRATION_LINK = 'passkey'

/** How a link reaches whoever needs it. */
export type LinkMedium =
  | { readonly type: 'mail'; readonly urlTemplate?: string | undefined }
  /** The code is given back, and nothing is sent. */
  | { readonly type: 'return' }

/** Throws unless the person may have and use keys. */
export function requireUsable({ status }: HumanUser): void {
  if (status !== 'active' && status !== 'initial') throw refused(userRefusals, 'user.not_active')
}

/** What a code is bound to: its id, and the address that it was mailed to for as long as that is the person's. */
function targetOf(codeId: string, address?: string): string {
  return address === undefined ? codeId : `${codeId}/${address}`
}

export interface CreatedLink {
  readonly user: Document<HumanUser>
  readonly codeId: string
  readonly code: string
  readonly sequence: number
}

/** Makes a link for a person who may act; an earlier one ends. */
export async function createLink(
  { store, newId, codes, messages }: Pick<PasskeysNeeds, 'store' | 'newId' | 'codes' | 'messages'>,
  origin: Origin,
  userId: string,
  medium: LinkMedium,
): Promise<CreatedLink> {
  const codeId = newId()
  const { value, sequence } = await store.write(origin, async (work) => {
    const user = await readHuman(work, userId)
    requireUsable(user.state)
    const { owner, state } = user
    const target = targetOf(codeId, medium.type === 'mail' ? state.email.address : undefined)
    const { code } = await issueCode(codes, work, { userId, owner, purpose: REGISTRATION_LINK, target })
    if (medium.type === 'mail') {
      await messages.mailLink(work, { user, codeId, code, urlTemplate: medium.urlTemplate })
    }
    return { user, code }
  })
  return { ...value, codeId, sequence }
}

/** The code of a link, as somebody shows it. */
export interface ShownLink {
  readonly codeId: string
  readonly code: string
}

/**
 * Throws `verification.code_invalid` unless this is the person's link and still good; a wrong code is remembered, a
 * right one not used up. Answers what `useLink` needs.
 */
export async function proveByLink(
  { store, codes }: Pick<PasskeysNeeds, 'codes'> & { readonly store: Store },
  origin: Origin,
  user: Document<HumanUser>,
  { codeId, code }: ShownLink,
): Promise<LinkProof> {
  const { id: userId, owner, state } = user
  const open = await findOpenCode(store, userId, REGISTRATION_LINK, origin.at)
  const mailed = targetOf(codeId, state.email.address)
  const target = open?.target === mailed ? mailed : targetOf(codeId)
  const what = { userId, owner, purpose: REGISTRATION_LINK, target, code } as const
  const { value: issue } = await store.write(origin, (work) => refuseWrongCode(codes, work, what))
  return { issue, target }
}

/** Uses up a link in the commit of the registration that was begun with it. */
export async function useLink(work: Work, user: Document<HumanUser>, { issue, target }: LinkProof): Promise<void> {
  const [codeId = ''] = target.split('/', 1)
  // Somebody may have replaced the address since; then the link proves nothing any more.
  const isOwn = target === codeId || target === targetOf(codeId, user.state.email.address)
  const { id: userId, owner } = user
  await useCode(work, { userId, owner, purpose: REGISTRATION_LINK, target: isOwn ? target : '', issue })
}
