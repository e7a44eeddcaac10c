/**
 * Converts the queries of the three services that list members to filters of the kind `membership`. Conditions on users
 * are resolved first, only among users who are members, and become a list of user IDs.
 */

import { type TimestampFilter, TimestampFilterMethod } from '../../../contract/gen/signet/filter/v2/filter_pb.ts'
import {
  AdministratorFieldName,
  type AdministratorSearchFilter,
  type ResourceFilter,
} from '../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { MemberFieldColumnName, type SearchQuery } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import type { Call } from '../../access/call.ts'
import { ownersWith } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { instantOf } from '../../module/instants.ts'
import type { Filter } from '../../store/index.ts'
import { type SearchableText, textFilter } from '../../store/index.ts'
import { holdsRole, type MembershipField, membershipRefusals, memberships, membersIn } from '../memberships/index.ts'
import { type UserField, users } from '../users/index.ts'

type MembershipFilter = Filter<MembershipField>

const USER_NAME: SearchableText<UserField> = { folded: 'userName', typed: ['typedUserName'] }
const DISPLAY_NAME: SearchableText<UserField> = {
  folded: 'displayName',
  typed: ['typedDisplayName', 'typedMachineName'],
}
const FIRST_NAME: SearchableText<UserField> = { folded: 'firstName', typed: ['typedFirstName'] }
const LAST_NAME: SearchableText<UserField> = { folded: 'lastName', typed: ['typedLastName'] }
const EMAIL: SearchableText<UserField> = { folded: 'email', typed: ['typedEmail'] }

const MAX_DEPTH = 15
const MAX_CONDITIONS = 100
const AT_ONCE = 1000

function refuseQuery(field: string, description: string) {
  return refused(membershipRefusals, 'membership.query_invalid', { violations: [{ field, description }] })
}

/** Answers conditions on users whom the caller may read, among the members that match `among`. */
function userCondition(app: App, { caller }: Call, among: MembershipFilter) {
  const owners = ownersWith(caller.grants, 'user.read')
  const readable: readonly Filter<UserField>[] =
    owners === 'all'
      ? []
      : [
          {
            any: [
              { field: 'owner', in: owners },
              { field: 'id', equals: caller.userId },
            ],
          },
        ]
  let members: Promise<readonly string[]> | undefined

  const findMembers = async (): Promise<readonly string[]> => {
    const ids = new Set<string>()
    for (let offset = 0; ; offset += AT_ONCE) {
      const page = await app.store.find(memberships, { where: among, orderBy: 'id', limit: AT_ONCE, offset })
      for (const { state } of page.documents) if (state.status === 'member') ids.add(state.userId)
      if (page.documents.length < AT_ONCE) return [...ids]
    }
  }

  return async (condition: Filter<UserField>): Promise<MembershipFilter> => {
    members ??= findMembers()
    const candidates = await members
    const matching: string[] = []
    for (let from = 0; from < candidates.length; from += AT_ONCE) {
      const some = candidates.slice(from, from + AT_ONCE)
      const where: Filter<UserField> = { all: [condition, ...readable, { field: 'id', in: some }] }
      const page = await app.store.find(users, { where, orderBy: 'id', limit: AT_ONCE })
      matching.push(...page.documents.map(({ id }) => id))
    }
    return { field: 'userId', in: matching }
  }
}

/** Conditions of the v1 services. */
export function memberFilters(
  app: App,
  call: Call,
  queries: readonly SearchQuery[],
  among: MembershipFilter,
): Promise<readonly MembershipFilter[]> {
  const ofUsers = userCondition(app, call, among)
  return Promise.all(
    queries.map(async ({ query }): Promise<MembershipFilter> => {
      switch (query.case) {
        case 'firstNameQuery':
          return ofUsers(textFilter(FIRST_NAME, query.value.method, query.value.firstName))
        case 'lastNameQuery':
          return ofUsers(textFilter(LAST_NAME, query.value.method, query.value.lastName))
        case 'emailQuery':
          return ofUsers(textFilter(EMAIL, query.value.method, query.value.email))
        case 'userIdQuery':
          return { field: 'userId', equals: query.value.userId }
        case undefined:
          throw refuseQuery('queries', 'must each have a condition')
      }
    }),
  )
}

