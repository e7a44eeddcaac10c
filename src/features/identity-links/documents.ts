/** The kind `identity-link`. The user who is linked to an account at a provider holds the claim on it. */

import { eachAtOnce } from '../../kernel/each-at-once.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Origin, type Page, type Query, type Reader, type Work } from '../../store/index.ts'
import { findProvider, type LivingProvider } from '../identity-providers/index.ts'
import { mayUsePath } from '../memberships/index.ts'
import { identityLink, type Link, type LivingLink, type ProposedLink } from './decider.ts'
import type { IdentityLink } from './events.ts'
import { identityLinkEvents } from './events.ts'
import { identityLinkRefusals } from './refusals.ts'

/** How many proposals somebody is asked about. */
const MOST_ASKED = 5

/** The claim on an account at a provider; its value is `accountKey`. */
export const IDENTITY_LINK_CLAIM = 'identity-link'

/** The key of an account at a provider: its ID there, never its name or address. Our IDs contain no space. */
export function accountKey(idpId: string, externalUserId: string): string {
  return `${idpId} ${externalUserId}`
}

/** The id of a link: user, provider and account. */
export function identityLinkId({
  userId,
  idpId,
  externalUserId,
}: Pick<IdentityLink, 'userId' | 'idpId' | 'externalUserId'>): string {
  return `${userId} ${accountKey(idpId, externalUserId)}`
}

/**
 * A removed link has none of these fields, so no condition on them matches it. Those of a proposal have other names, so that
 * nothing takes it for a link by mistake.
 */
export const identityLinks = kind({
  name: 'identity-link',
  ids: { joined: ['user', 'identity-provider', 'account'] },
  waits: { endsAlone: 'Only a sign-in at the provider confirms what was proposed.' },
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: identityLinkEvents,
  decider: identityLink,
  refusals: identityLinkRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    idpId: { path: ['idpId'], type: 'text' },
    accountsVersion: { path: ['accountsVersion'], type: 'number', indexed: false },
    proposedTo: { path: ['proposal', 'userId'], type: 'text', sparse: true },
    proposedAccount: { path: ['proposal', 'externalUserId'], type: 'text', sparse: true },
  },
  claims: (state) =>
    state.status === 'linked'
      ? [
          {
            kind: IDENTITY_LINK_CLAIM,
            within: { instance: 'Only a sign-in at the provider links an account.' },
            value: accountKey(state.idpId, state.externalUserId),
            taken: 'identity_link.taken',
          },
        ]
      : [],
  limits: [
    { things: 'identity provider links', holder: 'a user', by: ['userId'], number: 100 },
    { things: 'proposed identity provider links', holder: 'a user', by: ['proposedTo'], number: 100 },
  ],
})

/** A link before it is made. */
export type NewLink = Omit<IdentityLink, 'accountsVersion'>

declare const completed: unique symbol

/** An account whose owner has signed in with it just now. Only a sign-in at the provider that succeeded makes one. */
export interface CompletedSignIn extends Omit<NewLink, 'userId'> {
  readonly [completed]: true
}

/** Who says that an account is a user's, where nobody has signed in with it: the instance, or the user's organization. */
export type LinkSpeaker = 'instance' | 'organization'

/** Throws when a provider may not sign this user in: who controls it controls what it asserts. */
async function requireNotAbove(app: App, { owner, state }: Document<LivingProvider>, userId: string): Promise<void> {
  if (!(await mayUsePath(app, { owner, reach: state.reach }, userId))) {
    throw refused(identityLinkRefusals, 'identity_link.user_above_provider')
  }
}

async function decideLink(
  app: App,
  work: Work,
  { userId, idpId, externalUserId, externalUserName }: NewLink,
  organizationId: string,
  speaker: LinkSpeaker | 'account',
): Promise<Document<Link>> {
  const provider = await findProvider(app, idpId, work)
  if (provider !== undefined) await requireNotAbove(app, provider, userId)
  const { accountsVersion } = provider?.state ?? {}
  // The accounts at a provider of the instance belong to no organization.
  const isProposal = speaker === 'organization' && provider?.owner === app.instanceId
  const link = { userId, idpId, externalUserId, externalUserName }
  const command = {
    type: isProposal ? 'propose' : 'add',
    ...link,
    ...(accountsVersion !== undefined && { accountsVersion }),
  } as const
  return work.decide(identityLinks, identityLinkId(link), command, organizationId)
}

