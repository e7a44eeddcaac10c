/** Giving, changing and taking roles, in whichever service's words it was asked. */
import type { Call, Grant } from '../../access/call.ts'
import { covers } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { organizations } from '../organizations/index.ts'
import { users, type WhenRemoved } from '../users/index.ts'
import { isInstanceOwner, type Membership, rolesProblem } from './decider.ts'
import { grantOf, type MembershipScope, membershipId, memberships } from './documents.ts'
import type { MembershipsNeeds } from './needs.ts'
import { hasOwner } from './owners.ts'
import { membershipRefusals } from './refusals.ts'

export interface NewMember {
  readonly scope: MembershipScope
  readonly userId: string
  readonly roles: readonly string[]
}

function checkRoles({ level }: MembershipScope, roles: readonly string[]): void {
  const description = rolesProblem(level, roles)
  if (description === undefined) return
  throw refused(membershipRefusals, 'membership.roles_invalid', { violations: [{ field: 'roles', description }] })
}

function grantIn({ level, id }: MembershipScope, roles: readonly string[]): Grant {
  return {
    scope: level === 'instance' ? 'instance' : { organizationId: id },
    roles,
  }
}

/**
 * Throws unless the caller holds all that these grants give. What the caller holds is read again and guarded: who
 * loses a role while they give it away gives nothing.
 */
async function checkCovered(
  work: Work,
  instanceId: string,
  { caller }: Call,
  scope: MembershipScope,
  grants: readonly Grant[],
): Promise<void> {
  const own: Grant[] = []
  for (const scopeId of new Set([instanceId, scope.id])) {
    const document = await work.get(memberships, membershipId(scopeId, caller.userId))
    own.push(...grantOf(document?.state ?? { status: 'none' }))
  }
  if (!covers(own, grants)) throw refused(membershipRefusals, 'membership.above_own')
}

/**
 * Makes a user a member as part of a write. User, the user's organization and the scope must be there, and stay until
 * the commit. Nobody is asked whether they may: that is for `addMember`, or for a first start.
 */
export async function appointMember(work: Work, { scope, userId, roles }: NewMember): Promise<Document<Membership>> {
  checkRoles(scope, roles)
  if (scope.level === 'organization' && (await work.get(organizations, scope.id)) === undefined) {
    throw refused(membershipRefusals, 'membership.organization_not_found')
  }
  const user = await work.get(users, userId)
  if (user === undefined || (await work.get(organizations, user.owner)) === undefined) {
    throw refused(membershipRefusals, 'membership.user_not_found')
  }
  const { level, id: scopeId } = scope
  const member = { level, scopeId, userId, userOrganizationId: user.owner, roles, addedAt: work.origin.at }
  return work.decide(memberships, membershipId(scopeId, userId), { type: 'add', ...member }, scopeId)
}

/** Makes a user a member as part of a write, if the caller holds those roles themself. */
export async function addMemberTo(
  { instanceId }: MembershipsNeeds,
  work: Work,
  call: Call,
  member: NewMember,
): Promise<Document<Membership>> {
  const { scope, roles } = member
  checkRoles(scope, roles)
  await checkCovered(work, instanceId, call, scope, [grantIn(scope, roles)])
  return appointMember(work, member)
}

/** Makes a user a member. */
export function addMember(
  needs: MembershipsNeeds,
  call: Call,
  member: NewMember,
): Promise<Written<Document<Membership>>> {
  return needs.store.write(call.origin, (work) => addMemberTo(needs, work, call, member))
}

async function otherOwner(
  { store, instanceId }: MembershipsNeeds,
  work: Work,
  membership: Document<Membership> | undefined,
  userId: string,
): Promise<boolean> {
  // Only an owner of the instance needs another one to be there.
  if (membership === undefined || !isInstanceOwner(membership.state)) return true
  return hasOwner(store, work, instanceId, (member) => member.userId !== userId)
}

/** Replaces the roles of a member. */
export function changeMember(
  needs: MembershipsNeeds,
  call: Call,
  { scope, userId, roles }: NewMember,
): Promise<Written<Document<Membership>>> {
  checkRoles(scope, roles)
  return needs.store.write(call.origin, async (work) => {
    const id = membershipId(scope.id, userId)
    const before = await work.get(memberships, id)
    const concerned = [...grantOf(before?.state ?? { status: 'none' }), grantIn(scope, roles)]
    await checkCovered(work, needs.instanceId, call, scope, concerned)
    const hasOtherOwner = await otherOwner(needs, work, before, userId)
    return work.decide(memberships, id, { type: 'change', roles, hasOtherOwner }, scope.id)
  })
}

/** Takes all roles of a member. */
export function removeMember(
  needs: MembershipsNeeds,
  call: Call,
  scope: MembershipScope,
  userId: string,
): Promise<Written<Document<Membership>>> {
  return needs.store.write(call.origin, async (work) => {
    const id = membershipId(scope.id, userId)
    const before = await work.get(memberships, id)
    await checkCovered(work, needs.instanceId, call, scope, grantOf(before?.state ?? { status: 'none' }))
    const hasOtherOwner = await otherOwner(needs, work, before, userId)
    return work.decide(memberships, id, { type: 'remove', hasOtherOwner }, scope.id)
  })
}

const AT_ONCE = 100

/**
 * Ends the memberships of a user who is being removed, in the same commit; refused for the last owner of the instance.
 * The membership on the instance is read whether it is there or not, so that nobody can become an owner meanwhile.
 */
export function removeMembershipsOf(needs: MembershipsNeeds): WhenRemoved {
  return async (work, userId) => {
    const ids = new Set([membershipId(needs.instanceId, userId)])
    const where = { field: 'userId', equals: userId } as const
    for (let offset = 0, more = true; more; offset += AT_ONCE) {
      const { documents } = await needs.store.find(memberships, { where, orderBy: 'id', limit: AT_ONCE, offset })
      for (const { id } of documents) ids.add(id)
      more = documents.length === AT_ONCE
    }
    for (const id of ids) {
      const before = await work.get(memberships, id)
      if (before?.state.status !== 'member') continue
      const hasOtherOwner = await otherOwner(needs, work, before, userId)
      await work.decide(memberships, id, { type: 'remove', hasOtherOwner })
    }
  }
}

/** Ends up to `limit` memberships in an organization that was removed; answers how many there were. */
export function sweepMemberships(store: Store) {
  return async (organizationId: string, origin: Origin, limit: number): Promise<number> => {
    const where = { field: 'scopeId', equals: organizationId } as const
    const { documents } = await store.find(memberships, { where, orderBy: 'id', limit })
    await store.write(origin, async (work) => {
      for (const { id } of documents) {
        const before = await work.get(memberships, id)
        if (before?.state.status !== 'member') continue
        await work.decide(memberships, id, { type: 'remove', hasOtherOwner: true })
      }
    })
    return documents.length
  }
}

/** Removes up to `limit` users of an organization that was removed, with all that other rooms keep for them. */
export function sweepUsers(store: Store, whenRemoved: readonly WhenRemoved[]) {
  return async (organizationId: string, origin: Origin, limit: number): Promise<number> => {
    const where = { field: 'owner', equals: organizationId } as const
    const { documents } = await store.find(users, { where, orderBy: 'id', limit })
    for (const { id } of documents) {
      await store.write(origin, async (work) => {
        if ((await work.get(users, id)) === undefined) return
        for (const step of whenRemoved) await step(work, id)
        await work.decide(users, id, { type: 'remove' })
      })
    }
    return documents.length
  }
}
