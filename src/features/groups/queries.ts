/** Converts queries about groups and their users to filters, and says which of them a caller can read. */
import {
  FieldName,
  type GroupsSearchFilter,
  GroupUserFieldName,
  type GroupUsersSearchFilter,
} from '../../../contract/gen/signet/group/v2/query_pb.ts'
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type BuiltInField, type Document, type Filter, type SearchableText, textFilter } from '../../store/index.ts'
import type { GroupMember } from './decider.ts'
import { type GroupField, type GroupMemberField, groupMembers, groups, groupsById } from './documents.ts'
import { groupRefusals } from './refusals.ts'

const NAME: SearchableText<GroupField> = { folded: 'name', typed: ['typedName'] }
const EVERYTHING: Filter<never> = { all: [] }

function noCondition() {
  const violations = [{ field: 'filters', description: 'must each have a condition' }]
  return refused(groupRefusals, 'group.query_invalid', { violations })
}

/** The groups that one of these users is in. */
function withUsers(where: Filter<GroupMemberField>): Filter<GroupField> {
  return { field: 'id', among: { kind: groupMembers, field: 'groupId', where, few: true } }
}

/** The groups that the caller can read; users can read those that they are in. */
export function readableGroups(call: Call): Filter<GroupField> {
  const owners = call.visibleOwners()
  if (owners === 'all') return EVERYTHING
  return { any: [{ field: 'owner', in: owners }, withUsers({ field: 'userId', equals: call.caller.userId })] }
}

/** The memberships that the caller can read; users can read their own. */
export function readableMembers(call: Call): Filter<GroupMemberField> {
  const owners = call.visibleOwners()
  if (owners === 'all') return EVERYTHING
  return {
    any: [
      { field: 'owner', in: owners },
      { field: 'userId', equals: call.caller.userId },
    ],
  }
}

/** One condition on groups. */
export function groupFilter({ filter }: GroupsSearchFilter): Filter<GroupField> {
  switch (filter.case) {
    case 'groupIds':
      return { field: 'id', in: filter.value.ids }
    case 'nameFilter':
      return textFilter(NAME, filter.value.method, filter.value.name)
    case 'organizationId':
      return { field: 'owner', equals: filter.value.id }
    case undefined:
      throw noCondition()
  }
}

/** One condition on memberships. */
export function memberFilter({ filter }: GroupUsersSearchFilter): Filter<GroupMemberField> {
  switch (filter.case) {
    case 'userIds':
      return { field: 'userId', in: filter.value.ids }
    case 'groupIds':
      return { field: 'groupId', in: filter.value.ids }
    case undefined:
      throw noCondition()
  }
}

/**
 * Leaves out the memberships in removed groups that a job has not reached. Groups that the filters name are looked up:
 * asking it of each member of a large group would take long.
 */
export async function inLivingGroups(
  app: App,
  filters: readonly GroupUsersSearchFilter[],
): Promise<Filter<GroupMemberField>> {
  const named = filters.flatMap(({ filter }) => (filter.case === 'groupIds' ? filter.value.ids : []))
  if (named.length === 0) return { field: 'groupId', among: { kind: groups, field: 'id', where: EVERYTHING } }
  return { field: 'groupId', in: [...(await groupsById(app, named)).keys()] }
}

const GROUP_SORTING: ReadonlyMap<number, GroupField | BuiltInField> = new Map<number, GroupField | BuiltInField>([
  [FieldName.ID, 'id'],
  [FieldName.NAME, 'name'],
  [FieldName.CHANGE_DATE, 'changedAt'],
])

/** The sort field of groups; by default the time of creation. */
export function groupSorting(column: FieldName | undefined): GroupField | BuiltInField {
  return GROUP_SORTING.get(column ?? FieldName.UNSPECIFIED) ?? 'createdAt'
}

/**
 * A page in the order of joining. The users of one call joined at the same time: they are in the order in which the call named
 * them, also where the newest are first.
 */
export function inOrderOfCalls(page: readonly Document<GroupMember>[], isNewestFirst: boolean) {
  const direction = isNewestFirst ? -1 : 1
  return page.toSorted((a, b) => direction * (a.createdAt - b.createdAt) || a.sequence - b.sequence)
}

/** The sort field of memberships; by default when the user joined for the first time, which has an index. */
export function memberSorting(column: GroupUserFieldName | undefined): GroupMemberField | BuiltInField {
  if (column === GroupUserFieldName.USER_ID) return 'userId'
  return column === GroupUserFieldName.GROUP_ID ? 'groupId' : 'createdAt'
}
