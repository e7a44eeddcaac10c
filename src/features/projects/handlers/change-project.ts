/** Changes, deactivates, reactivates and removes projects. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { apiProjectId } from '../../instances/index.ts'
import { findOrganization } from '../../organizations/index.ts'
import type { Project } from '../decisions/project.ts'
import { findProject, projects } from '../documents.ts'
import type { ProjectSettings } from '../events.ts'
import { projectRefusals } from '../refusals.ts'
import { PROJECT_REMOVED, removeContents } from '../remove-contents.ts'
import { AT_ONCE } from '../withdraw-roles.ts'
import { checkProjectName } from './add-project.ts'

type WrittenProject = Promise<Written<Document<Project>>>

/** Changes the settings that are given. */
export function changeProject(app: App, call: Call, id: string, settings: Partial<ProjectSettings>): WrittenProject {
  if (settings.name !== undefined) checkProjectName(settings.name)
  return app.store.write(call.origin, (work) => work.decide(projects, id, { type: 'change', settings }))
}

/** Tokens for the API name its project as their audience, and the console signs users in with an application of it. */
async function requireNotApiProject(app: App, work: Work, id: string): Promise<void> {
  if (id === (await apiProjectId(app, work))) throw refused(projectRefusals, 'project.is_api_project')
}

/** Throws when the organization is being removed and owns the project of the API, which would go with it. */
export async function keepApiProject(app: App, work: Work, organizationId: string): Promise<void> {
  if ((await findOrganization(work, organizationId)) !== undefined) return
  const api = await findProject(app, await apiProjectId(app, work), work)
  if (api?.owner === organizationId) throw refused(projectRefusals, 'project.is_api_project')
}

/** Deactivates or reactivates a project. */
export function setProjectState(app: App, call: Call, id: string, type: 'deactivate' | 'reactivate'): WrittenProject {
  return app.store.write(call.origin, async (work) => {
    if (type === 'deactivate') await requireNotApiProject(app, work, id)
    return work.decide(projects, id, { type })
  })
}

/** Removes a project as part of a write. What is too much for one commit is removed by a job. */
export async function removeProjectIn(app: App, work: Work, id: string): Promise<Document<Project>> {
  await removeContents(app, work, id, AT_ONCE)
  work.enqueue({ kind: PROJECT_REMOVED, data: { projectId: id } })
  return work.decide(projects, id, { type: 'remove' })
}

/** Removes a project. Nothing that belongs to it counts from the commit on. */
export function removeProject(app: App, call: Call, id: string): WrittenProject {
  return app.store.write(call.origin, async (work) => {
    await requireNotApiProject(app, work, id)
    return removeProjectIn(app, work, id)
  })
}
