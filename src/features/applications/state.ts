/** The current state of one application: the fold of its events. */

import { searchText } from '../../kernel/fold-text.ts'
import type { Reopened } from '../../kernel/generations.ts'
import { nameKey } from '../../kernel/name.ts'
import type { ApiAccess } from '../../kernel/role.ts'
import type { AgentUse, ApplicationConfig, ApplicationEvent } from './events.ts'

export interface LivingApplication extends Reopened {
  readonly status: 'active' | 'inactive'
  readonly projectId: string
  readonly name: string
  readonly clientId: string
  readonly config: ApplicationConfig
  /** There only if nobody prepared it: it can be used while the instance and the project allow such clients. */
  readonly agent?: AgentUse
  /** The project, in one of two members: those that nobody prepared have a limit of their own. */
  readonly preparedIn?: string
  readonly agentIn?: string
  /** Undefined in an application from before there was such a limit, until the next start. */
  readonly api?: { readonly access: ApiAccess; readonly allowedBy: string }
  readonly search: {
    /** Folded, for filters and sorting that ignore case. */
    readonly name: string
    /** The unique key of the name in its project. */
    readonly nameKey: string
  }
}

export type Application = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingApplication

/** Whether the application exists. */
export function isLiving(application: Application): application is LivingApplication {
  return application.status === 'active' || application.status === 'inactive'
}

function named(application: Omit<LivingApplication, 'search'>, name: string): LivingApplication {
  return { ...application, name, search: { name: searchText(name), nameKey: nameKey(name) } }
}

export function evolveApplication(state: Application, event: ApplicationEvent): Application {
  if (event.type === 'application.added.v1') {
    const { projectId, agent, name } = event.data
    const place = agent === undefined ? { preparedIn: projectId } : { agentIn: projectId }
    return named({ status: 'active', ...event.data, ...place }, name)
  }
  if (!isLiving(state)) return state
  switch (event.type) {
    case 'application.renamed.v1':
      return named(state, event.data.name)
    case 'application.config_changed.v1':
      return { ...state, config: event.data.config }
    case 'application.secret_replaced.v1':
      return state
    case 'application.deactivated.v1':
      return { ...state, status: 'inactive' }
    case 'application.reactivated.v1':
      return { ...state, ...event.data, status: 'active' }
    case 'application.removed.v1':
      return { status: 'removed' }
    case 'application.api_access_set.v1':
      return { ...state, api: event.data }
  }
}
