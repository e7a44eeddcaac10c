/** Whose objects a list shows, where they belong to organizations or to the instance. */
import type { Call } from '../access/call.ts'
import type { Filter } from '../store/index.ts'
import type { App } from './app.ts'

/**
 * The condition on the owner: those of one organization, of those that the caller can read, or all. What belongs to the
 * instance is only for those with this permission on it.
 */
export function visibleOwners(
  { instanceId }: App,
  call: Call,
  organizationId: string,
  onInstance: string,
): Filter<never> {
  const owners = call.visibleOwners()
  const named =
    organizationId === '' ? owners : owners === 'all' || owners.includes(organizationId) ? [organizationId] : []
  const ofOwners: Filter<never> = named === 'all' ? { all: [] } : { field: 'owner', in: named }
  if (call.may(onInstance, instanceId)) return ofOwners
  return { all: [ofOwners, { not: { field: 'owner', equals: instanceId } }] }
}
