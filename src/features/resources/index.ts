/**
 * Resources: the APIs of a project that access tokens can be for, with their scopes (RFC 8707). A token for one resource
 * counts nowhere else.
 */
import { module } from '../../module/module.ts'
import { carriedResources } from './carried.ts'
import { removeResourcesOfProject } from './handlers/set-resources.ts'
import { resourceRefusals } from './refusals.ts'
import { resourceMethods } from './rpc-v2.ts'

export const resourcesModule = module({
  name: 'resources',
  kinds: [carriedResources],
  refusals: resourceRefusals,
  methods: resourceMethods,
  whenProjectRemoved: removeResourcesOfProject,
})

export { resources } from './documents.ts'
export type { ResourceScope } from './events.ts'
export {
  defaultResourceOf,
  type FoundResource,
  type ResourceRef,
  refTo,
  resourceAt,
  resourceFor,
  scopesAt,
  usableResource,
} from './find-resource.ts'
export { doorUri, isForOwnDoor, ownDoor, READ_SCOPE, WRITE_SCOPE } from './own-door.ts'
