/**
 * Authorizations: which roles of a project a user holds, by themself or through a group, given by the organization that owns the project or by one that
 * it is granted to. The v1 services call them user grants.
 */
import { module } from '../../module/module.ts'
import { carriedAuthorizations } from './carried.ts'
import { authorizationJobs, endForLeavers, removeAuthorizationsOfGroup } from './handlers/end-for-groups.ts'
import {
  removeAuthorizationsOfOrganization,
  removeAuthorizationsOfUser,
  withdrawFromAuthorizations,
} from './handlers/withdraw.ts'
import { authorizationRefusals } from './refusals.ts'
import { authorizationMethodsV1 } from './rpc-v1.ts'
import { ownAuthorizationMethods } from './rpc-v1-own.ts'
import { authorizationMethodsV2 } from './rpc-v2.ts'

export const authorizationsModule = module({
  name: 'authorizations',
  kinds: [carriedAuthorizations],
  refusals: authorizationRefusals,
  methods: (app) => [...authorizationMethodsV1(app), ...ownAuthorizationMethods(app), ...authorizationMethodsV2(app)],
  jobs: (app) => [authorizationJobs(app)],
  whenUserRemoved: removeAuthorizationsOfUser,
  whenGroupMembersRemoved: endForLeavers,
  whenGroupRemoved: removeAuthorizationsOfGroup,
  whenOrganizationRemoved: removeAuthorizationsOfOrganization,
  whenProjectRolesWithdrawn: withdrawFromAuthorizations,
})

export type { AuthorizationDraft } from './carried.ts'
export type { LivingAuthorization } from './decider.ts'
export { authorizations } from './documents.ts'
export {
  authorizersOf,
  type HeldRole,
  hasProjectAccess,
  mayBeFor,
  mayUseProject,
  rolesOfUser,
  type TokenUse,
  timesEndedFor,
  usableAuthorizations,
} from './held-roles.ts'
