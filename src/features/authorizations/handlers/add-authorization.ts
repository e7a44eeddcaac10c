/** Gives a user, or all users of a group, roles of a project. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { findGroup } from '../../groups/index.ts'
import { findProject, findProjectGrant, findProjectRole, readProjectGrant } from '../../projects/index.ts'
import { users } from '../../users/index.ts'
import type { Authorization, LivingAuthorization } from '../decider.ts'
import { authorizations, placeOfAuthorization } from '../documents.ts'
import { authorizationRefusals } from '../refusals.ts'

export interface NewAuthorization {
  /** The organization that gives the roles. */
  readonly organizationId: string
  /** Who gets the roles: a user or a group, and the other one is empty or undefined. */
  readonly userId?: string | undefined
  readonly groupId?: string | undefined
  readonly projectId: string
  /** The grant that the caller expects; undefined: whatever the organization has. */
  readonly grantId?: string | undefined
  readonly roleKeys: readonly string[]
}

/** Throws unless the caller may give roles of the project in the name of the organization. */
export async function authorizeAdding(app: App, call: Call, added: NewAuthorization): Promise<void> {
  const { organizationId, projectId } = added
  const project = await findProject(app, projectId)
  if (project?.owner === organizationId) {
    call.authorize(await placeOfAuthorization(app, { organizationId, projectId, grantId: '' }))
    return
  }
  const grant = project && (await findProjectGrant(app, projectId, organizationId))
  const given = grant && { organizationId, projectId, grantId: grant.id }
  call.authorize(given ? await placeOfAuthorization(app, given) : organizationId)
}

/** Throws unless the project, and the grant if there is one, have all these roles; guards that until the commit. */
export async function requireRoles(
  app: App,
  work: Work,
  { projectId, grantId }: Pick<LivingAuthorization, 'projectId' | 'grantId'>,
  roleKeys: readonly string[],
): Promise<void> {
  const granted = grantId === '' ? roleKeys : ((await readProjectGrant(app, grantId, work))?.state.roleKeys ?? [])
  for (const key of new Set(roleKeys)) {
    if (granted.includes(key) && (await findProjectRole(app, projectId, key, work)) !== undefined) continue
    throw refused(authorizationRefusals, 'authorization.role_not_found')
  }
}

/** The grant by which the organization may give roles; empty when it owns the project. */
async function grantFor(app: App, work: Work, { projectId, organizationId, grantId }: NewAuthorization) {
  const project = await findProject(app, projectId, work)
  if (project === undefined) throw refused(authorizationRefusals, 'authorization.project_not_found')
  const isOwner = project.owner === organizationId
  const id = isOwner ? '' : (await findProjectGrant(app, projectId, organizationId, work))?.id
  if (id === undefined || (grantId !== undefined && grantId !== id)) {
    throw refused(authorizationRefusals, 'authorization.project_not_granted')
  }
  return id
}

/** Throws unless exactly one holder is named. */
function checkHolder({ userId = '', groupId = '' }: NewAuthorization): void {
  if ((userId === '') !== (groupId === '')) return
  const violations = ['userId', 'groupId'].map((field) => ({ field, description: 'exactly one of them must be set' }))
  throw refused(authorizationRefusals, 'authorization.holder_invalid', { violations })
}

/** Adds an authorization. User or group, project, grant and roles must exist until the commit. */
export function addAuthorization(
  app: App,
  call: Call,
  added: NewAuthorization,
): Promise<Written<Document<Authorization>>> {
  checkHolder(added)
  return app.store.write(call.origin, async (work) =>
    addAuthorizationIn(app, work, await work.unusedId(authorizations, app.newId), added),
  )
}

/** As above, as part of a write. */
export async function addAuthorizationIn(
  app: App,
  work: Work,
  id: string,
  added: NewAuthorization,
): Promise<Document<Authorization>> {
  const { organizationId, userId = '', groupId = '', projectId, roleKeys } = added
  const holder = groupId === '' ? await work.get(users, userId) : await findGroup(work, groupId)
  if (holder === undefined) {
    const code = groupId === '' ? 'authorization.user_not_found' : 'authorization.group_not_found'
    throw refused(authorizationRefusals, code)
  }
  const grantId = await grantFor(app, work, added)
  await requireRoles(app, work, { projectId, grantId }, roleKeys)
  const given = { organizationId, projectId, grantId, roleKeys }
  const command =
    groupId === ''
      ? ({ type: 'add', userId, userOrganizationId: holder.owner, ...given } as const)
      : ({ type: 'add_for_group', groupId, groupOrganizationId: holder.owner, ...given } as const)
  return work.decide(authorizations, id, command, organizationId)
}
