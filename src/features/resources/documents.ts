/** The kind `resources`: those of one project, with the ID of the project. */

import { resourceKey } from '../../kernel/resource-key.ts'
import { RESOURCE_CLAIM } from '../../module/token-party.ts'
import { kind } from '../../store/index.ts'
import { resourcesOfProject } from './decider.ts'
import { resourceEvents } from './events.ts'
import { resourceRefusals } from './refusals.ts'

export const resources = kind({
  name: 'resources',
  ids: { of: 'project' },
  waits: false,
  path: false,
  version: 1,
  events: resourceEvents,
  decider: resourcesOfProject,
  refusals: resourceRefusals,
  fields: {},
  claims: (state) =>
    state.resources.map(({ uri }) => ({
      kind: RESOURCE_CLAIM,
      within: { instance: 'The host is proven, or an owner of the instance says so.' },
      value: resourceKey(uri),
      taken: 'resource.uri_taken' as const,
    })),
  isGone: (state) => state.status === 'removed',
  limits: [
    { things: 'resources', holder: 'a project', inside: (state) => state.resources.length, number: 20 },
    {
      things: 'scopes of resources',
      holder: 'a project',
      inside: (state) => state.resources.reduce((sum, { scopes }) => sum + scopes.length, 0),
      number: 200,
    },
  ],
})
