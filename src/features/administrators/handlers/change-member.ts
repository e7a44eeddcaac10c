/** Replaces or revokes the roles of a member, and removes the memberships of a removed user. */

import type { Call } from '../../../access/call.ts'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import {
  grantIn,
  grantOf,
  type Membership,
  type MembershipScope,
  membershipId,
  membershipIdIn,
  memberships,
  ownerOfScope,
} from '../../memberships/index.ts'
import { checkRoles, requireOwnGrants } from '../check-grants.ts'
import { hasOtherOwner } from '../keep-an-owner.ts'
import type { NewMember } from './add-member.ts'

/** Replaces the roles of a member. The caller must hold the old and the new ones. */
export function changeMember(
  app: App,
  call: Call,
  { scope, userId, roles }: NewMember,
): Promise<Written<Document<Membership>>> {
  checkRoles(scope, roles)
  return app.store.write(call.origin, async (work) => {
    const id = membershipIdIn(scope, userId)
    const before = await work.get(memberships, id)
    const concerned = [...grantOf(before?.state ?? { status: 'none' }), grantIn(scope, roles)]
    await requireOwnGrants(app, work, call, scope, concerned)
    const command = { type: 'change', roles, hasOtherOwner: await hasOtherOwner(app, work, before) } as const
    return work.decide(memberships, id, command, ownerOfScope(scope))
  })
}

/** Revokes all roles of a member. The caller must hold them. */
export function removeMember(
  app: App,
  call: Call,
  scope: MembershipScope,
  userId: string,
): Promise<Written<Document<Membership>>> {
  return app.store.write(call.origin, async (work) => {
    const id = membershipIdIn(scope, userId)
    const before = await work.get(memberships, id)
    await requireOwnGrants(app, work, call, scope, grantOf(before?.state ?? { status: 'none' }))
    const command = { type: 'remove', hasOtherOwner: await hasOtherOwner(app, work, before) } as const
    return work.decide(memberships, id, command, ownerOfScope(scope))
  })
}

/**
 * Removes the memberships of a user in the commit that removes the user. Refused for the last owner of the instance.
 * The membership on the instance is always read, so that the user cannot become an owner meanwhile.
 */
export async function removeMembershipsOf(app: App, work: Work, userId: string): Promise<void> {
  const found = await app.store.findIds(memberships, { field: 'userId', equals: userId })
  await eachAtOnce(new Set([membershipId(app.instanceId, userId), ...found]), async (id) => {
    const before = await work.get(memberships, id)
    if (before?.state.status !== 'member') return
    await work.decide(memberships, id, { type: 'remove', hasOtherOwner: await hasOtherOwner(app, work, before) })
  })
}

/** Gives a member the roles of another product, as part of a write; without roles the membership ends. */
export async function followMember(
  app: App,
  work: Work,
  { membershipId: id, roles }: { readonly membershipId: string; readonly roles: readonly string[] },
): Promise<void> {
  const before = await work.get(memberships, id)
  const hasOther = { hasOtherOwner: await hasOtherOwner(app, work, before) }
  await work.decide(
    memberships,
    id,
    roles.length === 0 ? { type: 'remove', ...hasOther } : { type: 'change', roles, ...hasOther },
  )
}
