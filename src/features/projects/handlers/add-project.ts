/** Adds a project to an organization. */

import type { Call } from '../../../access/call.ts'
import { nameProblem } from '../../../kernel/name.ts'
import { refused } from '../../../kernel/refusal.ts'
import { PROJECT_OWNER } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import { partyNamed } from '../../../module/token-party.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { type MembershipScope, membershipIdIn, memberships } from '../../memberships/index.ts'
import { chosenIdProblem, organizations } from '../../organizations/index.ts'
import type { Project } from '../decisions/project.ts'
import { projects } from '../documents.ts'
import type { ProjectSettings } from '../events.ts'
import { projectRefusals } from '../refusals.ts'

export interface NewProject {
  readonly organizationId: string
  /** If undefined, the server chooses one. */
  readonly projectId?: string | undefined
  readonly settings: ProjectSettings
}

/** Throws when a project cannot have this name. */
export function checkProjectName(name: string): void {
  const description = nameProblem(name)
  if (description === undefined) return
  throw refused(projectRefusals, 'project.name_invalid', { violations: [{ field: 'name', description }] })
}

/** Throws when a caller cannot choose this ID for a project of the organization. */
export async function checkId(app: App, work: Work, id: string, organizationId: string): Promise<void> {
  const description = await chosenIdProblem(app, work, { kind: 'project', id, organizationId })
  if (description !== undefined) {
    throw refused(projectRefusals, 'project.id_invalid', { violations: [{ field: 'projectId', description }] })
  }
  if ((await partyNamed(app, id)) !== undefined) throw refused(projectRefusals, 'project.id_taken')
}

/** Makes the caller the owner of a new project. Without it, a caller who may only create projects could not use it. */
async function makeOwner(work: Work, { caller }: Call, projectId: string, ownerId: string): Promise<void> {
  const { userId, organizationId: userOrganizationId } = caller
  const scope: MembershipScope = { level: 'project', id: projectId, place: { projectId, ownerId } }
  const project = { id: projectId, organizationId: ownerId }
  const member = { level: scope.level, scopeId: projectId, project, userId, userOrganizationId }
  const command = { type: 'add', ...member, roles: [PROJECT_OWNER], addedAt: work.origin.at } as const
  await work.decide(memberships, membershipIdIn(scope, userId), command, ownerId)
}

/** Adds a project. The caller must hold the permission in the organization. */
export function addProject(
  app: App,
  call: Call,
  { organizationId, projectId, settings }: NewProject,
): Promise<Written<Document<Project>>> {
  checkProjectName(settings.name)
  return app.store.write(call.origin, async (work) => {
    if ((await work.get(organizations, organizationId)) === undefined) {
      throw refused(projectRefusals, 'project.organization_not_found')
    }
    if (projectId !== undefined) await checkId(app, work, projectId, organizationId)
    const id = projectId ?? (await work.unusedId(projects, app.newId))
    if (!call.may('project.write', organizationId)) await makeOwner(work, call, id, organizationId)
    return work.decide(projects, id, { type: 'add', organizationId, ...settings }, organizationId)
  })
}
