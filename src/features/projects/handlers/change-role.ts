/** Adds, changes and removes roles of a project. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { type ProjectRole, type RoleTexts, roleKeyProblem } from '../decisions/project-role.ts'
import { findProject, projectRoleId, projectRoles } from '../documents.ts'
import { projectRefusals, projectRoleRefusals } from '../refusals.ts'
import { AT_ONCE, ROLES_WITHDRAWN, withdrawAll, withdrawIn } from '../withdraw-roles.ts'

export interface NewRole extends RoleTexts {
  readonly key: string
}

type WrittenRole = Promise<Written<Document<ProjectRole>>>

/** Throws unless roles can have these keys. */
export function checkKeys(roles: readonly NewRole[], fieldOf: (index: number) => string): void {
  const violations = roles.flatMap(({ key }, index) => {
    const description = roleKeyProblem(key)
    return description === undefined ? [] : [{ field: fieldOf(index), description }]
  })
  if (violations.length > 0) throw refused(projectRoleRefusals, 'project_role.key_invalid', { violations })
  if (new Set(roles.map(({ key }) => key)).size < roles.length)
    throw refused(projectRoleRefusals, 'project_role.duplicate')
}

/**
 * A role that was removed may still stand in grants and authorizations that the job has not reached. They must not hold
 * the new role of the same key.
 */
async function finishRemovals(app: App, call: Call, projectId: string, roles: readonly NewRole[]): Promise<void> {
  const removed: string[] = []
  for (const { key } of roles) {
    const before = await app.store.get(projectRoles, projectRoleId(projectId, key))
    if (before?.state.status === 'none') removed.push(key)
  }
  if (removed.length > 0) await withdrawAll(app, { projectId, roleKeys: removed }, () => call.origin)
}

/** Adds roles to a project, all or none, and returns the last one. `fieldOf` names the key of a role in the request. */
export async function addRoles(
  app: App,
  call: Call,
  projectId: string,
  roles: readonly NewRole[],
  fieldOf: (index: number) => string = () => 'roleKey',
): Promise<Written<Document<ProjectRole> | undefined>> {
  checkKeys(roles, fieldOf)
  await finishRemovals(app, call, projectId, roles)
  return app.store.write(call.origin, async (work) => {
    const project = await findProject(app, projectId, work)
    if (project === undefined) throw refused(projectRefusals, 'project.missing')
    let last: Document<ProjectRole> | undefined
    for (const role of roles) {
      const command = { type: 'add', projectId, ...role, addedAt: work.origin.at } as const
      last = await work.decide(projectRoles, projectRoleId(projectId, role.key), command, project.owner)
    }
    return last
  })
}

/** Changes the texts of a role that are given. */
export function changeRole(
  app: App,
  call: Call,
  projectId: string,
  key: string,
  texts: Partial<RoleTexts>,
): WrittenRole {
  return app.store.write(call.origin, (work) =>
    work.decide(projectRoles, projectRoleId(projectId, key), { type: 'change', texts }),
  )
}

/** Removes a role from its project, and from the grants and authorizations that contain it. */
export function removeRole(app: App, call: Call, projectId: string, key: string): WrittenRole {
  return app.store.write(call.origin, (work) => removeRoleIn(app, work, projectId, key))
}

/** Removes a role as part of a write, also from the grants and authorizations that contain it. */
export async function removeRoleIn(
  app: App,
  work: Work,
  projectId: string,
  key: string,
): Promise<Document<ProjectRole>> {
  const id = projectRoleId(projectId, key)
  if ((await work.get(projectRoles, id))?.state.status === 'existing') {
    const withdrawn = { projectId, roleKeys: [key] }
    await withdrawIn(app, work, withdrawn, AT_ONCE)
    work.enqueue({ kind: ROLES_WITHDRAWN, data: withdrawn })
  }
  // The removal of a role that never existed writes nothing, but the answer has an owner.
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(projectRefusals, 'project.missing')
  return work.decide(projectRoles, id, { type: 'remove' }, project.owner)
}
