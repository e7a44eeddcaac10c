/** How authorizations are carried. User, project, grant and roles must be there. */
import { type BodyOf, type Draft, declare, nothingElse } from '../../module/carried.ts'
import { isLivingAuthorization } from './decider.ts'
import { authorizations } from './documents.ts'
import { addAuthorizationIn } from './handlers/add-authorization.ts'
import { followAuthorization, removeAuthorizationIn } from './handlers/change-authorization.ts'

export interface AuthorizationDraft extends Draft<'authorization'> {
  /** Empty if a group has it. */
  readonly userId: string
  readonly groupId?: string | undefined
  readonly projectId: string
  readonly projectGrantId?: string | undefined
  readonly roleKeys: readonly string[]
  readonly isActive: boolean
}

export const carriedAuthorizations = declare(authorizations, {
  as: 'authorization',
  after: ['group', 'project-grant', 'administrator'],
  lives: isLivingAuthorization,
  describe(state): BodyOf<AuthorizationDraft> {
    const { status, organizationId: _, userOrganizationId: __, search: ___, ...given } = state
    const { userId = '', groupId, projectId, grantId, roleKeys, ...rest } = given
    nothingElse(rest)
    const projectGrantId = grantId === '' ? undefined : grantId
    return { userId, groupId, projectId, projectGrantId, roleKeys, isActive: status === 'active' }
  },
  async put({ app, work, id, organizationId, draft }, before) {
    const { userId, groupId, projectId, projectGrantId: grantId, roleKeys, isActive, ...rest } = draft
    nothingElse(rest)
    if (before === undefined) {
      await addAuthorizationIn(app, work, id, { organizationId, userId, groupId, projectId, grantId, roleKeys })
      if (!isActive) await work.decide(authorizations, id, { type: 'deactivate' })
    } else await followAuthorization(app, work, { id, roleKeys, isActive })
  },
  remove: ({ app, work, id }) => removeAuthorizationIn(app, work, id),
})
