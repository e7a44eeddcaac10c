/** The kind `identity-link`: an account at a provider is claimed by the one person who signs in with it. */
import { type Document, kind, type Origin, type Page, type Query, type Store, type Work } from '../../store/index.ts'
import { identityLink, type Link, type LivingLink } from './decider.ts'
import type { IdentityLink } from './events.ts'
import { identityLinkEvents } from './events.ts'
import { identityLinkRefusals } from './refusals.ts'

/** The claim on an account at a provider; its value is `accountKey`. */
export const IDENTITY_LINK_CLAIM = 'identity-link'

/** An account at a provider as one text: its id there decides, never its name or address. No id of ours has a space. */
export function accountKey(idpId: string, externalUserId: string): string {
  return `${idpId} ${externalUserId}`
}

/** The id of a link follows from whose it is and to what. */
export function identityLinkId({ userId, idpId, externalUserId }: Omit<IdentityLink, 'externalUserName'>): string {
  return `${userId} ${accountKey(idpId, externalUserId)}`
}

/** A link that was removed has none of these fields, so that a condition on any of them leaves it out. */
export const identityLinks = kind({
  name: 'identity-link',
  version: 1,
  events: identityLinkEvents,
  decider: identityLink,
  refusals: identityLinkRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    idpId: { path: ['idpId'], type: 'text' },
  },
  claims: (state) =>
    state.status === 'linked'
      ? [
          {
            kind: IDENTITY_LINK_CLAIM,
            value: accountKey(state.idpId, state.externalUserId),
            taken: 'identity_link.taken',
          },
        ]
      : [],
})

/** Links an account to a person as part of a write; refused when it is linked to anybody. */
export function addIdentityLink(work: Work, link: IdentityLink, organizationId: string): Promise<Document<Link>> {
  return work.decide(identityLinks, identityLinkId(link), { type: 'add', ...link }, organizationId)
}

/** Ends a link as part of a write; refused when there is none. */
export function removeIdentityLink(
  work: Work,
  link: Omit<IdentityLink, 'externalUserName'>,
  organizationId: string,
): Promise<Document<Link>> {
  return work.decide(identityLinks, identityLinkId(link), { type: 'remove' }, organizationId)
}

/** The accounts that a person can sign in with. */
export async function listIdentityLinks(
  store: Store,
  userId: string,
  page: Pick<Query, 'limit' | 'offset' | 'descending'>,
): Promise<Page<LivingLink>> {
  // A link that was removed has no user, and is not found by one.
  return (await store.find(identityLinks, { where: { field: 'userId', equals: userId }, ...page })) as Page<LivingLink>
}

/** Whether a person can sign in with an account elsewhere. */
export async function hasIdentityLink(store: Store, userId: string): Promise<boolean> {
  const { total } = await store.find(identityLinks, { where: { field: 'userId', equals: userId }, limit: 1 })
  return total > 0
}

const AT_ONCE = 500

/** What goes when a user is removed: the accounts are free for somebody else. */
export function removeIdentityLinksOf(store: Store) {
  return async (work: Work, userId: string): Promise<void> => {
    const where = { field: 'userId', equals: userId } as const
    for (let offset = 0, more = true; more; offset += AT_ONCE) {
      const { documents } = await store.find(identityLinks, { where, orderBy: 'id', limit: AT_ONCE, offset })
      for (const { id } of documents) {
        const link = await work.get(identityLinks, id)
        if (link?.state.status === 'linked') await work.decide(identityLinks, id, { type: 'remove' })
      }
      more = documents.length === AT_ONCE
    }
  }
}

/** What goes when a provider is removed: up to `limit` links to accounts there; answers how many there were. */
export function sweepLinksOfProvider(store: Store) {
  return async (idpId: string, origin: Origin, limit: number): Promise<number> => {
    const { documents } = await store.find(identityLinks, { where: { field: 'idpId', equals: idpId }, limit })
    if (documents.length === 0) return 0
    await store.write(origin, async (work) => {
      for (const { id } of documents) {
        const link = await work.get(identityLinks, id)
        if (link?.state.status === 'linked') await work.decide(identityLinks, id, { type: 'remove' })
      }
    })
    return documents.length
  }
}
