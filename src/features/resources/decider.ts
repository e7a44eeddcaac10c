/** The rules of the resources of a project. The handler checks the project. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import type { Resource, ResourceEvent } from './events.ts'
import type { ResourceRefusal } from './refusals.ts'

export interface Resources {
  readonly status: 'kept' | 'removed'
  readonly resources: readonly Resource[]
}

export type ResourcesCommand =
  | { readonly type: 'set'; readonly resources: readonly Resource[] }
  | { readonly type: 'remove' }

function hasTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}

/** Whether resources can stand beside each other: no URI or scope twice, and at most one default. */
function fitTogether(resources: readonly Resource[]): boolean {
  return (
    !hasTwice(resources.map(({ uri }) => resourceKey(uri))) &&
    !hasTwice(resources.map(({ id }) => id)) &&
    !resources.some(({ scopes }) => hasTwice(scopes.map(({ key }) => key))) &&
    !resources.some(({ types = [] }) => hasTwice(types.map(({ type }) => type))) &&
    resources.filter(({ isDefault }) => isDefault).length <= 1
  )
}

export const resourcesOfProject: Decider<ResourcesCommand, Resources, ResourceEvent, ResourceRefusal> = {
  initial: { status: 'kept', resources: [] },

  evolve(_, event) {
    return event.type === 'resources.set.v1'
      ? { status: 'kept', resources: event.data.resources }
      : { status: 'removed', resources: [] }
  },

  decide(command, state) {
    if (command.type === 'remove') return accept({ type: 'resources.removed.v1', data: {} })
    const { resources } = command
    if (!fitTogether(resources)) return refuse('resource.invalid')
    const isSame = JSON.stringify(resources) === JSON.stringify(state.resources)
    return isSame ? accept() : accept({ type: 'resources.set.v1', data: { resources } })
  },
}