/** Links the account of somebody who has signed in with it to a user; refused when it is linked already, or when the user is above the provider. */
export function addIdentityLink(
  app: App,
  work: Work,
  userId: string,
  account: CompletedSignIn,
  organizationId: string,
): Promise<Document<Link>> {
  return decideLink(app, work, { ...account, userId }, organizationId, 'account')
}

/**
 * Links an account to a user because somebody says that it is theirs. What an organization says about a provider of the
 * instance is a proposal, whether the account is linked or not: several organizations can make it, and its owner confirms one.
 */
export function assertIdentityLink(
  app: App,
  work: Work,
  link: NewLink,
  organizationId: string,
  speaker: LinkSpeaker,
): Promise<Document<Link>> {
  return decideLink(app, work, link, organizationId, speaker)
}

/** The users of an organization who were proposed for an account, the first ones first. */
export async function usersProposedFor(
  app: App,
  { idpId, externalUserId }: Pick<NewLink, 'idpId' | 'externalUserId'>,
  organizationId: string,
): Promise<readonly string[]> {
  const all = [
    { field: 'proposedAccount', equals: externalUserId },
    { field: 'idpId', equals: idpId },
    { field: 'owner', equals: organizationId },
  ] as const
  const { documents } = await app.store.find(identityLinks, { where: { all }, orderBy: 'createdAt', limit: MOST_ASKED })
  const current = (await findProvider(app, idpId))?.state.accountsVersion ?? 0
  return documents.flatMap(({ state }) =>
    state.status === 'proposed' && state.accountsVersion === current ? [state.proposal.userId] : [],
  )
}

/**
 * Whether a user signs in with this account: it is linked, and the provider's accounts are still the same. Throws when the
 * user is above the provider. Inside a work the link and the provider are guarded.
 */
export async function isLinked(
  app: App,
  link: Omit<NewLink, 'externalUserName'>,
  reader: Reader = app.store,
): Promise<boolean> {
  const state = (await reader.get(identityLinks, identityLinkId(link)))?.state
  const provider = await findProvider(app, link.idpId, reader)
  if (state?.status !== 'linked' || provider === undefined) return false
  if (state.accountsVersion !== (provider.state.accountsVersion ?? 0)) return false
  await requireNotAbove(app, provider, link.userId)
  return true
}

/** The user who signs in with an account: undefined when it is not linked, or when the user is above the provider. */
export async function findLinkedUser(
  app: App,
  { idpId, externalUserId }: Pick<NewLink, 'idpId' | 'externalUserId'>,
  reader: Reader = app.store,
): Promise<string | undefined> {
  const linkId = await app.store.findClaimHolder(IDENTITY_LINK_CLAIM, accountKey(idpId, externalUserId))
  const link = linkId === undefined ? undefined : await reader.get(identityLinks, linkId)
  if (link?.state.status !== 'linked') return undefined
  const { userId } = link.state
  try {
    return (await isLinked(app, { userId, idpId, externalUserId }, reader)) ? userId : undefined
  } catch (error) {
    if (error instanceof Refused && error.code === 'identity_link.user_above_provider') return undefined
    throw error
  }
}

/** Removes a link as part of a write; refused when there is none, or when it is the user's last way to sign in. */
export async function removeIdentityLink(
  app: App,
  work: Work,
  link: Omit<NewLink, 'externalUserName'>,
  organizationId: string,
): Promise<Document<Link>> {
  const id = identityLinkId(link)
  const before = await work.get(identityLinks, id)
  if (before?.state.status === 'none' && before.owner === organizationId) return before
  if (before?.state.status === 'linked') {
    await app.lifecycle.beforeSignInMethodRemoved(app, work, link.userId, { type: 'identity_link', id })
  }
  return work.decide(identityLinks, id, { type: 'remove' }, organizationId)
}

