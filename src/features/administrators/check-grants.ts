/** Checks roles that are granted or revoked: they must exist at that level, and the caller must hold them. */

import type { Call, Grant } from '../../access/call.ts'
import { covers } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import {
  currentGrantOf,
  type MembershipScope,
  membershipId,
  membershipIdIn,
  membershipRefusals,
  memberships,
  rolesProblem,
} from '../memberships/index.ts'

/** Throws unless these roles can be granted at this level. */
export function checkRoles({ level }: MembershipScope, roles: readonly string[]): void {
  const description = rolesProblem(level, roles)
  if (description === undefined) return
  throw refused(membershipRefusals, 'membership.roles_invalid', { violations: [{ field: 'roles', description }] })
}

/**
 * Throws unless the caller holds all permissions of these grants: by the token, which can hold less than its user, and by
 * the user's memberships, which are read again and guarded, so that a caller who loses a role before the commit cannot
 * grant it.
 */
export async function requireOwnGrants(
  app: App,
  work: Work,
  { caller }: Call,
  scope: MembershipScope,
  grants: readonly Grant[],
): Promise<void> {
  const own: Grant[] = []
  const ids = new Set([membershipId(app.instanceId, caller.userId), membershipIdIn(scope, caller.userId)])
  if ('place' in scope) {
    const { place } = scope
    ids.add(membershipId(place.ownerId, caller.userId))
    ids.add(membershipIdIn({ level: 'project', id: place.projectId, place }, caller.userId))
    if ('grantId' in place) ids.add(membershipId(place.grantedId, caller.userId))
  }
  for (const id of ids) {
    const document = await work.get(memberships, id)
    own.push(...(await currentGrantOf(work, document?.state ?? { status: 'none' })))
  }
  if (!covers(own, grants) || !covers(caller.grants, grants)) throw refused(membershipRefusals, 'membership.above_own')
}
