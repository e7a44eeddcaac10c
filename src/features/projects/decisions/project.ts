/** The rules of projects. Pure. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { searchText } from '../../../kernel/fold-text.ts'
import { type Reopened, reopen } from '../../../kernel/generations.ts'
import { nameKey, nameProblem } from '../../../kernel/name.ts'
import type { ProjectEvent, ProjectSettings } from '../events.ts'
import type { ProjectRefusal } from '../refusals.ts'

export interface LivingProject extends ProjectSettings, Reopened {
  readonly status: 'active' | 'inactive'
  /** The organization that owns it. */
  readonly organizationId: string
  readonly search: {
    /** Folded, for filters and sorting that ignore case. */
    readonly name: string
    /** The key of the name, unique in the organization. */
    readonly nameKey: string
  }
}

export type Project = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingProject

export type ProjectCommand =
  | ({ readonly type: 'add'; readonly organizationId: string } & ProjectSettings)
  | { readonly type: 'change'; readonly settings: Partial<ProjectSettings> }
  | { readonly type: 'deactivate' | 'reactivate' | 'remove' }

/** Whether the project exists. */
export function isLivingProject(project: Project): project is LivingProject {
  return project.status === 'active' || project.status === 'inactive'
}

function withSettings<State extends LivingProject>(state: State, settings: Partial<ProjectSettings>): State {
  const changed = { ...state, ...settings }
  return { ...changed, search: { name: searchText(changed.name), nameKey: nameKey(changed.name) } }
}

/** The settings that differ from the current ones. */
function changesOf(state: LivingProject, settings: Partial<ProjectSettings>): Partial<ProjectSettings> {
  const entries = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && value !== state[name as keyof ProjectSettings],
  )
  return Object.fromEntries(entries)
}

export const project: Decider<ProjectCommand, Project, ProjectEvent, ProjectRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, { type, data }) {
    if (type === 'project.added.v1') {
      return withSettings({ ...data, status: 'active', search: { name: '', nameKey: '' } }, {})
    }
    if (!isLivingProject(state)) return state
    switch (type) {
      case 'project.changed.v1':
        return withSettings(state, data)
      case 'project.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'project.reactivated.v1':
        return { ...state, ...data, status: 'active' }
      case 'project.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('project.id_taken')
      if (nameProblem(command.name) !== undefined) return refuse('project.name_invalid')
      const { type: _, ...data } = command
      return accept({ type: 'project.added.v1', data })
    }
    // A removal that is repeated succeeds.
    if (state.status === 'removed' && command.type === 'remove') return accept()
    if (!isLivingProject(state)) return refuse('project.not_found')
    switch (command.type) {
      case 'change': {
        const changes = changesOf(state, command.settings)
        if (changes.name !== undefined && nameProblem(changes.name) !== undefined) return refuse('project.name_invalid')
        return Object.keys(changes).length === 0 ? accept() : accept({ type: 'project.changed.v1', data: changes })
      }
      case 'deactivate':
        if (state.status !== 'active') return refuse('project.not_active')
        return accept({ type: 'project.deactivated.v1', data: {} })
      case 'reactivate':
        if (state.status !== 'inactive') return refuse('project.not_inactive')
        return accept({ type: 'project.reactivated.v1', data: reopen(state) })
      case 'remove':
        return accept({ type: 'project.removed.v1', data: {} })
    }
  },
}