/** The accounts that are linked to a user, or proposed, for those who made the proposals. */
export async function listStatedLinks(
  app: App,
  userId: string,
  page: Pick<Query, 'limit' | 'offset' | 'descending'>,
): Promise<Page<LivingLink | ProposedLink>> {
  const any = [
    { field: 'userId', equals: userId },
    { field: 'proposedTo', equals: userId },
  ] as const
  return (await app.store.find(identityLinks, { where: { any }, ...page })) as Page<LivingLink | ProposedLink>
}

/** The account of a link or a proposal. */
export function accountOfLink(state: LivingLink | ProposedLink): Omit<NewLink, 'userId'> {
  const { externalUserId, externalUserName } = state.status === 'linked' ? state : state.proposal
  return { idpId: state.idpId, externalUserId, externalUserName }
}

/** The accounts that a user can sign in with. */
export async function listIdentityLinks(
  app: App,
  userId: string,
  page: Pick<Query, 'limit' | 'offset' | 'descending'>,
): Promise<Page<LivingLink>> {
  const where = { field: 'userId', equals: userId } as const
  return (await app.store.find(identityLinks, { where, ...page })) as Page<LivingLink>
}

/** Whether a user can sign in with an account at a provider. */
export async function hasIdentityLink(app: App, userId: string): Promise<boolean> {
  const { total } = await app.store.find(identityLinks, { where: { field: 'userId', equals: userId }, limit: 1 })
  return total > 0
}

async function removeLinks(work: Work, ids: readonly string[]): Promise<void> {
  await eachAtOnce(ids, async (id) => {
    const link = await work.get(identityLinks, id)
    if (link !== undefined && link.state.status !== 'none') await work.decide(identityLinks, id, { type: 'remove' })
  })
}

/** The IDs of the links of a user, and of those that were proposed. */
async function idsOf(app: App, userId: string): Promise<readonly string[]> {
  const found = [
    await app.store.findIds(identityLinks, { field: 'userId', equals: userId }),
    await app.store.findIds(identityLinks, { field: 'proposedTo', equals: userId }),
  ]
  return found.flat()
}

/** Removes all links of a user in the commit that removes the user: the accounts can be linked to other users. */
export async function removeIdentityLinksOf(app: App, work: Work, userId: string): Promise<void> {
  await removeLinks(work, await idsOf(app, userId))
}

/** Removes up to `limit` links to accounts at a removed provider, and returns how many it removed. */
export async function removeLinksOfProvider(app: App, idpId: string, origin: Origin, limit: number): Promise<number> {
  const ids = await app.store.findIds(identityLinks, { field: 'idpId', equals: idpId }, limit)
  if (ids.length > 0) await app.store.write(origin, (work) => removeLinks(work, ids))
  return ids.length
}

/** Removes up to `limit` links to accounts that a provider had before it became another server. */
export async function removeReplacedLinks(app: App, idpId: string, origin: Origin, limit: number): Promise<number> {
  const current = (await findProvider(app, idpId))?.state.accountsVersion ?? 0
  const all = [
    { field: 'idpId', equals: idpId },
    { field: 'accountsVersion', below: current },
  ] as const
  const ids = await app.store.findIds(identityLinks, { all }, limit)
  if (ids.length > 0) await app.store.write(origin, (work) => removeLinks(work, ids))
  return ids.length
}

/** Gives a user the links that they have in another product now, as part of a write. */
export async function followLinks(
  app: App,
  work: Work,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  links: readonly Omit<NewLink, 'userId'>[],
): Promise<void> {
  const wanted = new Map(links.map((link) => [identityLinkId({ userId, ...link }), link]))
  const known = await idsOf(app, userId)
  await removeLinks(
    work,
    known.filter((id) => !wanted.has(id)),
  )
  for (const [id, link] of wanted) {
    if ((await work.get(identityLinks, id))?.state.status === 'linked') continue
    await assertIdentityLink(app, work, { userId, ...link }, organizationId, 'instance')
  }
}
