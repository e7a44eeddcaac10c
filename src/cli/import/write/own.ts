/** Writes what only an export of Signet has in lines of its own. */

import { assertIdentityLink, identityLinkId, identityLinks } from '../../../features/identity-links/index.ts'
import { canUseKeysOf, importPasskey, passkeys } from '../../../features/passkeys/index.ts'
import { restoreProviderChoices, settings } from '../../../features/settings/index.ts'
import { isLiving, userRefusals, users } from '../../../features/users/index.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Work } from '../../../store/index.ts'
import type * as Own from '../own-drafts.ts'
import { isThere, ownerOf, type WriteDraft, type WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }
const CARRIED: WriteEnd = { end: 'carried' }

/** The organization of a user who is there. */
async function organizationOf(work: Work, userId: string): Promise<string> {
  const user = await work.get(users, userId)
  if (user === undefined || !isLiving(user.state)) throw refused(userRefusals, 'user.not_found')
  return user.owner
}

export const writeProviderChoices: WriteDraft<Own.ProviderChoicesDraft> = async ({ app, work, draft }) => {
  const owner = ownerOf(app, draft)
  if ((await work.get(settings, owner))?.state.providers !== undefined) return THERE
  await restoreProviderChoices(work, owner, draft)
  return CARRIED
}

export const writePasskey: WriteDraft<Own.OwnPasskeyDraft> = async ({ app, work, draft, left }) => {
  const { kind: _, createdAt, changedAt, restores, organizationId, use, ...rest } = draft
  const owner = await organizationOf(work, draft.userId)
  if (await isThere(work, passkeys, draft.id, owner)) return THERE
  await importPasskey(work, { ...rest, owner, use: use === 'passkey' ? 'passkey' : 'second_factor' })
  if (!canUseKeysOf(app, draft.rpId))
    left.push(`The passkey was carried, but works only where the address of this server is ${draft.rpId}.`)
  return CARRIED
}

export const writeLink: WriteDraft<Own.LinkDraft> = async ({ app, work, draft }) => {
  const { userId, providerId: idpId, externalUserId, externalUserName } = draft
  const link = { userId, idpId, externalUserId, externalUserName }
  const owner = await organizationOf(work, userId)
  const before = (await work.get(identityLinks, identityLinkId(link)))?.state.status ?? 'none'
  if (before === 'linked' || (before === 'proposed' && draft.isProposal)) return THERE
  await assertIdentityLink(app, work, link, owner, draft.isProposal ? 'organization' : 'instance')
  return CARRIED
}
