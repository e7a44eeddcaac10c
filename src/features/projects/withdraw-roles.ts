/**
 * Withdraws removed roles from grants and authorizations: as many as fit into the commit that removes them, the rest by
 * a job. What was not reached yet does not count, because readers look up the role and the grant.
 */
import type { App, WithdrawnRoles } from '../../module/app.ts'
import type { Filter, Origin, Work } from '../../store/index.ts'
import { endMemberships, type MembershipField } from '../memberships/index.ts'
import { isLivingProjectGrant } from './decisions/project-grant.ts'
import { type ProjectGrantField, projectGrants } from './documents.ts'
import { holdsRoleKey } from './role-list.ts'

/** The job that withdraws what did not fit into the commit. */
export const ROLES_WITHDRAWN = 'project.roles_withdrawn'

/** How many documents of a kind one commit changes. */
export const AT_ONCE = 100

/** Removes role keys from up to `limit` grants of a project; answers how many there were. */
async function withdrawFromGrants(
  app: App,
  work: Work,
  projectId: string,
  keys: readonly string[],
  limit: number,
): Promise<number> {
  const where: Filter<ProjectGrantField> = {
    all: [{ field: 'projectId', equals: projectId }, { any: keys.map(holdsRoleKey) }],
  }
  const ids = await app.store.findIds(projectGrants, where, limit)
  for (const id of ids) {
    const grant = await work.get(projectGrants, id)
    if (grant === undefined || !isLivingProjectGrant(grant.state)) continue
    const roleKeys = grant.state.roleKeys.filter((key) => !keys.includes(key))
    await work.decide(projectGrants, id, { type: 'change', roleKeys })
  }
  return ids.length
}

function endMembersOf(app: App, work: Work, grantId: string, limit: number): Promise<number> {
  const where: Filter<MembershipField> = {
    all: [
      { field: 'scopeId', equals: grantId },
      { field: 'level', equals: 'project_grant' },
    ],
  }
  return endMemberships(app, work, where, limit)
}

/** Withdraws roles from grants, if they are roles of the project itself, and from authorizations; answers how many. */
export async function withdrawIn(app: App, work: Work, withdrawn: WithdrawnRoles, limit: number): Promise<number> {
  const { projectId, grantId, roleKeys } = withdrawn
  const members = grantId !== undefined && roleKeys === 'all' ? await endMembersOf(app, work, grantId, limit) : 0
  const ofProject = grantId === undefined && roleKeys !== 'all'
  const grants = ofProject ? await withdrawFromGrants(app, work, projectId, roleKeys, limit) : 0
  return members + grants + (await app.lifecycle.whenProjectRolesWithdrawn(app, work, withdrawn, limit))
}

/** Withdraws roles in small commits until none is left. */
export async function withdrawAll(
  app: App,
  withdrawn: WithdrawnRoles,
  originNow: () => Origin,
  signal?: AbortSignal,
): Promise<void> {
  for (let left = 1; left > 0; ) {
    signal?.throwIfAborted()
    const { value } = await app.store.write(originNow(), (work) => withdrawIn(app, work, withdrawn, AT_ONCE))
    left = value
  }
}
