/** Registration links: a code that allows its holder to register one passkey. */

import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import { type Delivery, mailPasskeyLink, passkeyLink } from '../../messages/index.ts'
import { activeOrganization } from '../../organizations/index.ts'
import { type HumanUser, readActiveHuman } from '../../users/index.ts'
import {
  codeLifetimeMs,
  hasOpenCode,
  issueCode,
  refuseWrongCode,
  useCode,
  verificationRefusals,
} from '../../verifications/index.ts'
import type { LinkProof } from '../events.ts'

/** The purpose of the codes of links. */
const PURPOSE = 'passkey'

/** The binding of a code: its ID, and the email address that it was sent to, as long as the user has that address. */
function targetOf(codeId: string, address?: string): string {
  return address === undefined ? codeId : `${codeId}/${address}`
}

export interface CreatedLink {
  readonly user: Document<HumanUser>
  readonly codeId: string
  readonly code: string
}

/** Creates a link for an active user. Earlier ones stay valid: each until it is used or has expired. */
export async function createLink(app: App, origin: Origin, userId: string, delivery: Delivery): Promise<CreatedLink> {
  const codeId = app.newId()
  const { value } = await app.store.write(origin, async (work) => {
    const user = await readActiveHuman(work, userId)
    const { owner, state } = user
    const target = targetOf(codeId, delivery.type === 'send' ? state.email.address : undefined)
    const { code } = await issueCode(app, work, { userId, owner, purpose: PURPOSE, target })
    if (delivery.type === 'send') {
      await mailPasskeyLink(app, work, { user, codeId, code, urlTemplate: delivery.urlTemplate })
    }
    return { user, code }
  })
  return { ...value, codeId }
}

/** A link to the built-in page, for a caller who passes it on. */
export interface LinkAddress {
  readonly user: Document<HumanUser>
  readonly link: string
  readonly lifetimeMs: number
}

/** Creates a link that is returned instead of sent, as the address of the built-in page. */
export async function createLinkAddress(
  app: App,
  origin: Origin,
  userId: string,
  delivery: Delivery,
): Promise<LinkAddress> {
  const { user, codeId, code } = await createLink(app, origin, userId, delivery)
  return { user, link: passkeyLink(app, { user, codeId, code }), lifetimeMs: await codeLifetimeMs(app, PURPOSE) }
}

/** The code of a link, as the caller presents it. */
export interface ShownLink {
  readonly codeId: string
  readonly code: string
}

/**
 * Checks that this is a valid link of a user. Throws `verification.code_invalid` and counts a wrong code; a right one
 * is not used up. Returns the data for `useLink`.
 */
export async function proveByLink(
  app: App,
  origin: Origin,
  user: Document<HumanUser>,
  { codeId, code }: ShownLink,
): Promise<LinkProof> {
  const { id: userId, owner, state } = user
  const mailed = { userId, owner, purpose: PURPOSE, target: targetOf(codeId, state.email.address) } as const
  const target = (await hasOpenCode(app, mailed, origin.at)) ? mailed.target : targetOf(codeId)
  const what = { ...mailed, target, code }
  const { value: issue } = await app.store.write(origin, (work) => refuseWrongCode(app, work, what))
  return { issue, target }
}

/** Whether a link still is one of the user: not if the address was replaced since. */
function isOwnLink({ state }: Document<HumanUser>, { target }: LinkProof): boolean {
  const [codeId = ''] = target.split('/', 1)
  return target === codeId || target === targetOf(codeId, state.email.address)
}

/** Uses up a link in the commit that begins the registration it authorizes: nobody can begin another one with it. */
export async function useLink(work: Work, user: Document<HumanUser>, link: LinkProof): Promise<void> {
  const { id: userId, owner } = user
  const { issue, target } = link
  await useCode(work, { userId, owner, purpose: PURPOSE, target: isOwnLink(user, link) ? target : '', issue })
}

/** Throws unless the link that began a registration would still count: its address, and an active organization. */
export async function requireOwnLink(work: Work, user: Document<HumanUser>, link: LinkProof): Promise<void> {
  const isOpen = (await activeOrganization(work, user.owner)) !== undefined
  if (!isOpen || !isOwnLink(user, link)) throw refused(verificationRefusals, 'verification.code_invalid')
}
