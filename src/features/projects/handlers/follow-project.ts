/** Changes projects, their roles and grants to what another product has now, which is still in use. */
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { projectGrants, projectRoleId, projectRoles, projects } from '../documents.ts'
import { checkProjectName } from './add-project.ts'
import { changeGrantIn } from './change-grant.ts'
import { type NewRole, removeRoleIn } from './change-role.ts'
import { type ImportedGrant, type ImportedProject, importRole } from './import-project.ts'

/** Changes a project to what another product has now, as part of a write. */
export async function followProject(
  work: Work,
  { id, settings, isActive }: Omit<ImportedProject, 'organizationId'>,
): Promise<void> {
  checkProjectName(settings.name)
  const { state } = await work.decide(projects, id, { type: 'change', settings })
  if (state.status === 'active' && !isActive) await work.decide(projects, id, { type: 'deactivate' })
  if (state.status === 'inactive' && isActive) await work.decide(projects, id, { type: 'reactivate' })
}

/** Gives a project a role, or the role its texts, as part of a write. */
export async function followRole(
  work: Work,
  project: Pick<ImportedProject, 'id' | 'organizationId'>,
  role: NewRole,
): Promise<void> {
  const id = projectRoleId(project.id, role.key)
  if ((await work.get(projectRoles, id))?.state.status !== 'existing') return importRole(work, project, role)
  const { displayName, group } = role
  await work.decide(projectRoles, id, { type: 'change', texts: { displayName, group } })
}

/** Removes the roles that another product does not have any more, as part of a write. */
export async function keepRoles(app: App, work: Work, projectId: string, keys: readonly string[]): Promise<void> {
  const known = await app.store.findValues(projectRoles, { field: 'projectId', equals: projectId }, 'typedKey')
  for (const key of known.map(String)) if (!keys.includes(key)) await removeRoleIn(app, work, projectId, key)
}

/** Changes a grant to what another product has now, as part of a write. */
export async function followGrant(
  app: App,
  work: Work,
  { id, roleKeys, isActive }: Pick<ImportedGrant, 'id' | 'roleKeys' | 'isActive'>,
): Promise<void> {
  await changeGrantIn(app, work, id, roleKeys)
  await work.decide(projectGrants, id, { type: isActive ? 'reactivate' : 'deactivate' })
}
