/** The v2 list of projects: those that an organization owns, and those that are granted to it, in one order. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProjectSchema } from '../../../contract/gen/signet/project/v2/project_pb.ts'
import type { ListProjectsRequest } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import {
  ProjectFieldName,
  type ProjectSearchFilter,
  ProjectOrganizationIDFilter_Type as Type,
} from '../../../contract/gen/signet/project/v2/query_pb.ts'
import type { Call } from '../../access/call.ts'
import { searchText } from '../../kernel/fold-text.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Filter } from '../../store/index.ts'
import { isLivingProject, type Project } from './decisions/project.ts'
import { isLivingProjectGrant, type ProjectGrant } from './decisions/project-grant.ts'
import { type ProjectField, type ProjectGrantField, projectGrants, projects } from './documents.ts'
import { grantedProjectsV2, projectV2 } from './messages.ts'
import { nameFilter, projectNameFilter, projectSorting, readableAsProjectRow, readableProjects } from './queries.ts'

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

type Row = MessageInitShape<typeof ProjectSchema>

/** How many granted projects are sorted in among the own ones. More of them follow after. */
const MOST_SORTED_IN = 1000

/** What a row is sorted by. */
function sortKey(column: ProjectFieldName): (row: Row) => string | number {
  switch (column) {
    case ProjectFieldName.ID:
      return ({ projectId = '' }) => projectId
    case ProjectFieldName.NAME:
      return ({ name = '' }) => searchText(name)
    case ProjectFieldName.CHANGE_DATE:
      return ({ changeDate }) => millisecondsOf(changeDate)
    default:
      return ({ creationDate }) => millisecondsOf(creationDate)
  }
}

function millisecondsOf(date: Row['creationDate']): number {
  return date === undefined ? 0 : Number(date.seconds ?? 0n) * 1000 + (date.nanos ?? 0) / 1_000_000
}

function ownedRows(documents: readonly Document<Project>[]): readonly Row[] {
  return documents.flatMap(({ state, ...rest }) => (isLivingProject(state) ? [projectV2({ ...rest, state })] : []))
}

async function grantedRows(
  app: App,
  call: Call,
  documents: readonly Document<ProjectGrant>[],
): Promise<readonly Row[]> {
  const grants = documents.flatMap(({ state, ...rest }) => (isLivingProjectGrant(state) ? [{ ...rest, state }] : []))
  return grantedProjectsV2(app, call, grants)
}

/** The page of projects that match all filters and that the caller can read; a granted one has the place of its grant. */
export async function listProjects(
  app: App,
  call: Call,
  { pagination, filters, sortingColumn }: ListProjectsRequest,
): Promise<ProjectList> {
  const { offset, limit, descending } = pageOf(pagination, 'pagination')
  const findOwned = (from: number, most: number) =>
    app.store.find(projects, {
      where: { all: [readableProjects(call), ...filters.map(ownedFilter)] },
      orderBy: projectSorting(sortingColumn),
      descending,
      offset: from,
      limit: most,
    })
  const findGranted = (from: number, most: number) =>
    app.store.find(projectGrants, {
      where: { all: [readableAsProjectRow(call), ...filters.map(grantedFilter)] },
      orderBy: sortingColumn === ProjectFieldName.ID ? 'projectId' : 'createdAt',
      descending,
      offset: from,
      limit: most,
    })
  const granted = await findGranted(0, MOST_SORTED_IN)
  if (granted.total > MOST_SORTED_IN) {
    const owned = await findOwned(offset, limit)
    const rest = await findGranted(Math.max(0, offset - owned.total), Math.max(0, limit - owned.documents.length))
    const rows = [...ownedRows(owned.documents), ...(await grantedRows(app, call, rest.documents))]
    return { total: owned.total + granted.total, limit, projects: rows }
  }
  // At most all granted ones stand before an own one, so the page is within this part of the own ones.
  const from = Math.max(0, offset - granted.total)
  const owned = await findOwned(from, limit + granted.total)
  const keyOf = sortKey(sortingColumn)
  const direction = descending ? -1 : 1
  const compare = (one: Row, other: Row) => {
    const [first, second] = [keyOf(one), keyOf(other)]
    return first === second ? 0 : (first < second ? -1 : 1) * direction
  }
  const rows = [...ownedRows(owned.documents), ...(await grantedRows(app, call, granted.documents))].sort(compare)
  const page = rows.slice(offset - from, offset - from + limit)
  return { total: owned.total + granted.total, limit, projects: page }
}
