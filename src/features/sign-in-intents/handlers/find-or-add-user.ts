/** Finds the user of an account at a provider: the linked user, or one that the policy allows to link or create. */

import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { addHuman, fieldsOfHuman, type PreparedHuman, prepareHuman } from '../../humans/index.ts'
import { accountKey, addIdentityLink, findLinkedUser, IDENTITY_LINK_CLAIM } from '../../identity-links/index.ts'
import type { OpenedProvider } from '../../identity-providers/index.ts'
import { mayUsePath } from '../../memberships/index.ts'
import { hasProvenAddress } from '../../statements/index.ts'
import {
  decideUser,
  type HumanUser,
  holdersOfAddress,
  isHeldByDirectory,
  isLiving,
  onlyOwner,
  users,
} from '../../users/index.ts'
import { completedSignIn } from '../completed-sign-in.ts'
import { draftOfPerson, externalUserNameOf } from '../identity.ts'
import { type ProposedTo, proposedUsers, wantedPerson } from '../proposed-users.ts'
import { isOffered } from '../provider-rules.ts'
import type { ProviderAnswer } from '../relying-party.ts'

/** The account of a sign-in. */
export interface Account extends KnownAccount {
  /** The organization of a new user. */
  readonly organizationId: string
  /** The organization whose pages the person visits, if it is another one. */
  readonly visitedId?: string | undefined
}

/** An account at a provider, and what the provider says about it. */
export interface KnownAccount {
  readonly provider: OpenedProvider
  readonly answer: Pick<ProviderAnswer, 'subject' | 'claims'>
}

/** Finds or adds the user as part of a write; undefined when the account has no user. */
export type FindOrAddUser = (work: Work) => Promise<string | undefined>

/**
 * The one user to link the account to, to whom an address belongs that the provider has verified; or none. At a provider of
 * the instance, only who has proven the address: what one organization says about it must not catch the people of another.
 */
async function findPerson(app: App, { provider, answer }: KnownAccount) {
  const { owner } = provider
  const wanted = wantedPerson(provider, answer.claims)
  if (wanted === undefined) return undefined
  const isOfInstance = owner === app.instanceId
  const holders = await holdersOfAddress(app, wanted.address, isOfInstance ? undefined : owner)
  const meant = holders.filter(({ state }) => wanted.isMeant(state))
  const person = onlyOwner(isOfInstance ? await proven(app, meant, wanted.address) : meant)
  if (person === undefined) return undefined
  // Who controls a provider can have it assert any address.
  if (!(await mayUsePath(app, provider, person.id))) return undefined
  return { person, isStillMeant: wanted.isMeant }
}

/** Those who have proven an address: with a code from its mailbox, or by the domain of their organization. */
async function proven(app: App, holders: readonly Document<HumanUser>[], address: string) {
  const isProven = await Promise.all(holders.map((user) => hasProvenAddress(app, user, address)))
  return holders.filter((_, index) => isProven[index])
}

/** A new user from the claims, checked; undefined when the policy or the claims do not allow it. */
async function prepareNew(app: App, account: Account): Promise<PreparedHuman | undefined> {
  const { provider, answer, organizationId } = account
  const { isAutoCreation, isCreationAllowed } = provider.options
  if (!isAutoCreation || !isCreationAllowed) return undefined
  const draft = draftOfPerson(answer.claims, provider)
  if (draft === undefined) return undefined
  try {
    return await prepareHuman(app, organizationId, draft, fieldsOfHuman())
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Updates a user from the claims of the provider: names, and an address that it has verified. */
async function updatePerson(work: Work, { provider, answer }: Account, userId: string): Promise<void> {
  const draft = provider.options.isAutoUpdate ? draftOfPerson(answer.claims, provider) : undefined
  const user = draft === undefined ? undefined : (await work.get(users, userId))?.state
  if (draft === undefined || user === undefined || !isLiving(user) || user.type !== 'human') return
  // What a directory writes is not written by a provider; who signs in is not kept waiting for it.
  if (await isHeldByDirectory(work, userId)) return
  const told = Object.entries(draft.profile).filter(([, value]) => value !== undefined)
  const profile = { ...user.profile, ...Object.fromEntries(told) }
  await decideUser(work, userId, { type: 'change_profile', profile })
  const { address, verification } = draft.email
  if (verification.type === 'known')
    await decideUser(work, userId, {
      type: 'change_email',
      address,
      isVerified: true,
      basis: 'asserted',
      at: work.origin.at,
    })
}

/** The user whose account it is. */
function linkedUser(app: App, { provider, answer }: KnownAccount, work: Work): Promise<string | undefined> {
  return findLinkedUser(app, { idpId: provider.id, externalUserId: answer.subject }, work)
}

/** The user whom the address of the account means, unless the account has a user. */
async function personToLink(app: App, account: KnownAccount) {
  const key = accountKey(account.provider.id, account.answer.subject)
  const isLinked = (await app.store.findClaimHolder(IDENTITY_LINK_CLAIM, key)) !== undefined
  return { isLinked, found: isLinked ? undefined : await findPerson(app, account) }
}

/** The account, whose owner has signed in at the provider just now. */
function accountOf({ provider, answer }: KnownAccount) {
  const { subject, claims } = answer
  return completedSignIn({
    idpId: provider.id,
    externalUserId: subject,
    externalUserName: externalUserNameOf(claims, subject),
  })
}

type FoundPerson = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** Links the account to the user who was found, if they are still meant and may use the provider. */
async function linkPerson(app: App, account: KnownAccount, { person, isStillMeant }: FoundPerson, work: Work) {
  const user = await work.get(users, person.id)
  if (user === undefined || !isStillMeant(user.state)) return undefined
  const who = { userId: user.id, organizationId: user.owner }
  if (!(await isOffered(app, account.provider.id, who, work))) return undefined
  await addIdentityLink(app, work, user.id, accountOf(account), user.owner)
  return user.id
}

/** Whether the person is asked first: they may have a user in the organization that they visit. */
async function isProposed(app: App, { provider, answer, organizationId, visitedId = organizationId }: Account) {
  const to: ProposedTo = { provider, externalUserId: answer.subject, claims: answer.claims, visitedId }
  return (await proposedUsers(app, to)).length > 0
}

/** Gathers the data to find or add the user. The write that follows decides again. */
export async function prepareUser(app: App, account: Account): Promise<FindOrAddUser> {
  const { provider, organizationId } = account
  const { isLinked, found } = await personToLink(app, account)
  const isKnown = isLinked || found !== undefined || (await isProposed(app, account))
  const prepared = isKnown ? undefined : await prepareNew(app, account)
  return async (work) => {
    const known = await linkedUser(app, account, work)
    if (known !== undefined) {
      await updatePerson(work, account, known)
      return known
    }
    if (found !== undefined) return linkPerson(app, account, found, work)
    if (prepared === undefined || !(await isOffered(app, provider.id, { organizationId }, work))) return undefined
    const userId = (await addHuman(app, work, prepared)).user.id
    await addIdentityLink(app, work, userId, accountOf(account), organizationId)
    return userId
  }
}

/** Gathers the data to find the user, where nobody is added and nothing about them is changed: they did not sign in. */
export async function prepareKnownUser(app: App, account: KnownAccount): Promise<FindOrAddUser> {
  const { found } = await personToLink(app, account)
  return async (work) => {
    const known = await linkedUser(app, account, work)
    return known ?? (found && linkPerson(app, account, found, work))
  }
}
