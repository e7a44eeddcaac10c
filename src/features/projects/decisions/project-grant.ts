/** The rules of the grant of a project to another organization. Pure. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { distinctKeys, listText, type RoleListText, sameKeys } from '../../../kernel/role-keys.ts'
import type { ProjectGrantEvent } from '../events.ts'
import type { ProjectGrantRefusal } from '../refusals.ts'

export interface LivingProjectGrant {
  readonly status: 'active' | 'inactive'
  readonly projectId: string
  readonly grantedOrganizationId: string
  /** The roles that the granted organization can give to its users. */
  readonly roleKeys: readonly string[]
  readonly search: RoleListText
}

export type ProjectGrant = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingProjectGrant

export type ProjectGrantCommand =
  | {
      readonly type: 'add'
      readonly projectId: string
      readonly grantedOrganizationId: string
      readonly roleKeys: readonly string[]
    }
  | { readonly type: 'change'; readonly roleKeys: readonly string[] }
  | { readonly type: 'deactivate' | 'reactivate' | 'remove' }

/** Whether the grant exists. */
export function isLivingProjectGrant(grant: ProjectGrant): grant is LivingProjectGrant {
  return grant.status === 'active' || grant.status === 'inactive'
}

export const projectGrant: Decider<ProjectGrantCommand, ProjectGrant, ProjectGrantEvent, ProjectGrantRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, { type, data }) {
    if (type === 'project_grant.added.v1') return { ...data, status: 'active', search: listText(data.roleKeys) }
    if (!isLivingProjectGrant(state)) return state
    switch (type) {
      case 'project_grant.changed.v1':
        return { ...state, roleKeys: data.roleKeys, search: listText(data.roleKeys) }
      case 'project_grant.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'project_grant.reactivated.v1':
        return { ...state, status: 'active' }
      case 'project_grant.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('project_grant.id_taken')
      const { projectId, grantedOrganizationId } = command
      const roleKeys = distinctKeys(command.roleKeys)
      return accept({ type: 'project_grant.added.v1', data: { projectId, grantedOrganizationId, roleKeys } })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'removed' && command.type === 'remove') return accept()
    if (!isLivingProjectGrant(state)) return refuse('project_grant.not_found')
    switch (command.type) {
      case 'change': {
        const roleKeys = distinctKeys(command.roleKeys)
        if (sameKeys(roleKeys, state.roleKeys)) return accept()
        return accept({ type: 'project_grant.changed.v1', data: { roleKeys } })
      }
      case 'deactivate':
        return state.status === 'inactive' ? accept() : accept({ type: 'project_grant.deactivated.v1', data: {} })
      case 'reactivate':
        return state.status === 'active' ? accept() : accept({ type: 'project_grant.reactivated.v1', data: {} })
      case 'remove':
        return accept({ type: 'project_grant.removed.v1', data: {} })
    }
  },
}
