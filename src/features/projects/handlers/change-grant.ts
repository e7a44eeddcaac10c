/** Grants projects to other organizations, and changes and removes such grants. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import { distinctKeys } from '../../../kernel/role-keys.ts'
import type { App, WithdrawnRoles } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { endProjectFor } from '../../generations/index.ts'
import { findOrganization } from '../../organizations/index.ts'
import type { LivingProjectGrant, ProjectGrant } from '../decisions/project-grant.ts'
import { findProject, findProjectRole, projectGrants, readProjectGrant } from '../documents.ts'
import { projectGrantRefusals, projectRefusals } from '../refusals.ts'
import { AT_ONCE, ROLES_WITHDRAWN, withdrawIn } from '../withdraw-roles.ts'

type WrittenGrant = Promise<Written<Document<ProjectGrant>>>

/** Throws unless the project has all these roles; guards that until the commit. */
async function requireRoles(app: App, work: Work, projectId: string, keys: readonly string[]): Promise<void> {
  for (const key of distinctKeys(keys)) {
    if ((await findProjectRole(app, projectId, key, work)) === undefined) {
      throw refused(projectGrantRefusals, 'project_grant.role_not_found')
    }
  }
}

export interface NewGrant {
  readonly id: string
  readonly projectId: string
  readonly grantedOrganizationId: string
  readonly roleKeys: readonly string[]
}

/** Grants a project to an organization as part of a write. */
export async function addGrantIn(
  app: App,
  work: Work,
  { id, projectId, grantedOrganizationId, roleKeys }: NewGrant,
): Promise<Document<ProjectGrant>> {
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.missing')
  if (grantedOrganizationId === project.owner) throw refused(projectGrantRefusals, 'project_grant.own_organization')
  if ((await findOrganization(work, grantedOrganizationId)) === undefined) {
    throw refused(projectGrantRefusals, 'project_grant.organization_not_found')
  }
  await requireRoles(app, work, projectId, roleKeys)
  const command = { type: 'add', projectId, grantedOrganizationId, roleKeys } as const
  return work.decide(projectGrants, id, command, project.owner)
}

/** Grants a project to an organization. */
export function addGrant(
  app: App,
  call: Call,
  projectId: string,
  grantedOrganizationId: string,
  roleKeys: readonly string[],
): WrittenGrant {
  return app.store.write(call.origin, async (work) => {
    const id = await work.unusedId(projectGrants, app.newId)
    return addGrantIn(app, work, { id, projectId, grantedOrganizationId, roleKeys })
  })
}

/** Replaces the roles of a grant. Authorizations by it lose those that are no longer granted. */
export function changeGrant(app: App, call: Call, grantId: string, roleKeys: readonly string[]): WrittenGrant {
  return app.store.write(call.origin, (work) => changeGrantIn(app, work, grantId, roleKeys))
}

/** Replaces the roles of a grant as part of a write. */
export async function changeGrantIn(
  app: App,
  work: Work,
  grantId: string,
  roleKeys: readonly string[],
): Promise<Document<ProjectGrant>> {
  const grant = await readProjectGrant(app, grantId, work)
  if (grant === undefined) throw refused(projectGrantRefusals, 'project_grant.not_found')
  const { projectId } = grant.state
  await requireRoles(app, work, projectId, roleKeys)
  const removed = grant.state.roleKeys.filter((key) => !roleKeys.includes(key))
  if (removed.length > 0) await withdraw(app, work, { projectId, grantId, roleKeys: removed })
  return work.decide(projectGrants, grantId, { type: 'change', roleKeys })
}

async function withdraw(app: App, work: Work, withdrawn: WithdrawnRoles): Promise<void> {
  await withdrawIn(app, work, withdrawn, AT_ONCE)
  work.enqueue({ kind: ROLES_WITHDRAWN, data: withdrawn })
}

/** Deactivates or reactivates a grant. */
export function setGrantState(app: App, call: Call, grantId: string, type: 'deactivate' | 'reactivate'): WrittenGrant {
  return app.store.write(call.origin, (work) => setGrantStateIn(app, work, grantId, type))
}

/** Deactivates or reactivates a grant as part of a write. What it was for the users of its organization stays ended. */
export async function setGrantStateIn(
  app: App,
  work: Work,
  grantId: string,
  type: 'deactivate' | 'reactivate',
): Promise<Document<ProjectGrant>> {
  if (type === 'deactivate') await endWhatItWas(work, await readProjectGrant(app, grantId, work))
  return work.decide(projectGrants, grantId, { type })
}

async function endWhatItWas(work: Work, grant: Document<LivingProjectGrant> | undefined): Promise<void> {
  if (grant === undefined || grant.state.status === 'inactive') return
  await endProjectFor(work, grant.state.grantedOrganizationId, grant.state.projectId)
}

/** Removes a grant as part of a write, with its members and authorizations. */
export async function removeGrantIn(app: App, work: Work, grantId: string): Promise<Document<ProjectGrant>> {
  const grant = await readProjectGrant(app, grantId, work)
  if (grant !== undefined) {
    const { projectId } = grant.state
    await withdraw(app, work, { projectId, grantId, roleKeys: 'all' })
    await endWhatItWas(work, grant)
  }
  return work.decide(projectGrants, grantId, { type: 'remove' })
}

/** Removes a grant. Nothing that depends on it counts from the commit on. */
export function removeGrant(app: App, call: Call, grantId: string): WrittenGrant {
  return app.store.write(call.origin, (work) => removeGrantIn(app, work, grantId))
}
