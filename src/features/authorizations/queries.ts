/** Converts queries about authorizations to filters, and says which authorizations a caller can read. */
import {
  AuthorizationFieldName,
  type AuthorizationsSearchFilter,
  State,
} from '../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import type { UserGrantQuery } from '../../../contract/gen/signet/user/v1/user_grant_pb.ts'
import { Type } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import { ownersWith } from '../../access/roles.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { type BuiltInField, type Filter, type SearchableText, textFilter } from '../../store/index.ts'
import { groupIdsWith, groupsOfUser } from '../groups/index.ts'
import { domainFilter, organizations } from '../organizations/index.ts'
import { projectNameFilter, roleListFilter } from '../projects/index.ts'
import { type UserField, users } from '../users/index.ts'
import type { AuthorizationField } from './documents.ts'
import { authorizationRefusals } from './refusals.ts'

type AuthorizationFilter = Filter<AuthorizationField>

const USER_NAME: SearchableText<UserField> = { folded: 'userName', typed: ['typedUserName'] }
const DISPLAY_NAME: SearchableText<UserField> = {
  folded: 'displayName',
  typed: ['typedDisplayName', 'typedMachineName'],
}
const FIRST_NAME: SearchableText<UserField> = { folded: 'firstName', typed: ['typedFirstName'] }
const LAST_NAME: SearchableText<UserField> = { folded: 'lastName', typed: ['typedLastName'] }
const EMAIL: SearchableText<UserField> = { folded: 'email', typed: ['typedEmail'] }

/** The authorizations that a user has, by themself or through the groups that they are in. */
export async function authorizationsOfUser(app: App, userId: string): Promise<AuthorizationFilter> {
  const groupIds = (await groupsOfUser(app, userId)).map(({ id }) => id)
  return {
    any: [
      { field: 'userId', equals: userId },
      { field: 'groupId', in: groupIds },
    ],
  }
}

/** Those that one of these users has; of groups, where the caller may read who is in them. */
async function authorizationsOfUsers(
  app: App,
  { caller }: Call,
  userIds: readonly string[],
): Promise<AuthorizationFilter> {
  const groupIds = await groupIdsWith(app, userIds, {
    owners: ownersWith(caller.grants, 'group.user.read'),
    self: caller.userId,
  })
  return {
    any: [
      { field: 'userId', in: userIds },
      { field: 'groupId', in: groupIds },
    ],
  }
}

/** The authorizations that the caller can read; users can read their own. */
export async function readableAuthorizations(app: App, call: Call): Promise<AuthorizationFilter> {
  const owners = call.visibleOwners()
  if (owners === 'all') return { all: [] }
  const { projectIds, grantIds } = call.visibleProjects()
  return {
    any: [
      { field: 'owner', in: owners },
      {
        all: [
          { field: 'projectId', in: projectIds },
          { field: 'grantId', equals: '' },
        ],
      },
      { field: 'grantId', in: grantIds },
      await authorizationsOfUser(app, call.caller.userId),
    ],
  }
}

/** A condition on the users behind authorizations, among those that the caller can read. */
function ofUsers({ caller }: Call, condition: Filter<UserField>): AuthorizationFilter {
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
  return { field: 'userId', among: { kind: users, field: 'id', where: { all: [condition, ...readable] } } }
}

function noCondition(field: string) {
  const violations = [{ field, description: 'must each have a condition' }]
  return refused(authorizationRefusals, 'authorization.query_invalid', { violations })
}

/** One condition of the AuthorizationService. */
export async function filterV2(
  app: App,
  call: Call,
  { filter }: AuthorizationsSearchFilter,
): Promise<AuthorizationFilter> {
  switch (filter.case) {
    case 'authorizationIds':
      return { field: 'id', in: filter.value.ids }
    case 'organizationId':
      return { field: 'owner', equals: filter.value.id }
    case 'state':
      return { field: 'status', equals: filter.value.state === State.ACTIVE ? 'active' : 'inactive' }
    case 'inUserIds':
      return authorizationsOfUsers(app, call, filter.value.ids)
    case 'inGroupIds':
      return { field: 'groupId', in: filter.value.ids }
    case 'userOrganizationId':
      return { field: 'userOrganizationId', equals: filter.value.id }
    case 'userPreferredLoginName':
      return ofUsers(call, textFilter(USER_NAME, filter.value.method, filter.value.loginName))
    case 'userDisplayName':
      return ofUsers(call, textFilter(DISPLAY_NAME, filter.value.method, filter.value.displayName))
    case 'projectId':
      return { field: 'projectId', equals: filter.value.id }
    case 'projectName':
      return projectNameFilter(filter.value.method, filter.value.name)
    case 'roleKey':
      return roleListFilter(filter.value.method, filter.value.key)
    case 'projectGrantId':
      return { field: 'grantId', equals: filter.value.id }
    case undefined:
      throw noCondition('filters')
  }
}

