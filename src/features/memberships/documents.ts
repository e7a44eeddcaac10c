/** The kind `membership`: the IDs and the search fields of memberships. */
import type { Grant } from '../../access/call.ts'
import { INSTANCE_OWNER, type RoleLevel } from '../../kernel/role.ts'
import { type Filter, kind } from '../../store/index.ts'
import { type Membership, membership } from './decider.ts'
import { membershipEvents } from './events.ts'
import { membershipRefusals } from './refusals.ts'

/** A removed membership has none of these fields, so no condition on them matches it. */
export const memberships = kind({
  name: 'membership',
  version: 1,
  events: membershipEvents,
  decider: membership,
  refusals: membershipRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    scopeId: { path: ['scopeId'], type: 'text' },
    level: { path: ['level'], type: 'text', indexed: false },
    userOrganizationId: { path: ['userOrganizationId'], type: 'text', indexed: false },
    roles: { path: ['search', 'roles'], type: 'text', indexed: false },
    addedAt: { path: ['addedAt'], type: 'number', indexed: false },
  },
})

/** A name by which memberships can be filtered or sorted. */
export type MembershipField = keyof typeof memberships.fields & string

/** Where roles are granted. */
export interface MembershipScope {
  readonly level: RoleLevel
  /** ID of the instance or the organization. */
  readonly id: string
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

/** A membership in the form that authorization uses; empty when it was removed. */
export function grantOf(state: Membership): readonly Grant[] {
  return state.status === 'none'
    ? []
    : [{ scope: state.level === 'instance' ? 'instance' : { organizationId: state.scopeId }, roles: state.roles }]
}
