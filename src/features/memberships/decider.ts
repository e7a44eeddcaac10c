/** The rules of memberships: which roles can be granted where, and that the instance always has an owner. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { INSTANCE_OWNER, type RoleLevel, rolesAt } from '../../kernel/role.ts'
import type { MembershipEvent } from './events.ts'
import type { MembershipRefusal } from './refusals.ts'

type Added = Extract<MembershipEvent, { readonly type: 'membership.added.v1' }>['data']
type AddedToProject = Extract<MembershipEvent, { readonly type: 'membership.project_added.v1' }>['data']

export interface Member extends Omit<Added, 'level'> {
  readonly level: RoleLevel
  /** Of a member of a project or of its grant. */
  readonly project?: AddedToProject['project']
  readonly status: 'member'
  readonly search: {
    /** The roles, each between two line breaks, so that a text search finds one of them. */
    readonly roles: string
  }
}

/** Not gone when it is removed, because the same user can become a member again. */
export type Membership = { readonly status: 'none' } | Member

export type MembershipCommand =
  | ({ readonly type: 'add' } & (Added | AddedToProject))
  /** `hasOtherOwner`: the instance has another owner. Read and guarded by the handler. */
  | { readonly type: 'change'; readonly roles: readonly string[]; readonly hasOtherOwner: boolean }
  | { readonly type: 'remove'; readonly hasOtherOwner: boolean }

/** Why these roles cannot be granted at this level; undefined when they can. */
export function rolesProblem(level: RoleLevel, roles: readonly string[]): string | undefined {
  if (roles.length === 0) return 'must contain at least one role'
  const allowed = rolesAt(level)
  return roles.every((role) => allowed.includes(role)) ? undefined : `must be some of ${allowed.join(', ')}`
}

/** Whether the membership makes its user an owner of the instance. */
export function isInstanceOwner(membership: Membership): boolean {
  return membership.status === 'member' && membership.level === 'instance' && membership.roles.includes(INSTANCE_OWNER)
}

function distinct(roles: readonly string[]): readonly string[] {
  return [...new Set(roles)]
}

function sameRoles(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((role) => other.includes(role))
}

function withRoles<State extends Added | AddedToProject | Member>(state: State, roles: readonly string[]) {
  return {
    ...state,
    status: 'member' as const,
    roles,
    search: { roles: `\n${roles.join('\n')}\n` },
  }
}

export const membership: Decider<MembershipCommand, Membership, MembershipEvent, MembershipRefusal> = {
  initial: { status: 'none' },

  evolve(state, { type, data }) {
    switch (type) {
      case 'membership.added.v1':
      case 'membership.project_added.v1':
        return withRoles(data, data.roles)
      case 'membership.changed.v1':
        return state.status === 'member' ? withRoles(state, data.roles) : state
      case 'membership.removed.v1':
        return { status: 'none' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status === 'member') return refuse('membership.exists')
      if (rolesProblem(command.level, command.roles) !== undefined) return refuse('membership.roles_invalid')
      const roles = distinct(command.roles)
      if ('project' in command) {
        const { type: _, ...data } = command
        return accept({ type: 'membership.project_added.v1', data: { ...data, roles } })
      }
      const { type: _, ...data } = command
      return accept({ type: 'membership.added.v1', data: { ...data, roles } })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'none') return command.type === 'remove' ? accept() : refuse('membership.not_found')
    const isLastOwner = isInstanceOwner(state) && !command.hasOtherOwner
    if (command.type === 'remove') {
      return isLastOwner ? refuse('membership.last_owner') : accept({ type: 'membership.removed.v1', data: {} })
    }
    if (rolesProblem(state.level, command.roles) !== undefined) return refuse('membership.roles_invalid')
    const roles = distinct(command.roles)
    if (sameRoles(roles, state.roles)) return accept()
    if (isLastOwner && !roles.includes(INSTANCE_OWNER)) return refuse('membership.last_owner')
    return accept({ type: 'membership.changed.v1', data: { roles } })
  },
}
