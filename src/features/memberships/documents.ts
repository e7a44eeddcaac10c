/** The kind `membership`: the IDs and the search fields of memberships. */
import type { Grant, ProjectGrantScope, ProjectScope, Scope } from '../../access/call.ts'
import { INSTANCE_OWNER } from '../../kernel/role.ts'
import { type Filter, kind } from '../../store/index.ts'
import { type Member, type Membership, membership } from './decider.ts'
import { membershipEvents } from './events.ts'
import { membershipRefusals } from './refusals.ts'

/** A removed membership has none of these fields, so no condition on them matches it. */
export const memberships = kind({
  name: 'membership',
  ids: { joined: ['place', 'user'] },
  waits: false,
  path: false,
  version: 2,
  personal: { by: 'userId' },
  events: membershipEvents,
  decider: membership,
  refusals: membershipRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    scopeId: { path: ['scopeId'], type: 'text' },
    projectId: { path: ['project', 'id'], type: 'text', indexed: false },
    projectOrganizationId: { path: ['project', 'organizationId'], type: 'text', indexed: false },
    grantedOrganizationId: { path: ['project', 'grantedOrganizationId'], type: 'text', indexed: false },
    level: { path: ['level'], type: 'text', indexed: false },
    userOrganizationId: { path: ['userOrganizationId'], type: 'text', indexed: false },
    roles: { path: ['search', 'roles'], type: 'text', indexed: false },
    addedAt: { path: ['addedAt'], type: 'number', indexed: false },
  },
  limits: [
    {
      things: 'members',
      holder: 'an organization, a project, a grant or the instance',
      by: ['scopeId'],
      number: 10_000,
    },
    // Every call of a user reads all of theirs; for each organization, so that none can use up those of another one.
    { things: 'memberships in one organization', holder: 'a user', by: ['owner', 'userId'], number: 1_000 },
  ],
})

/** A name by which memberships can be filtered or sorted. */
export type MembershipField = keyof typeof memberships.fields & string

/** Where roles are granted. */
export type MembershipScope =
  | {
      readonly level: 'instance' | 'organization'
      /** ID of the instance or the organization. */
      readonly id: string
    }
  | {
      readonly level: 'project' | 'project_grant'
      /** ID of the project or of its grant. */
      readonly id: string
      readonly place: ProjectScope | ProjectGrantScope
    }

/** The organization or the instance that owns the memberships in a scope. */
export function ownerOfScope(scope: MembershipScope): string {
  if (!('place' in scope)) return scope.id
  return 'grantId' in scope.place ? scope.place.grantedId : scope.place.ownerId
}

/** The ID of a membership in a scope. A project can have the ID of an organization, so its members' IDs begin otherwise. */
export function membershipIdIn(
  { level, id }: MembershipScope | Pick<MembershipScope, 'level' | 'id'>,
  userId: string,
): string {
  return level === 'project' || level === 'project_grant'
    ? `${level}/${membershipId(id, userId)}`
    : membershipId(id, userId)
}

/** The condition for the members of a scope. */
export function membersIn({ level, id }: MembershipScope): Filter<MembershipField> {
  return {
    all: [
      { field: 'scopeId', equals: id },
      { field: 'level', equals: level },
    ],
  }
}

/** Roles in a scope, in the form that authorization uses. */
export function grantIn(scope: MembershipScope, roles: readonly string[]): Grant {
  if ('place' in scope) return { scope: scope.place, roles }
  return { scope: scope.level === 'instance' ? 'instance' : { organizationId: scope.id }, roles }
}

/** The ID of a membership is derived from its scope and user, so that a write can also guard its absence. */
export function membershipId(scopeId: string, userId: string): string {
  return [scopeId, userId].map((part) => encodeURIComponent(part.toWellFormed())).join('/')
}

/** The condition for one role. */
export function holdsRole(role: string): Filter<MembershipField> {
  return role.includes('\n') ? { any: [] } : { field: 'roles', contains: `\n${role}\n` }
}

/** The condition for owners of the instance. */
export function ownersOf(instanceId: string): Filter<MembershipField> {
  return {
    all: [{ field: 'scopeId', equals: instanceId }, { field: 'level', equals: 'instance' }, holdsRole(INSTANCE_OWNER)],
  }
}

function scopeOf({ level, scopeId, project }: Member): Scope {
  if (project === undefined) return level === 'instance' ? 'instance' : { organizationId: scopeId }
  const { id: projectId, organizationId: ownerId, grantedOrganizationId: grantedId } = project
  return grantedId === undefined ? { projectId, ownerId } : { grantId: scopeId, projectId, ownerId, grantedId }
}

/** Whether the roles are on the instance or in the organization that the user belongs to, not from outside. */
export function isAtHome(state: Membership): boolean {
  if (state.status === 'none') return false
  const { level, scopeId, project, userOrganizationId } = state
  if (project === undefined) return level === 'instance' || scopeId === userOrganizationId
  return (project.grantedOrganizationId ?? project.organizationId) === userOrganizationId
}

/** The organizations that the roles end with. */
export function organizationsOf(state: Membership): readonly string[] {
  if (state.status === 'none' || state.level === 'instance') return []
  const { project, scopeId } = state
  if (project === undefined) return [scopeId]
  const { organizationId, grantedOrganizationId } = project
  return grantedOrganizationId === undefined ? [organizationId] : [organizationId, grantedOrganizationId]
}

/** A membership in the form that authorization uses; empty when it was removed. */
export function grantOf(state: Membership): readonly Grant[] {
  return state.status === 'none' ? [] : [{ scope: scopeOf(state), roles: state.roles }]
}
