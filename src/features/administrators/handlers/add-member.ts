/** Adds a user as a member of the instance or of an organization, with roles that the caller holds. */

import type { Call } from '../../../access/call.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import {
  grantIn,
  type Membership,
  type MembershipScope,
  membershipIdIn,
  membershipRefusals,
  memberships,
  ownerOfScope,
} from '../../memberships/index.ts'
import { organizations } from '../../organizations/index.ts'
import { findProject, projectGrantRefusals, projectRefusals, readProjectGrant } from '../../projects/index.ts'
import { users } from '../../users/index.ts'
import { checkRoles, requireOwnGrants } from '../check-grants.ts'

export interface NewMember {
  readonly scope: MembershipScope
  readonly userId: string
  readonly roles: readonly string[]
  /** Of one in an export; not given: now. */
  readonly addedAt?: Instant | undefined
}

/** Throws when the scope is a project or grant that does not exist; guards it until the commit. */
async function requireProject(app: App, work: Work, scope: MembershipScope): Promise<void> {
  if (!('place' in scope)) return
  if ((await findProject(app, scope.place.projectId, work)) === undefined) {
    throw refused(projectRefusals, 'project.not_found')
  }
  if (scope.level === 'project_grant' && (await readProjectGrant(app, scope.id, work)) === undefined) {
    throw refused(projectGrantRefusals, 'project_grant.not_found')
  }
}

/**
 * Adds a member as part of a write. The user, the user's organization and the scope must exist until the commit. Does
 * not check the caller: `addMemberTo` does, and the first start has no caller.
 */
export async function appointMember(
  work: Work,
  { scope, userId, roles, addedAt = work.origin.at }: NewMember,
): Promise<Document<Membership>> {
  checkRoles(scope, roles)
  if (scope.level === 'organization' && (await work.get(organizations, scope.id)) === undefined) {
    throw refused(membershipRefusals, 'membership.organization_not_found')
  }
  const user = await work.get(users, userId)
  if (user === undefined || (await work.get(organizations, user.owner)) === undefined) {
    throw refused(membershipRefusals, 'membership.user_not_found')
  }
  const member = { scopeId: scope.id, userId, userOrganizationId: user.owner, roles, addedAt }
  const id = membershipIdIn(scope, userId)
  if (!('place' in scope)) {
    return work.decide(memberships, id, { type: 'add', level: scope.level, ...member }, scope.id)
  }
  const { level, place } = scope
  const project = {
    id: place.projectId,
    organizationId: place.ownerId,
    ...('grantId' in place && { grantedOrganizationId: place.grantedId }),
  }
  return work.decide(memberships, id, { type: 'add', level, project, ...member }, ownerOfScope(scope))
}

/** Adds a member as part of a write, if the caller holds the roles. */
export async function addMemberTo(app: App, work: Work, call: Call, member: NewMember): Promise<Document<Membership>> {
  const { scope, roles } = member
  checkRoles(scope, roles)
  await requireOwnGrants(app, work, call, scope, [grantIn(scope, roles)])
  await requireProject(app, work, scope)
  return appointMember(work, member)
}

/** Adds a member. */
export function addMember(app: App, call: Call, member: NewMember): Promise<Written<Document<Membership>>> {
  return app.store.write(call.origin, (work) => addMemberTo(app, work, call, member))
}
