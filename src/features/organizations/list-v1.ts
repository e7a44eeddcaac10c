/** The lists of organizations in the v1 services. */

import { OrgState } from '../../../contract/gen/signet/org/v1/org_pb.ts'
import { OrgFieldName, type OrgQuery } from '../../../contract/gen/signet/org/v1/query_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { type Filter, textFilter } from '../../store/index.ts'
import { livingOrganization, type OrganizationField, organizations } from './documents.ts'
import { organizationV1 } from './messages.ts'
import { domainFilter } from './queries.ts'

const NONE: Filter<OrganizationField> = { any: [] }

const STATUS: ReadonlyMap<OrgState, string> = new Map([
  [OrgState.ACTIVE, 'active'],
  [OrgState.INACTIVE, 'inactive'],
])

function filterV1({ query }: OrgQuery): Filter<OrganizationField> {
  switch (query.case) {
    case 'nameQuery':
      return textFilter({ folded: 'name', typed: ['typedName'] }, query.value.method, query.value.name)
    case 'domainQuery':
      return domainFilter(query.value.method, query.value.domain)
    case 'stateQuery': {
      const equals = STATUS.get(query.value.state)
      return equals === undefined ? NONE : { field: 'status', equals }
    }
    case 'idQuery':
      return { field: 'id', equals: query.value.id }
    case undefined:
      return NONE
  }
}

/** A list as a v1 request asks for it. */
export interface OrganizationList {
  readonly query?: ListQuery | undefined
  readonly queries: readonly OrgQuery[]
  readonly sortingColumn: OrgFieldName
}

/** Lists the organizations among these that match all queries. */
export async function listOrganizationsV1(
  app: App,
  call: Call,
  { query, queries, sortingColumn }: OrganizationList,
  among: Filter<OrganizationField>,
) {
  const page = await app.store.find(organizations, {
    where: { all: [among, ...queries.map(filterV1)] },
    orderBy: sortingColumn === OrgFieldName.NAME ? 'name' : 'createdAt',
    ...pageOf(query, 'query'),
  })
  return {
    details: listDetailsV1(page, call.at),
    sortingColumn,
    result: page.documents.map((document) => organizationV1(livingOrganization(document))),
  }
}
