/**
 * Groups: users of one organization who get roles together, by authorizations. A group has a name, a description, members
 * and metadata; groups contain no groups.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { groupMembers, groupMetadata, groups } from './documents.ts'
import { removeGroupsOf } from './handlers/change-group.ts'
import { removeMembershipsOf } from './handlers/change-members.ts'
import { groupJobs } from './jobs.ts'
import { groupRefusals } from './refusals.ts'
import { groupMetadataMethods } from './rpc-metadata.ts'
import { groupMethods } from './rpc-v2.ts'

export const groupsModule = module({
  name: 'groups',
  kinds: [
    ...within('group', groups),
    ...within('group-member', groupMembers),
    ...within('group-metadata', groupMetadata),
  ],
  refusals: groupRefusals,
  methods: (app) => [...groupMethods(app), ...groupMetadataMethods(app)],
  jobs: (app) => [groupJobs(app)],
  whenUserRemoved: removeMembershipsOf,
  whenOrganizationRemoved: removeGroupsOf,
})

export type { LivingGroup } from './decider.ts'
export {
  findGroup,
  type GroupField,
  groupIdsWith,
  groupMemberId,
  groupMembers,
  groupMetadata,
  groups,
  groupsById,
  groupsOfUser,
  isInGroup,
  memberOfId,
  organizationOfGroup,
} from './documents.ts'
export { groupForCaller } from './find-group.ts'
export { addGroupIn, removeGroup, removeGroupIn } from './handlers/change-group.ts'
export { removeMembersIn } from './handlers/change-members.ts'
export { followGroup, importGroupMember, importGroupMetadata } from './handlers/import-group.ts'
export { releaseGroup } from './handlers/managed.ts'
export {
  addProvisionedGroup,
  changeProvisionedGroup,
  groupMemberIds,
  type MembersChange,
} from './handlers/provision-group.ts'
export { groupRefusals } from './refusals.ts'
