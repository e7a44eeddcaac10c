/** The kind `authorization`: its search fields, and that there is one for each organization, user or group, and project. */

import type { Place } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader } from '../../store/index.ts'
import { placeOfGrant, ROLE_LIST_FIELDS, readProjectGrant } from '../projects/index.ts'
import { authorization, isLivingAuthorization, type LivingAuthorization } from './decider.ts'
import { authorizationEvents } from './events.ts'
import { authorizationRefusals } from './refusals.ts'

const AUTHORIZATION_CLAIM = 'authorization'
const GROUP_AUTHORIZATION_CLAIM = 'group-authorization'

function claimOf({ organizationId, projectId, grantId, userId, groupId }: LivingAuthorization) {
  // No ID but that of the user can contain a space.
  const given = `${organizationId} ${projectId} ${grantId}`
  return userId === undefined
    ? {
        kind: GROUP_AUTHORIZATION_CLAIM,
        within: 'parent' as const,
        value: `${given} ${groupId}`,
        taken: 'authorization.group_exists' as const,
      }
    : {
        kind: AUTHORIZATION_CLAIM,
        within: 'parent' as const,
        value: `${given} ${userId}`,
        taken: 'authorization.exists' as const,
      }
}

export const authorizations = kind({
  name: 'authorization',
  ids: 'own',
  waits: false,
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: authorizationEvents,
  decider: authorization,
  refusals: authorizationRefusals,
  sortsByChange: true,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    groupId: { path: ['groupId'], type: 'text' },
    projectId: { path: ['projectId'], type: 'text' },
    grantId: { path: ['grantId'], type: 'text' },
    userOrganizationId: { path: ['userOrganizationId'], type: 'text' },
    status: { path: ['status'], type: 'text', selective: false },
    ...ROLE_LIST_FIELDS,
  },
  claims: (state) => (isLivingAuthorization(state) ? [claimOf(state)] : []),
  isGone: (state) => state.status === 'removed',
  limits: [
    // For each organization, so that none can use up what another one may give to the same user.
    { things: 'authorizations in one organization', holder: 'a user', by: ['owner', 'userId'], number: 10_000 },
    { things: 'authorizations in one organization', holder: 'a group', by: ['owner', 'groupId'], number: 100 },
    {
      things: 'role keys',
      holder: 'an authorization',
      inside: (state) => (isLivingAuthorization(state) ? state.roleKeys.length : 0),
      number: 1_000,
    },
  ],
})

/** A name by which authorizations can be filtered or sorted. */
export type AuthorizationField = keyof typeof authorizations.fields & string

/** The authorization with this ID; undefined when there is none. Inside a work it is guarded until the commit. */
export async function findAuthorization(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingAuthorization> | undefined> {
  const document = await reader.get(authorizations, id)
  return document !== undefined && isLivingAuthorization(document.state)
    ? (document as Document<LivingAuthorization>)
    : undefined
}

/**
 * Where authorization looks for roles. What an organization gives to its users by a grant is not the business of the
 * project's administrators: they can only take the grant away.
 */
export async function placeOfAuthorization(
  app: App,
  { organizationId, projectId, grantId }: Pick<LivingAuthorization, 'organizationId' | 'projectId' | 'grantId'>,
): Promise<Place> {
  if (grantId === '') return { projectId, ownerId: organizationId }
  const grant = await readProjectGrant(app, grantId)
  const isClosed = grant === undefined || (await placeOfGrant(app, grant)).isClosed === true
  return { projectId: '', ownerId: organizationId, grantId, grantedId: organizationId, isClosed }
}
