/**
 * The instance always has an owner who can sign in, even if two owners are removed at the same time. A write that
 * removes an owner reads and guards another owner's membership, user and organization. If one of them changes before
 * the commit, the write runs again. Only another person takes the place of a person: a machine uses the API, but nobody
 * can sign in to the console as one.
 */

import type { Call } from '../../access/call.ts'
import { covers } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader, Work } from '../../store/index.ts'
import {
  grantOf,
  isInstanceOwner,
  type Member,
  type Membership,
  membershipId,
  membershipRefusals,
  memberships,
  ownersOf,
} from '../memberships/index.ts'
import { activePerson } from '../users/index.ts'

const PAGE_SIZE = 100

function isMember(state: Membership | undefined): state is Member {
  return state?.status === 'member'
}

/** Whether only a person can take the place of these owners, or a machine as well. */
type Successor = 'person' | 'anyone'

/** Whether this member is an owner who may act; guarded until the commit. */
async function isUsableOwner(reader: Reader, membershipId: string, successor: Successor): Promise<boolean> {
  const state = (await reader.get(memberships, membershipId))?.state
  if (!isMember(state) || !isInstanceOwner(state)) return false
  const type = (await activePerson(reader, state.userId))?.user.state.type
  return type === 'human' || (type === 'machine' && successor === 'anyone')
}

interface Owner {
  /** Of the membership. */
  readonly id: string
  readonly userId: string
}

/** The owners for whom `counts` is true, as they were when they were found. */
async function* ownersWho({ store, instanceId }: App, counts: (member: Member) => boolean): AsyncGenerator<Owner> {
  const where = ownersOf(instanceId)
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { documents } = await store.find(memberships, { where, orderBy: 'addedAt', limit: PAGE_SIZE, offset })
    for (const { id, state } of documents) if (isMember(state) && counts(state)) yield { id, userId: state.userId }
    if (documents.length < PAGE_SIZE) return
  }
}

/** Whether the instance has a usable owner among the members for whom `counts` is true. */
async function hasOwner(
  app: App,
  reader: Reader,
  successor: Successor,
  counts: (member: Member) => boolean,
): Promise<boolean> {
  for await (const { id } of ownersWho(app, counts)) if (await isUsableOwner(reader, id, successor)) return true
  return false
}

/** Whether the instance has an owner without this membership. Only the membership of an owner makes a difference. */
export async function hasOtherOwner(
  app: App,
  work: Work,
  membership: Document<Membership> | undefined,
): Promise<boolean> {
  const state = membership?.state
  if (membership === undefined || !isMember(state) || !isInstanceOwner(state)) return true
  const successor = (await isUsableOwner(work, membership.id, 'person')) ? 'person' : 'anyone'
  return hasOwner(app, work, successor, ({ userId }) => userId !== state.userId)
}

/** The most owners that are counted: who has more has no need of the exact number. */
const MOST_COUNTED = 100

/** How many people are owners of the instance and can sign in, up to 100. Somebody who is only invited cannot yet. */
export async function countOwners(app: App): Promise<number> {
  let [seen, people] = [0, 0]
  for await (const { userId } of ownersWho(app, () => true)) {
    const user = (await activePerson(app.store, userId))?.user.state
    if (user?.type === 'human' && !user.needsSetUp && user.invitation === undefined) people++
    if (++seen === MOST_COUNTED) break
  }
  return people
}

/**
 * Before an organization is deactivated or removed: throws when one of its users has a role on the instance that the
 * caller does not cover. Roles in other organizations do not count: with one, any other organization could keep this one
 * from closing.
 */
export async function requireCoversUsersOf(app: App, { caller }: Call, organizationId: string): Promise<void> {
  const where = { field: 'level', equals: 'instance' } as const
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { documents } = await app.store.find(memberships, { where, orderBy: 'id', limit: PAGE_SIZE, offset })
    for (const { state } of documents) {
      const isOfUser = isMember(state) && state.userOrganizationId === organizationId && state.userId !== caller.userId
      if (isOfUser && !covers(caller.grants, grantOf(state))) throw refused(membershipRefusals, 'user.above_own')
    }
    if (documents.length < PAGE_SIZE) return
  }
}

/** Before an organization is deactivated or removed: throws when the last owner of the instance is among its users. */
export async function keepOwnerOutside(app: App, work: Work, organizationId: string): Promise<void> {
  const isInside = ({ userOrganizationId }: Member) => userOrganizationId === organizationId
  // As they were before: in this work the organization is closed, and so are its users.
  const successor = (await hasOwner(app, app.store, 'person', isInside)) ? 'person' : 'anyone'
  if (await hasOwner(app, work, successor, (member) => !isInside(member))) return
  throw refused(membershipRefusals, 'membership.last_owner')
}

/** Runs before a user is locked or deactivated. Throws when the user is the last owner of the instance. */
export async function keepOwnerBeside(app: App, work: Work, userId: string): Promise<void> {
  const own = await work.get(memberships, membershipId(app.instanceId, userId))
  if (!(await hasOtherOwner(app, work, own))) throw refused(membershipRefusals, 'membership.last_owner')
}
