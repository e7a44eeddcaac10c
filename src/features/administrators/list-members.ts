/** The v1 lists of members. */
import type { MemberFieldColumnName, SearchQuery } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { type MembershipScope, memberships, membersIn } from '../memberships/index.ts'
import { currentMembers, memberV1, usersBehind } from './messages.ts'
import { memberFilters, memberSorting } from './queries.ts'

export interface MemberList {
  readonly query?: ListQuery | undefined
  readonly queries: readonly SearchQuery[]
  readonly sortingColumn: MemberFieldColumnName
}

/** Lists the members of a scope that match all queries. */
export async function listMembers(
  app: App,
  scope: MembershipScope,
  { query, queries, sortingColumn }: MemberList,
  call: Call,
) {
  const among = membersIn(scope)
  const page = await app.store.find(memberships, {
    where: { all: [among, ...(await memberFilters(app, call, queries, among))] },
    orderBy: memberSorting(sortingColumn),
    ...pageOf(query, 'query'),
  })
  const members = currentMembers(page.documents)
  const behind = await usersBehind(app, call, members)
  return {
    details: listDetailsV1(page, call.at),
    result: members.map((member) => memberV1(member, behind.get(member.state.userId))),
  }
}
