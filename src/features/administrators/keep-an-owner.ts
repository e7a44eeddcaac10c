/**
 * The instance always has an owner who can sign in, even if two owners are removed at the same time. A write that
 * removes an owner reads and guards another owner's membership, user and organization. If one of them changes before
 * the commit, the write runs again.
 */

import type { Call } from '../../access/call.ts'
import { covers } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document, Work } from '../../store/index.ts'
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

/** Whether this member is an owner who can sign in; guarded until the commit. */
async function isUsableOwner(work: Work, membershipId: string): Promise<boolean> {
  const state = (await work.get(memberships, membershipId))?.state
  if (!isMember(state) || !isInstanceOwner(state)) return false
  return (await activePerson(work, state.userId)) !== undefined
}

/** Whether the instance has a usable owner among the members for whom `counts` is true. */
async function hasOwner(app: App, work: Work, counts: (member: Member) => boolean): Promise<boolean> {
  const where = ownersOf(app.instanceId)
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { documents } = await app.store.find(memberships, { where, orderBy: 'addedAt', limit: PAGE_SIZE, offset })
    for (const { id, state } of documents) {
      if (isMember(state) && counts(state) && (await isUsableOwner(work, id))) return true
    }
    if (documents.length < PAGE_SIZE) return false
  }
}

/** Whether the instance has an owner without this membership. Only the membership of an owner makes a difference. */
export async function hasOtherOwner(
  app: App,
  work: Work,
  membership: Document<Membership> | undefined,
): Promise<boolean> {
  const state = membership?.state
  if (!isMember(state) || !isInstanceOwner(state)) return true
  return hasOwner(app, work, ({ userId }) => userId !== state.userId)
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
  if (await hasOwner(app, work, ({ userOrganizationId }) => userOrganizationId !== organizationId)) return
  throw refused(membershipRefusals, 'membership.last_owner')
}

/** Runs before a user is locked or deactivated. Throws when the user is the last owner of the instance. */
export async function keepOwnerBeside(app: App, work: Work, userId: string): Promise<void> {
  const own = await work.get(memberships, membershipId(app.instanceId, userId))
  if (!(await hasOtherOwner(app, work, own))) throw refused(membershipRefusals, 'membership.last_owner')
}
