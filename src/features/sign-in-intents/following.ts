/** Who it is that signed in at a provider: the person the account is linked to, or becomes linked to by policy. */
import { searchText } from '../../kernel/fold-text.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Work } from '../../store/index.ts'
import {
  accountKey,
  addIdentityLink,
  IDENTITY_LINK_CLAIM,
  type IdentityLink,
  identityLinks,
} from '../identity-links/index.ts'
import { canonicalName, type HumanUser, isLiving, type User, users } from '../users/index.ts'
import { draftOfPerson, emailOf, externalUserNameOf, userNameOf } from './identity.ts'
import type { AddPreparedHuman, IntentsNeeds, Provider } from './needs.ts'
import type { ProviderAnswer } from './relying-party.ts'

/** An account that somebody has just signed in with. */
export interface Account {
  readonly provider: Provider
  readonly answer: ProviderAnswer
  /** Where somebody who is new belongs. */
  readonly organizationId: string
}

/** Finds or makes the person, as part of a write; undefined when the account stays nobody's. */
export type Follow = (work: Work) => Promise<string | undefined>

type Needs = Pick<IntentsNeeds, 'store' | 'instanceId' | 'isOffered' | 'prepareHuman'>

/** The link of the account as the log has it; guarded, so that nobody else links it meanwhile. */
async function linkedUser({ store }: Needs, work: Work, key: string): Promise<string | undefined> {
  const linkId = await store.findClaimHolder(IDENTITY_LINK_CLAIM, key)
  const link = linkId === undefined ? undefined : await work.get(identityLinks, linkId)
  return link?.state.status === 'linked' ? link.state.userId : undefined
}

/** Whether this person, and nobody else, is meant by an address that the provider has verified. */
function isMeant(user: User, address: string, userName: string | undefined): user is HumanUser {
  return (
    isLiving(user) &&
    user.type === 'human' &&
    user.status === 'active' &&
    user.email.isVerified &&
    user.search.email === searchText(address) &&
    (userName === undefined || user.search.userName === canonicalName(userName))
  )
}

/** The one person to link the account to: by an address that both sides have verified, or not at all. */
async function findPerson({ store, instanceId }: Needs, { provider, answer }: Account) {
  const { options, owner } = provider
  const email = emailOf(answer.claims, provider)
  const isWanted = options.isLinkingAllowed && options.autoLinking !== 'none'
  if (!isWanted || email?.isVerified !== true) return undefined
  const userName = options.autoLinking === 'username' ? userNameOf(answer.claims, provider) : undefined
  if (options.autoLinking === 'username' && userName === undefined) return undefined
  const isThere = { field: 'email', equals: searchText(email.address) } as const
  const where = owner === instanceId ? isThere : { all: [isThere, { field: 'owner', equals: owner } as const] }
  const { documents } = await store.find(users, { where, limit: 10 })
  const meant = documents.filter(({ state }) => isMeant(state, email.address, userName))
  const [person] = meant
  if (person === undefined || meant.length !== 1 || documents.length === 10) return undefined
  return { person, isStillMeant: (user: User) => isMeant(user, email.address, userName) }
}

/** A person made through the mappings, checked; undefined when policy or the provider's words do not allow it. */
async function prepareNew({ prepareHuman }: Needs, account: Account): Promise<AddPreparedHuman | undefined> {
  const { provider, answer, organizationId } = account
  const { isAutoCreation, isCreationAllowed } = provider.options
  if (!isAutoCreation || !isCreationAllowed) return undefined
  const draft = draftOfPerson(answer.claims, provider)
  if (draft === undefined) return undefined
  try {
    return await prepareHuman(organizationId, draft)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Lets a person follow what the provider says now: names, and an address that it vouches for. */
async function updatePerson(work: Work, { provider, answer }: Account, userId: string): Promise<void> {
  const draft = provider.options.isAutoUpdate ? draftOfPerson(answer.claims, provider) : undefined
  const user = draft === undefined ? undefined : (await work.get(users, userId))?.state
  if (draft === undefined || user === undefined || !isLiving(user) || user.type !== 'human') return
  const told = Object.entries(draft.profile).filter(([, value]) => value !== undefined)
  const profile = { ...user.profile, ...Object.fromEntries(told) }
  await work.decide(users, userId, { type: 'change_profile', profile })
  const { address, verification } = draft.email
  if (verification.type === 'known')
    await work.decide(users, userId, { type: 'change_email', address, isVerified: true })
}

/** Gathers what is needed to say who it is. The write that follows says it, on what is true then. */
export async function prepareFollowing(needs: Needs, account: Account): Promise<Follow> {
  const { provider, answer, organizationId } = account
  const key = accountKey(provider.id, answer.subject)
  const isLinked = (await needs.store.findClaimHolder(IDENTITY_LINK_CLAIM, key)) !== undefined
  const found = isLinked ? undefined : await findPerson(needs, account)
  const addNew = isLinked || found !== undefined ? undefined : await prepareNew(needs, account)
  const linkFor = (userId: string): IdentityLink => ({
    userId,
    idpId: provider.id,
    externalUserId: answer.subject,
    externalUserName: externalUserNameOf(answer.claims, answer.subject),
  })
  return async (work) => {
    const known = await linkedUser(needs, work, key)
    if (known !== undefined) {
      await updatePerson(work, account, known)
      return known
    }
    if (found !== undefined) {
      const { person, isStillMeant } = found
      const user = await work.get(users, person.id)
      if (user === undefined || !isStillMeant(user.state)) return undefined
      if (!(await needs.isOffered(work, provider.id, user.owner))) return undefined
      await addIdentityLink(work, linkFor(user.id), user.owner)
      return user.id
    }
    if (addNew === undefined || !(await needs.isOffered(work, provider.id, organizationId))) return undefined
    const userId = await addNew(work)
    await addIdentityLink(work, linkFor(userId), organizationId)
    return userId
  }
}