function timeFilter(field: 'addedAt' | 'changedAt', { timestamp, method }: TimestampFilter): MembershipFilter {
  if (timestamp === undefined) throw refuseQuery('filters', 'must have a timestamp')
  const at = instantOf(timestamp)
  switch (method) {
    case TimestampFilterMethod.AFTER:
      return { field, above: at }
    case TimestampFilterMethod.AFTER_OR_EQUALS:
      return { field, atLeast: at }
    case TimestampFilterMethod.BEFORE:
      return { field, below: at }
    case TimestampFilterMethod.BEFORE_OR_EQUALS:
      return { field, atMost: at }
    default:
      return { field, equals: at }
  }
}

function resourceFilter({ resource }: ResourceFilter): MembershipFilter {
  switch (resource.case) {
    case 'organizationId':
      return membersIn({ level: 'organization', id: resource.value })
    case 'projectId':
      return {
        all: [
          { field: 'level', equals: 'project' },
          { field: 'scopeId', equals: resource.value },
        ],
      }
    case 'projectGrant':
      return {
        all: [
          { field: 'level', equals: 'project_grant' },
          { field: 'projectId', equals: resource.value.projectId },
          { field: 'grantedOrganizationId', equals: resource.value.organizationId },
        ],
      }
    default:
      return { field: 'level', equals: 'instance' }
  }
}

/** Conditions of the permission service. */
export function administratorFilters(
  app: App,
  call: Call,
  filters: readonly AdministratorSearchFilter[],
  among: MembershipFilter,
): Promise<readonly MembershipFilter[]> {
  const ofUsers = userCondition(app, call, among)
  let count = 0

  const translateAll = (list: readonly AdministratorSearchFilter[], depth: number) =>
    Promise.all(list.map((one) => translate(one, depth)))

  const translate = async ({ filter }: AdministratorSearchFilter, depth: number): Promise<MembershipFilter> => {
    if (depth > MAX_DEPTH) throw refuseQuery('filters', `must not be nested deeper than ${MAX_DEPTH}`)
    if (++count > MAX_CONDITIONS) throw refuseQuery('filters', `must not have more than ${MAX_CONDITIONS} conditions`)
    switch (filter.case) {
      case 'creationDate':
        return timeFilter('addedAt', filter.value)
      case 'changeDate':
        return timeFilter('changedAt', filter.value)
      case 'inUserIdsFilter':
        return { field: 'userId', in: filter.value.ids }
      case 'userOrganizationId':
        return { field: 'userOrganizationId', equals: filter.value.id }
      case 'userPreferredLoginName':
        return ofUsers(textFilter(USER_NAME, filter.value.method, filter.value.preferredLoginName))
      case 'userDisplayName':
        return ofUsers(textFilter(DISPLAY_NAME, filter.value.method, filter.value.displayName))
      case 'resource':
        return resourceFilter(filter.value)
      case 'role':
        return holdsRole(filter.value.roleKey)
      case 'and':
        return { all: await translateAll(filter.value.queries, depth + 1) }
      case 'or':
        return { any: await translateAll(filter.value.queries, depth + 1) }
      case 'not':
        if (filter.value.query === undefined) throw refuseQuery('filters', 'must contain a filter to negate')
        return { not: await translate(filter.value.query, depth + 1) }
      case undefined:
        throw refuseQuery('filters', 'must each have a condition')
    }
  }

  return translateAll(filters, 1)
}

type Sorting = MembershipField | 'changedAt'

const MEMBER_SORTING: ReadonlyMap<number, Sorting> = new Map<number, Sorting>([
  [MemberFieldColumnName.MEMBER_FIELD_NAME_USER_ID, 'userId'],
  [MemberFieldColumnName.MEMBER_FIELD_NAME_CHANGE_DATE, 'changedAt'],
  [MemberFieldColumnName.MEMBER_FIELD_NAME_USER_RESOURCE_OWNER, 'userOrganizationId'],
])

const ADMINISTRATOR_SORTING: ReadonlyMap<number, Sorting> = new Map<number, Sorting>([
  [AdministratorFieldName.USER_ID, 'userId'],
  [AdministratorFieldName.CHANGE_DATE, 'changedAt'],
])

/** The sort field of a member list; by default the time of addition. */
export function memberSorting(column: MemberFieldColumnName): Sorting {
  return MEMBER_SORTING.get(column) ?? 'addedAt'
}

/** The filter of administrators. */
export function administratorSorting(column: AdministratorFieldName): Sorting {
  return ADMINISTRATOR_SORTING.get(column) ?? 'addedAt'
}
