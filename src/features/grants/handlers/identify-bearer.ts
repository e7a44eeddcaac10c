/** Identifies the caller of our own API by an access token of an application. */
import type { App } from '../../../access/app.ts'
import type { Caller } from '../../../access/call.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { apiProjectId } from '../../instances/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { findAccessToken } from './find-token.ts'

/**
 * The caller of an access token; undefined unless the token counts and was issued for the API project, which its
 * audience names. A token with an actor is not accepted: it lets one user act as another, and only for applications. A
 * token that is bound to a key (DPoP) is not a bearer token.
 */
export async function identifyByAccessToken(app: App, bearer: string, at: Instant): Promise<Caller | undefined> {
  const valid = await findAccessToken(app, bearer, at)
  if (valid === undefined || valid.token.dpopKey !== undefined) return undefined
  const { subject } = valid.grant.state
  if (subject.actor !== undefined || subject.amr.length === 0) return undefined
  const project = await apiProjectId(app)
  if (project === undefined || !subject.audience.includes(project)) return undefined
  const { userId, organizationId, isMachine, authenticatedAt } = subject
  const grants = await grantsOf(app, userId)
  return { userId, organizationId, grants, ...(!isMachine && { authenticatedAt }) }
}
