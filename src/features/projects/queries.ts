/** Converts queries about projects, roles and grants to filters, and says which of them a caller can read. */
import type {
  AllProjectGrantQuery,
  ProjectGrantQuery,
  ProjectQuery,
  RoleQuery,
} from '../../../contract/gen/signet/project/v1/project_pb.ts'
import {
  ProjectFieldName,
  ProjectGrantFieldName,
  type ProjectGrantSearchFilter,
  ProjectRoleFieldName,
  type ProjectRoleSearchFilter,
} from '../../../contract/gen/signet/project/v2/query_pb.ts'
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import { type BuiltInField, type Filter, type SearchableText, textFilter } from '../../store/index.ts'
import { type ProjectField, type ProjectGrantField, type ProjectRoleField, projects } from './documents.ts'
import { projectRefusals } from './refusals.ts'
import { roleListFilter } from './role-list.ts'

const NAME: SearchableText<ProjectField> = { folded: 'name', typed: ['typedName'] }
const KEY: SearchableText<ProjectRoleField> = { folded: 'key', typed: ['typedKey'] }
const DISPLAY_NAME: SearchableText<ProjectRoleField> = { folded: 'displayName', typed: ['typedDisplayName'] }

const EVERYTHING: Filter<never> = { all: [] }

function noCondition(field: string) {
  const violations = [{ field, description: 'must each have a condition' }]
  return refused(projectRefusals, 'project.query_invalid', { violations })
}

/** The condition that a project has this name. */
export function nameFilter(method: number, name: string): Filter<ProjectField> {
  return textFilter(NAME, method, name)
}

/** The condition that a document belongs to a project with this name. */
export function projectNameFilter(method: number, name: string): Filter<'projectId'> {
  return { field: 'projectId', among: { kind: projects, field: 'id', where: nameFilter(method, name) } }
}

/** The projects that the caller can read. */
export function readableProjects(call: Call): Filter<ProjectField> {
  const owners = call.visibleOwners()
  if (owners === 'all') return EVERYTHING
  const { projectIds } = call.visibleProjects()
  return {
    any: [
      { field: 'owner', in: owners },
      { field: 'id', in: projectIds },
    ],
  }
}

/** The grants that the caller can read from the side of the granted organization. */
export function readableAsGranted(call: Call): Filter<ProjectGrantField> {
  const owners = call.visibleOwners()
  if (owners === 'all') return EVERYTHING
  const { grantIds } = call.visibleProjects()
  return {
    any: [
      { field: 'grantedOrganizationId', in: owners },
      { field: 'id', in: grantIds },
    ],
  }
}

/** The grants that the caller finds in the list of projects: those of their organizations, and of projects they manage. */
export function readableAsProjectRow(call: Call): Filter<ProjectGrantField> {
  return { any: [readableAsGranted(call), { field: 'projectId', in: call.visibleProjects().projectIds }] }
}

/** The grants that the caller can read from the side of the project. */
export function readableAsOwner(call: Call): Filter<ProjectGrantField> {
  const owners = call.visibleOwners()
  if (owners === 'all') return EVERYTHING
  const { projectIds } = call.visibleProjects()
  return {
    any: [
      { field: 'owner', in: owners },
      { field: 'projectId', in: projectIds },
    ],
  }
}

/** Conditions on projects of the v1 services. */
export function projectFilterV1({ query }: ProjectQuery): Filter<ProjectField> {
  switch (query.case) {
    case 'nameQuery':
      return nameFilter(query.value.method, query.value.name)
    case 'projectResourceOwnerQuery':
      return { field: 'owner', equals: query.value.resourceOwner }
    case undefined:
      throw noCondition('queries')
  }
}

/** The filter of granted projects. */
export function grantedProjectFilterV1({ query }: ProjectQuery): Filter<ProjectGrantField> {
  switch (query.case) {
    case 'nameQuery':
      return projectNameFilter(query.value.method, query.value.name)
    case 'projectResourceOwnerQuery':
      return { field: 'owner', equals: query.value.resourceOwner }
    case undefined:
      throw noCondition('queries')
  }
}

/** Conditions on roles of the v1 services. */
export function roleFilterV1({ query }: RoleQuery): Filter<ProjectRoleField> {
  switch (query.case) {
    case 'keyQuery':
      return textFilter(KEY, query.value.method, query.value.key)
    case 'displayNameQuery':
      return textFilter(DISPLAY_NAME, query.value.method, query.value.displayName)
    case undefined:
      throw noCondition('queries')
  }
}

/** Conditions on roles of the v2 services. */
export function roleFilterV2({ filter }: ProjectRoleSearchFilter): Filter<ProjectRoleField> {
  switch (filter.case) {
    case 'roleKeyFilter':
      return textFilter(KEY, filter.value.method, filter.value.key)
    case 'displayNameFilter':
      return textFilter(DISPLAY_NAME, filter.value.method, filter.value.displayName)
    case undefined:
      throw noCondition('filters')
  }
}

/** Conditions on grants of the v1 services. */
export function grantFilterV1({ query }: ProjectGrantQuery | AllProjectGrantQuery): Filter<ProjectGrantField> {
  switch (query.case) {
    case 'projectNameQuery':
      return projectNameFilter(query.value.method, query.value.name)
    case 'roleKeyQuery':
      return roleListFilter(query.value.method, query.value.roleKey)
    case 'projectIdQuery':
      return { field: 'projectId', equals: query.value.projectId }
    case 'grantedOrgIdQuery':
      return { field: 'grantedOrganizationId', equals: query.value.grantedOrgId }
    case undefined:
      throw noCondition('queries')
  }
}

/** Conditions on grants of the v2 services. */
export function grantFilterV2({ filter }: ProjectGrantSearchFilter): Filter<ProjectGrantField> {
  switch (filter.case) {
    case 'projectNameFilter':
      return projectNameFilter(filter.value.method, filter.value.projectName)
    case 'roleKeyFilter':
      return roleListFilter(filter.value.method, filter.value.key)
    case 'inProjectIdsFilter':
      return { field: 'projectId', in: filter.value.ids }
    case 'organizationIdFilter':
      return { field: 'owner', equals: filter.value.id }
    case 'grantedOrganizationIdFilter':
      return { field: 'grantedOrganizationId', equals: filter.value.id }
    case undefined:
      throw noCondition('filters')
  }
}

const PROJECT_SORTING: ReadonlyMap<number, ProjectField | BuiltInField> = new Map<number, ProjectField | BuiltInField>([
  [ProjectFieldName.ID, 'id'],
  [ProjectFieldName.CHANGE_DATE, 'changedAt'],
  [ProjectFieldName.NAME, 'name'],
])

/** The sort field of projects; by default the time of creation. */
export function projectSorting(column: ProjectFieldName): ProjectField | BuiltInField {
  return PROJECT_SORTING.get(column) ?? 'createdAt'
}

/** The sort field of roles; by default the time of addition. */
export function roleSorting(column: ProjectRoleFieldName): ProjectRoleField | BuiltInField {
  if (column === ProjectRoleFieldName.KEY) return 'typedKey'
  return column === ProjectRoleFieldName.CHANGE_DATE ? 'changedAt' : 'addedAt'
}

/** The sort field of grants; by default the time of creation. */
export function grantSorting(column: ProjectGrantFieldName): ProjectGrantField | BuiltInField {
  if (column === ProjectGrantFieldName.PROJECT_ID) return 'projectId'
  return column === ProjectGrantFieldName.CHANGE_DATE ? 'changedAt' : 'createdAt'
}
