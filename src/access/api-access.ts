/**
 * What an application may do with our own API: at most what those hold who control it. They choose where it sends people
 * and what it asks for, so a token that it gets acts with no role that they do not have, whoever uses the application.
 */
import { type ApiAccess, INSTANCE_OWNER, ORGANIZATION_OWNER, PROJECT_OWNER } from '../kernel/role.ts'
import type { Grant, ProjectScope } from './call.ts'
import { covers } from './roles.ts'

const HIGHEST_FIRST: readonly ApiAccess[] = ['instance', 'organization', 'project', 'none']

/** All that can be done at a level: the role of its owner. */
function ownersAt(access: ApiAccess, place: ProjectScope): readonly Grant[] {
  switch (access) {
    case 'none':
      return []
    case 'project':
      return [{ scope: place, roles: [PROJECT_OWNER] }]
    case 'organization':
      return [{ scope: { organizationId: place.ownerId }, roles: [ORGANIZATION_OWNER] }]
    case 'instance':
      return [{ scope: 'instance', roles: [INSTANCE_OWNER] }]
  }
}

/** Whether somebody with these grants may let an application of this project reach so far: they reach it themselves. */
export function mayAllow(grants: readonly Grant[], access: ApiAccess, place: ProjectScope): boolean {
  return covers(grants, ownersAt(access, place))
}

/**
 * How far an application reaches after somebody has chosen its addresses or its credentials: from then on they control
 * it, so no further than they do.
 */
export function accessAfterChange(grants: readonly Grant[], before: ApiAccess, place: ProjectScope): ApiAccess {
  const possible = HIGHEST_FIRST.slice(HIGHEST_FIRST.indexOf(before))
  return possible.find((access) => mayAllow(grants, access, place)) ?? 'none'
}

/** The grants of a user that count in a token of an application: those that an owner at its level covers. */
export function boundedBy(access: ApiAccess, place: ProjectScope, grants: readonly Grant[]): readonly Grant[] {
  if (access === 'instance') return grants
  const owners = ownersAt(access, place)
  return grants.filter((grant) => covers(owners, [grant]))
}
