/** The front of this room: all that others may know about organizations. */
import type { Method } from '../../access/method.ts'
import type { OrganizationsNeeds } from './needs.ts'
import { organizationMethodsV1 } from './rpc-v1.ts'
import { organizationMethodsV2 } from './rpc-v2.ts'

export type { OrganizationCommand } from './decider.ts'
export {
  findOrganizationByDomain,
  ORGANIZATION_DOMAIN_CLAIM,
  ORGANIZATION_NAME_CLAIM,
  type OrganizationField,
  organizationState,
  organizations,
} from './documents.ts'
export type { OrganizationEvent } from './events.ts'
export { organizationJobs, type Sweep } from './jobs.ts'
export type {
  AddAdministrator,
  BeforeClosing,
  CreatedAdministrator,
  OrganizationsNeeds,
  PrepareHuman,
} from './needs.ts'
export { openTokenSearch } from './prove-domain.ts'
export { type OrganizationRefusal, organizationRefusals } from './refusals.ts'
export { isLiving as isLivingOrganization, type LivingOrganization, type Organization } from './state.ts'

/** The methods of this room. */
export function organizationMethods(needs: OrganizationsNeeds): readonly Method[] {
  return [...organizationMethodsV1(needs), ...organizationMethodsV2(needs)]
}
