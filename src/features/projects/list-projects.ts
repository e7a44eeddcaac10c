/** The v2 list of projects: those that an organization owns, followed by those that are granted to it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProjectSchema } from '../../../contract/gen/signet/project/v2/project_pb.ts'
import type { ListProjectsRequest } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import {
  ProjectFieldName,
  type ProjectSearchFilter,
  ProjectOrganizationIDFilter_Type as Type,
} from '../../../contract/gen/signet/project/v2/query_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import type { Filter } from '../../store/index.ts'
import { isLivingProject } from './decisions/project.ts'
import { isLivingProjectGrant } from './decisions/project-grant.ts'
import { type ProjectField, type ProjectGrantField, projectGrants, projects } from './documents.ts'
import { grantedProjectsV2, projectV2 } from './messages.ts'
import { nameFilter, projectNameFilter, projectSorting, readableAsGranted, readableProjects } from './queries.ts'

const NONE: Filter<never> = { any: [] }

function ownedFilter({ filter }: ProjectSearchFilter): Filter<ProjectField> {
  switch (filter.case) {
    case 'projectNameFilter':
      return nameFilter(filter.value.method, filter.value.projectName)
    case 'inProjectIdsFilter':
      return { field: 'id', in: filter.value.ids }
    case 'organizationIdFilter':
      return filter.value.type === Type.GRANTED ? NONE : { field: 'owner', equals: filter.value.organizationId }
    case undefined:
      return NONE
  }
}

function grantedFilter({ filter }: ProjectSearchFilter): Filter<ProjectGrantField> {
  switch (filter.case) {
    case 'projectNameFilter':
      return projectNameFilter(filter.value.method, filter.value.projectName)
    case 'inProjectIdsFilter':
      return { field: 'projectId', in: filter.value.ids }
    case 'organizationIdFilter': {
      const { type, organizationId } = filter.value
      return type === Type.OWNED ? NONE : { field: 'grantedOrganizationId', equals: organizationId }
    }
    case undefined:
      return NONE
  }
}

interface ProjectList {
  readonly total: number
  readonly limit: number
  readonly projects: readonly MessageInitShape<typeof ProjectSchema>[]
}

/** The page of projects that match all filters and that the caller can read. */
export async function listProjects(
  app: App,
  call: Call,
  { pagination, filters, sortingColumn }: ListProjectsRequest,
): Promise<ProjectList> {
  const { offset, limit, descending } = pageOf(pagination, 'pagination')
  const owned = await app.store.find(projects, {
    where: { all: [readableProjects(call), ...filters.map(ownedFilter)] },
    orderBy: projectSorting(sortingColumn),
    descending,
    offset,
    limit,
  })
  const granted = await app.store.find(projectGrants, {
    where: { all: [readableAsGranted(call), ...filters.map(grantedFilter)] },
    orderBy: sortingColumn === ProjectFieldName.ID ? 'projectId' : 'createdAt',
    descending,
    offset: Math.max(0, offset - owned.total),
    limit: Math.max(0, limit - owned.documents.length),
  })
  const ownedPage = owned.documents.flatMap(({ state, ...rest }) =>
    isLivingProject(state) ? [projectV2({ ...rest, state })] : [],
  )
  const grants = granted.documents.flatMap(({ state, ...rest }) =>
    isLivingProjectGrant(state) ? [{ ...rest, state }] : [],
  )
  return {
    total: owned.total + granted.total,
    limit,
    projects: [...ownedPage, ...(await grantedProjectsV2(app, grants))],
  }
}