function ofOrganizations(where: Filter): AuthorizationFilter {
  return { field: 'owner', among: { kind: organizations, field: 'id', where } }
}

/** One condition of the v1 services. */
export async function filterV1(app: App, call: Call, { query }: UserGrantQuery): Promise<AuthorizationFilter> {
  switch (query.case) {
    case 'projectIdQuery':
      return { field: 'projectId', equals: query.value.projectId }
    case 'userIdQuery':
      return authorizationsOfUsers(app, call, [query.value.userId])
    case 'withGrantedQuery':
      return { all: [] }
    case 'roleKeyQuery':
      return roleListFilter(query.value.method, query.value.roleKey)
    case 'projectGrantIdQuery':
      return { field: 'grantId', equals: query.value.projectGrantId }
    case 'userNameQuery':
      return ofUsers(call, textFilter(USER_NAME, query.value.method, query.value.userName))
    case 'firstNameQuery':
      return ofUsers(call, textFilter(FIRST_NAME, query.value.method, query.value.firstName))
    case 'lastNameQuery':
      return ofUsers(call, textFilter(LAST_NAME, query.value.method, query.value.lastName))
    case 'emailQuery':
      return ofUsers(call, textFilter(EMAIL, query.value.method, query.value.email))
    case 'displayNameQuery':
      return ofUsers(call, textFilter(DISPLAY_NAME, query.value.method, query.value.displayName))
    case 'orgNameQuery':
      return ofOrganizations(
        textFilter({ folded: 'name', typed: ['typedName'] }, query.value.method, query.value.orgName),
      )
    case 'orgDomainQuery':
      return ofOrganizations(domainFilter(query.value.method, query.value.orgDomain))
    case 'projectNameQuery':
      return projectNameFilter(query.value.method, query.value.projectName)
    case 'userTypeQuery': {
      if (query.value.type === Type.UNSPECIFIED) return { all: [] }
      return ofUsers(call, { field: 'type', equals: query.value.type === Type.HUMAN ? 'human' : 'machine' })
    }
    case 'inUserIdsQuery':
      return authorizationsOfUsers(app, call, query.value.inUserIds)
    case undefined:
      throw noCondition('queries')
  }
}

/** The user whom a list is about, if it is about one: each row then shows them, also those through a group. */
export function onlyUserOf(
  filters: readonly (AuthorizationsSearchFilter['filter'] | UserGrantQuery['query'])[],
): string | undefined {
  for (const filter of filters) {
    if (filter.case === 'inUserIds' && filter.value.ids.length === 1) return filter.value.ids[0]
    if (filter.case === 'inUserIdsQuery' && filter.value.inUserIds.length === 1) return filter.value.inUserIds[0]
    if (filter.case === 'userIdQuery') return filter.value.userId
  }
  return undefined
}

type Sorting = AuthorizationField | BuiltInField

const SORTING: ReadonlyMap<number, Sorting> = new Map<number, Sorting>([
  [AuthorizationFieldName.CHANGED_DATE, 'changedAt'],
  [AuthorizationFieldName.ID, 'id'],
  [AuthorizationFieldName.USER_ID, 'userId'],
  [AuthorizationFieldName.PROJECT_ID, 'projectId'],
  [AuthorizationFieldName.ORGANIZATION_ID, 'owner'],
  [AuthorizationFieldName.USER_ORGANIZATION_ID, 'userOrganizationId'],
])

/** The sort field of a list; by default the time of creation. */
export function sortingOf(column: AuthorizationFieldName): Sorting {
  return SORTING.get(column) ?? 'createdAt'
}
