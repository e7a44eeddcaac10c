/**
 * Groups: users of one organization who get roles together, by authorizations. A group has a name, a description, members
 * and metadata; groups contain no groups.
 */
import { module } from '../../module/module.ts'
import { carriedGroups, carriedMembers, carriedMetadata } from './carried.ts'
import { removeGroupsOf } from './handlers/change-group.ts'
import { removeMembershipsOf } from './handlers/change-members.ts'
import { groupJobs } from './jobs.ts'
import { groupRefusals } from './refusals.ts'
import { groupMetadataMethods } from './rpc-metadata.ts'
import { groupMethods } from './rpc-v2.ts'

export const groupsModule = module({
  name: 'groups',
  kinds: [carriedGroups, carriedMembers, carriedMetadata],
  refusals: groupRefusals,
  methods: (app) => [...groupMethods(app), ...groupMetadataMethods(app)],
  jobs: (app) => [groupJobs(app)],
  whenUserRemoved: removeMembershipsOf,
  whenOrganizationRemoved: removeGroupsOf,
})

export type { GroupDraft, GroupMemberDraft, GroupMetadataDraft } from './carried.ts'
export type { LivingGroup } from './decider.ts'
export {
  findGroup,
  type GroupField,
  groupIdsWith,
  groupMembers,
  groupMetadata,
  groups,
  groupsById,
  groupsOfUser,
  isInGroup,
  lastTurns,
  memberOfId,
  organizationOfGroup,
} from './documents.ts'
export { groupForCaller } from './find-group.ts'
export { removeGroup } from './handlers/change-group.ts'
export { releaseGroup } from './handlers/managed.ts'
export {
  addProvisionedGroup,
  changeProvisionedGroup,
  groupMemberIds,
  type MembersChange,
} from './handlers/provision-group.ts'
export { groupRefusals } from './refusals.ts'
