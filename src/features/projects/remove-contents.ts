/** Removes what belongs to a removed project. */
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { endMemberships } from '../memberships/index.ts'
import { projectGrants, projectRoles } from './documents.ts'

/** The job that removes what did not fit into the commit. */
export const PROJECT_REMOVED = 'project.removed'

/** Removes up to `limit` of each: grants, roles, members and authorizations of a removed project; answers how many. */
export async function removeContents(app: App, work: Work, projectId: string, limit: number): Promise<number> {
  const where = { field: 'projectId', equals: projectId } as const
  const grants = await app.store.findIds(projectGrants, where, limit)
  for (const id of grants) await work.decide(projectGrants, id, { type: 'remove' })
  const roles = await app.store.findIds(projectRoles, where, limit)
  for (const id of roles) await work.decide(projectRoles, id, { type: 'remove' })
  const members = await endMemberships(app, work, where, limit)
  const withdrawn = await app.lifecycle.whenProjectRolesWithdrawn(app, work, { projectId, roleKeys: 'all' }, limit)
  return grants.length + roles.length + members + withdrawn
}
