/** Removes or narrows authorizations when what they depend on is removed: a user, an organization, a project, a role. */

import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { App, WithdrawnRoles } from '../../../module/app.ts'
import type { Filter, Origin, Work } from '../../../store/index.ts'
import { holdsRoleKey } from '../../projects/index.ts'
import { type AuthorizationField, authorizations, findAuthorization } from '../documents.ts'
import { removeAuthorizationIn } from './change-authorization.ts'

type AuthorizationFilter = Filter<AuthorizationField>

async function removeSome(app: App, work: Work, where: AuthorizationFilter, limit?: number): Promise<number> {
  const ids = await app.store.findIds(authorizations, where, limit)
  await eachAtOnce(ids, (id) => removeAuthorizationIn(app, work, id))
  return ids.length
}

/** Withdraws roles from up to `limit` authorizations; those of a removed project or grant are removed. */
export async function withdrawFromAuthorizations(
  app: App,
  work: Work,
  { projectId, grantId, roleKeys }: WithdrawnRoles,
  limit: number,
): Promise<number> {
  const ofProject: AuthorizationFilter[] = [{ field: 'projectId', equals: projectId }]
  if (grantId !== undefined) ofProject.push({ field: 'grantId', equals: grantId })
  if (roleKeys === 'all') return removeSome(app, work, { all: ofProject }, limit)
  const where = { all: [...ofProject, { any: roleKeys.map(holdsRoleKey) }] }
  const ids = await app.store.findIds(authorizations, where, limit)
  await eachAtOnce(ids, async (id) => {
    const document = await findAuthorization(app, id, work)
    if (document === undefined) return
    const left = document.state.roleKeys.filter((key) => !roleKeys.includes(key))
    await work.decide(authorizations, id, { type: 'change', roleKeys: left, mustDiffer: false })
  })
  return ids.length
}

/** Removes the authorizations of a user in the commit that removes the user. */
export async function removeAuthorizationsOfUser(app: App, work: Work, userId: string): Promise<void> {
  await removeSome(app, work, { field: 'userId', equals: userId })
}

/** Removes up to `limit` authorizations that a removed organization gave; answers how many. */
export async function removeAuthorizationsOfOrganization(
  app: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const where = { field: 'owner', equals: organizationId } as const
  const { value } = await app.store.write(origin, (work) => removeSome(app, work, where, limit))
  return value
}
