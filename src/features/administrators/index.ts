/**
 * Administrators: granting, changing and revoking roles on the instance, in organizations and on projects, for the
 * v1 and v2 services; and the rule that the instance always has an owner who can sign in.
 */
import { module } from '../../module/module.ts'
import { carriedMemberships } from './carried.ts'
import { removeMembershipsOf } from './handlers/change-member.ts'
import { keepOwnerBeside, keepOwnerOutside, requireCoversUsersOf } from './keep-an-owner.ts'
import { memberMethodsV1 } from './rpc-v1.ts'
import { projectMemberMethodsV1 } from './rpc-v1-projects.ts'
import { administratorMethods } from './rpc-v2.ts'

export const administratorsModule = module({
  name: 'administrators',
  kinds: [carriedMemberships],
  methods: (app) => [...memberMethodsV1(app), ...projectMemberMethodsV1(app), ...administratorMethods(app)],
  whenUserRemoved: removeMembershipsOf,
  beforeUserLockedOut: keepOwnerBeside,
  async beforeOrganizationClosed(app, work, organizationId, call) {
    await requireCoversUsersOf(app, call, organizationId)
    await keepOwnerOutside(app, work, organizationId)
  },
})

export type { AdministratorDraft } from './carried.ts'
export { addMemberTo, appointMember } from './handlers/add-member.ts'
export { removeMembershipsOf } from './handlers/change-member.ts'
export { countOwners } from './keep-an-owner.ts'
