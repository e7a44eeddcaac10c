/** The v1 lists of the memberships of one user. */
import type { MembershipQuery } from '../../../contract/gen/signet/user/v1/membership_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Filter } from '../../store/index.ts'
import { instances } from '../instances/index.ts'
import { type MembershipField, type MembershipScope, memberships } from '../memberships/index.ts'
import { projectsById } from '../projects/index.ts'
import { currentMembers, membershipV1, organizationNames } from './messages.ts'

function inScope(level: MembershipScope['level'], scopeId: string): Filter<MembershipField> {
  return {
    all: [
      { field: 'level', equals: level },
      { field: 'scopeId', equals: scopeId },
    ],
  }
}

function filterOf({ query }: MembershipQuery): Filter<MembershipField> {
  switch (query.case) {
    case 'orgQuery':
      return inScope('organization', query.value.orgId)
    case 'projectQuery':
      return inScope('project', query.value.projectId)
    case 'projectGrantQuery':
      return inScope('project_grant', query.value.projectGrantId)
    default:
      return { field: 'level', equals: query.value?.iam === true ? 'instance' : 'organization' }
  }
}

/** A list as a request asks for it. */
export interface MembershipList {
  readonly query?: ListQuery | undefined
  readonly queries: readonly MembershipQuery[]
}

/** Lists the memberships among these that match all queries, with the names of their places. */
export async function listMemberships(
  app: App,
  call: Call,
  { query, queries }: MembershipList,
  among: readonly Filter<MembershipField>[],
) {
  const page = await app.store.find(memberships, {
    where: { all: [...among, ...queries.map(filterOf)] },
    orderBy: 'addedAt',
    ...pageOf(query, 'query'),
  })
  const members = currentMembers(page.documents)
  const [names, projects] = await Promise.all([
    organizationNames(app, members),
    projectsById(
      app,
      members.flatMap(({ state }) => state.project?.id ?? []),
    ),
  ])
  const instance = await app.store.get(instances, app.instanceId)
  const instanceName = instance?.state.status === 'running' ? instance.state.name : ''
  const nameOf = ({ owner, state }: (typeof members)[number]) => {
    if (state.project !== undefined) return projects.get(state.project.id)?.state.name
    return state.level === 'instance' ? instanceName : names.get(owner)
  }
  return {
    details: listDetailsV1(page, call.at),
    result: members.map((member) => membershipV1(member, nameOf(member) ?? '')),
  }
}
