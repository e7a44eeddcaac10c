/** Finds the project of a call, and checks the permission of the method on it. */

import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import type { LivingProject } from './decisions/project.ts'
import type { LivingProjectGrant } from './decisions/project-grant.ts'
import {
  findProject,
  findProjectGrant,
  placeOf,
  placeOfGrant,
  projectGrants,
  projects,
  readProjectGrant,
} from './documents.ts'
import { projectGrantRefusals, projectRefusals } from './refusals.ts'

/** The project, if the caller holds the permission of the method on it; throws `project.not_found`. */
export async function projectForCaller(app: App, call: Call, projectId: string): Promise<Document<LivingProject>> {
  const document = await findProject(app, projectId)
  if (document === undefined) throw refused(projectRefusals, 'project.not_found')
  call.authorize(placeOf(document))
  return document
}

/** For lists: whether there is such a project and the caller holds the permission of the method on it. */
export async function isProjectInReach(app: App, call: Call, projectId: string): Promise<boolean> {
  const document = await findProject(app, projectId)
  // Also where there is none the permission is asked for, so that both look alike.
  return call.reaches(document === undefined ? { projectId, ownerId: '' } : placeOf(document)) && document !== undefined
}

/**
 * For a method that adds something to the project or removes something from it, where a project that does not
 * exist is a failed precondition (`project.missing`) or means that there is nothing to remove.
 */
export async function projectToExtend(
  app: App,
  call: Call,
  projectId: string,
): Promise<Document<LivingProject> | undefined> {
  const document = await findProject(app, projectId)
  // The caller holds the permission somewhere, and there is nothing to hold it on.
  if (document === undefined) call.visibleOwners()
  else call.authorize(placeOf(document))
  return document
}

/** Like `findProject`, but throws `project.missing` when there is no such project. */
export async function projectToAddTo(app: App, call: Call, projectId: string): Promise<Document<LivingProject>> {
  const document = await projectToExtend(app, call, projectId)
  if (document === undefined) throw refused(projectRefusals, 'project.missing')
  return document
}

/** The project, if it was removed before and the caller holds the permission of the method where it was. */
export async function removedProject(app: App, call: Call, projectId: string): Promise<Document<unknown> | undefined> {
  const document = await app.store.getRemoved(projects, projectId)
  if (document !== undefined) call.authorize({ projectId, ownerId: document.owner })
  return document
}

/** The grant of a project to an organization, for a method of the project's administrators. */
export async function grantForOwner(
  app: App,
  call: Call,
  projectId: string,
  organizationId: string,
): Promise<Document<LivingProjectGrant>> {
  await projectForCaller(app, call, projectId)
  const grant = await findProjectGrant(app, projectId, organizationId)
  if (grant === undefined) throw refused(projectGrantRefusals, 'project_grant.not_found')
  return grant
}

/** How many removals of an organization are looked through for one that is repeated. */
const REMOVALS_LOOKED_THROUGH = 20

/** The last grant of a project to an organization that was removed, if that was among the last removals. */
export async function lastRemovedGrant(
  app: App,
  project: Document<LivingProject>,
  organizationId: string,
): Promise<Document<unknown> | undefined> {
  const removals = await app.store.events({
    kinds: [projectGrants.name],
    types: ['project_grant.removed.v1'],
    owner: project.owner,
    descending: true,
    limit: REMOVALS_LOOKED_THROUGH,
  })
  for (const { id } of removals) {
    const [added] = await app.store.events({ kinds: [projectGrants.name], id, limit: 1 })
    const grant = added?.data as Partial<LivingProjectGrant> | undefined
    if (grant?.projectId === project.id && grant.grantedOrganizationId === organizationId) {
      return app.store.getRemoved(projectGrants, id)
    }
  }
  return undefined
}

/** The grant with this ID, for a method that also administrators of the granted organization may call. */
export async function grantForCaller(
  app: App,
  call: Call,
  projectId: string,
  grantId: string,
): Promise<Document<LivingProjectGrant>> {
  const grant = await readProjectGrant(app, grantId)
  if (grant === undefined || grant.state.projectId !== projectId) {
    call.visibleOwners()
    throw refused(projectGrantRefusals, 'project_grant.not_found')
  }
  call.authorize(await placeOfGrant(app, grant))
  return grant
}
