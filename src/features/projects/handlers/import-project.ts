/** Adds projects that another product had, with their roles, and their grants to other organizations. */

import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { organizations } from '../../organizations/index.ts'
import type { Project } from '../decisions/project.ts'
import type { ProjectGrant } from '../decisions/project-grant.ts'
import { projectGrants, projectRoleId, projectRoles, projects } from '../documents.ts'
import type { ProjectSettings } from '../events.ts'
import { projectRefusals } from '../refusals.ts'
import { checkId, checkProjectName } from './add-project.ts'
import { addGrantIn } from './change-grant.ts'
import { checkKeys, type NewRole } from './change-role.ts'

export interface ImportedProject {
  readonly id: string
  readonly organizationId: string
  readonly settings: ProjectSettings
  readonly isActive: boolean
}

/** Adds a project as part of a write. */
export async function importProject(
  app: App,
  work: Work,
  { id, organizationId, settings, isActive }: ImportedProject,
): Promise<Document<Project>> {
  checkProjectName(settings.name)
  if ((await work.get(organizations, organizationId)) === undefined) {
    throw refused(projectRefusals, 'project.organization_not_found')
  }
  await checkId(app, work, id, organizationId)
  const added = await work.decide(projects, id, { type: 'add', organizationId, ...settings }, organizationId)
  return isActive ? added : work.decide(projects, id, { type: 'deactivate' })
}

/** Adds a role to a project that was added in the same write. */
export async function importRole(
  work: Work,
  { id: projectId, organizationId }: Pick<ImportedProject, 'id' | 'organizationId'>,
  role: NewRole & { readonly addedAt?: Instant },
): Promise<void> {
  checkKeys([role], () => 'roleKey')
  const command = { type: 'add', projectId, addedAt: work.origin.at, ...role } as const
  await work.decide(projectRoles, projectRoleId(projectId, role.key), command, organizationId)
}

export interface ImportedGrant {
  readonly id: string
  readonly projectId: string
  readonly grantedOrganizationId: string
  readonly roleKeys: readonly string[]
  readonly isActive: boolean
}

/** Grants a project to an organization as part of a write. */
export async function importGrant(
  app: App,
  work: Work,
  { id, isActive, ...grant }: ImportedGrant,
): Promise<Document<ProjectGrant>> {
  const added = await addGrantIn(app, work, { id, ...grant })
  return isActive ? added : work.decide(projectGrants, id, { type: 'deactivate' })
}
