/**
 * Organizations: their names, their state, and their verified domains. Adding one with its administrators is in
 * `onboarding`, which depends on users.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { organizations } from './documents.ts'
import { organizationJobs } from './jobs.ts'
import { organizationRefusals } from './refusals.ts'
import { organizationMethodsV1 } from './rpc-v1.ts'
import { domainMethodsV1 } from './rpc-v1-domains.ts'
import { organizationMethodsV2 } from './rpc-v2.ts'
import { domainMethods } from './rpc-v2-domains.ts'

export const organizationsModule = module({
  name: 'organizations',
  kinds: within('organization', organizations),
  refusals: organizationRefusals,
  methods: (app) => [
    ...organizationMethodsV1(app),
    ...domainMethodsV1(app),
    ...organizationMethodsV2(app),
    ...domainMethods(app),
  ],
  jobs: (app) => [organizationJobs(app)],
})

export {
  activeOrganization,
  chosenIdProblem,
  findOrganization,
  findOrganizationByDomain,
  freeDomain,
  hasProvenDomain,
  type OrganizationField,
  organizationState,
  organizations,
  ownDomainOf,
  requireOrganization,
} from './documents.ts'
export { checkedDomain } from './domains.ts'
export { checkNewOrganization, closeIn } from './handlers/change-organization.ts'
export { listOrganizationsV1 } from './list-v1.ts'
export { allowsManagedChanges, mayChangeManaged } from './managed-changes.ts'
export { canonicalDomain, domainsFor } from './names.ts'
export { openTokenSearch } from './prove-domain.ts'
export { domainFilter } from './queries.ts'
export {
  isLiving as isLivingOrganization,
  type LivingOrganization,
  type Organization,
  primaryDomain,
} from './state.ts'
