/** The rules of the roles of a project. Pure. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { searchText } from '../../../kernel/fold-text.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { nameProblem } from '../../../kernel/name.ts'
import type { ProjectRoleEvent } from '../events.ts'
import type { ProjectRoleRefusal } from '../refusals.ts'

/** The texts of a role that can change. */
export interface RoleTexts {
  readonly displayName: string
  readonly group: string
}

export interface ExistingRole extends RoleTexts {
  readonly status: 'existing'
  readonly projectId: string
  readonly key: string
  /** When it was added the last time. */
  readonly addedAt: Instant
  /** Folded, for filters and sorting that ignore case. */
  readonly search: { readonly key: string; readonly displayName: string }
}

/** Not gone when it is removed, because a role with the same key can be added again. */
export type ProjectRole = { readonly status: 'none' } | ExistingRole

export type ProjectRoleCommand =
  | ({ readonly type: 'add'; readonly projectId: string; readonly key: string; readonly addedAt: Instant } & RoleTexts)
  | { readonly type: 'change'; readonly texts: Partial<RoleTexts> }
  | { readonly type: 'remove' }

/** Why `key` cannot be the key of a role; undefined when it can. */
export function roleKeyProblem(key: string): string | undefined {
  return nameProblem(key)
}

function withTexts(state: Omit<ExistingRole, 'search'>, texts: RoleTexts): ExistingRole {
  const { displayName, group } = texts
  return {
    ...state,
    displayName,
    group,
    search: { key: searchText(state.key), displayName: searchText(displayName) },
  }
}

export const projectRole: Decider<ProjectRoleCommand, ProjectRole, ProjectRoleEvent, ProjectRoleRefusal> = {
  initial: { status: 'none' },

  evolve(state, { type, data }) {
    switch (type) {
      case 'project_role.added.v1':
        return withTexts({ ...data, status: 'existing' }, data)
      case 'project_role.changed.v1':
        return state.status === 'existing' ? withTexts(state, data) : state
      case 'project_role.removed.v1':
        return { status: 'none' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status === 'existing') return refuse('project_role.exists')
      if (roleKeyProblem(command.key) !== undefined) return refuse('project_role.key_invalid')
      const { type: _, ...data } = command
      return accept({ type: 'project_role.added.v1', data })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'none') return command.type === 'remove' ? accept() : refuse('project_role.not_found')
    if (command.type === 'remove') return accept({ type: 'project_role.removed.v1', data: {} })
    const { displayName = state.displayName, group = state.group } = command.texts
    if (displayName === state.displayName && group === state.group) return accept()
    return accept({ type: 'project_role.changed.v1', data: { displayName, group } })
  },
}
