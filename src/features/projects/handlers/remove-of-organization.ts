/** Removes the projects of a removed organization, and the grants to it, in small commits. */
import type { App } from '../../../module/app.ts'
import type { Origin } from '../../../store/index.ts'
import { projectGrants, projects } from '../documents.ts'
import { removeGrantIn } from './change-grant.ts'
import { removeProjectIn } from './change-project.ts'

/** Each takes hundreds of documents with it. */
const AT_A_TIME = 5

/** Removes some projects of the organization, or some grants to it; answers how many. */
export async function removeProjectsOf(
  app: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const few = Math.min(limit, AT_A_TIME)
  const owned = await app.store.findIds(projects, { field: 'owner', equals: organizationId }, few)
  for (const id of owned) await app.store.write(origin, (work) => removeProjectIn(app, work, id))
  if (owned.length > 0) return owned.length
  const granted = await app.store.findIds(
    projectGrants,
    { field: 'grantedOrganizationId', equals: organizationId },
    few,
  )
  for (const id of granted) await app.store.write(origin, (work) => removeGrantIn(app, work, id))
  return granted.length
}
