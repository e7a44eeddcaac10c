/** Registration links: a code with which a passkey can be registered once by anyone who has it. */
import type { App } from '../../../access/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { mailPasskeyLink } from '../../messages/index.ts'
import { type HumanUser, readActiveHuman } from '../../users/index.ts'
import { findOpenCode, issueCode, refuseWrongCode, useCode } from '../../verifications/index.ts'
import type { LinkProof } from '../events.ts'

/** The purpose of the codes of links. */
const PURPOSE = 'passkey'

/** How a link reaches the user. */
export type LinkMedium =
  | { readonly type: 'mail'; readonly urlTemplate?: string | undefined }
  /** The code is returned to the caller, and nothing is sent. */
  | { readonly type: 'return' }

/** What a code is bound to: its id, and the address that it was mailed to, while the user still has that one. */
function targetOf(codeId: string, address?: string): string {
  return address === undefined ? codeId : `${codeId}/${address}`
}

export interface CreatedLink {
  readonly user: Document<HumanUser>
  readonly codeId: string
  readonly code: string
}

/** Creates a link for a user who may act; an earlier one ends. */
export async function createLink(app: App, origin: Origin, userId: string, medium: LinkMedium): Promise<CreatedLink> {
  const codeId = app.newId()
  const { value } = await app.store.write(origin, async (work) => {
    const user = await readActiveHuman(work, userId)
    const { owner, state } = user
    const target = targetOf(codeId, medium.type === 'mail' ? state.email.address : undefined)
    const { code } = await issueCode(app, work, { userId, owner, purpose: PURPOSE, target })
    if (medium.type === 'mail') {
      await mailPasskeyLink(app, work, { user, codeId, code, urlTemplate: medium.urlTemplate })
    }
    return { user, code }
  })
  return { ...value, codeId }
}

/** The code of a link, as a caller gives it. */
export interface ShownLink {
  readonly codeId: string
  readonly code: string
}

/**
 * Checks that this is the open link of a user. Throws `verification.code_invalid` and remembers a wrong code; a right one
 * is not used up. Returns what `useLink` needs.
 */
export async function proveByLink(
  app: App,
  origin: Origin,
  user: Document<HumanUser>,
  { codeId, code }: ShownLink,
): Promise<LinkProof> {
  const { id: userId, owner, state } = user
  const open = await findOpenCode(app, userId, PURPOSE, origin.at)
  const mailed = targetOf(codeId, state.email.address)
  const target = open?.target === mailed ? mailed : targetOf(codeId)
  const what = { userId, owner, purpose: PURPOSE, target, code } as const
  const { value: issue } = await app.store.write(origin, (work) => refuseWrongCode(app, work, what))
  return { issue, target }
}

/** Uses up a link in the commit of the registration that was begun with it. */
export async function useLink(work: Work, user: Document<HumanUser>, { issue, target }: LinkProof): Promise<void> {
  const [codeId = ''] = target.split('/', 1)
  // The address may have been replaced since; then the link proves nothing any more.
  const isOwn = target === codeId || target === targetOf(codeId, user.state.email.address)
  const { id: userId, owner } = user
  await useCode(work, { userId, owner, purpose: PURPOSE, target: isOwn ? target : '', issue })
}
