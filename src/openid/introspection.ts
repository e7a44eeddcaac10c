/**
 * Token introspection (RFC 7662) for applications, answered without the engine. A token is active for an application only
 * if its audience names the application or its project.
 */

import { activeApplicationOfClient, matchesApplicationSecret } from '../features/applications/index.ts'
import { audienceNow, isPersonalTokenFor, isTokenFor } from '../features/authorization-requests/index.ts'
import { findAccessToken, findRefreshToken, tokenIdOf, validGrant } from '../features/grants/index.ts'
import { identifyByPersonalAccessToken, isPersonalAccessToken } from '../features/machines/index.ts'
import { subjectFor } from '../features/statements/index.ts'
import { type LivingUser, users } from '../features/users/index.ts'
import type { App } from '../module/app.ts'
import type { Document } from '../store/index.ts'
import { OAuthError } from './answers.ts'
import { claimsOf, clientOf, toldOf } from './claims.ts'
import { claimsOfFunction } from './functions.ts'
import { readCredentials } from './machine-clients.ts'
import { detailsClaim, seconds } from './tokens.ts'

const INACTIVE = { active: false } as const

/** The application that asks. */
export interface Introspector {
  readonly clientId: string
  readonly projectId: string
}

/** The application of a client that has authenticated. */
export async function introspectorOf(app: App, clientId: string): Promise<Introspector> {
  const found = await activeApplicationOfClient(app, clientId)
  if (found === undefined) throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  return { clientId, projectId: found.project.id }
}

/** The application of a client ID and secret; undefined: it authenticates in another way, which the engine checks. */
export async function introspectorBySecret(
  app: App,
  form: URLSearchParams,
  authorization: string | undefined,
): Promise<Introspector | undefined> {
  if (form.has('client_assertion')) return undefined
  const credentials = readCredentials(authorization, form)
  if (credentials === undefined) throw new OAuthError('invalid_client', 'The client must authenticate.', 401)
  const found = await activeApplicationOfClient(app, credentials.clientId)
  if (found === undefined || !(await matchesApplicationSecret(app, found.application, credentials.clientSecret))) {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return { clientId: found.application.state.clientId, projectId: found.project.id }
}

async function introspectPersonal(app: App, token: string, { projectId }: Introspector): Promise<object> {
  const caller = await identifyByPersonalAccessToken(app, token, app.clock())
  const user = caller && ((await app.store.get(users, caller.userId)) as Document<LivingUser> | undefined)
  if (caller === undefined || user === undefined) return INACTIVE
  const { userId, organizationId } = caller
  if (!(await isPersonalTokenFor(app, { userId, organizationId }, projectId))) return INACTIVE
  const scope = 'openid profile email urn:zitadel:iam:org:projects:roles'
  const subject = { userId, organizationId, projectId, isMachine: true, audience: [] }
  const groups = { hasProfile: true, hasRoles: true, rolesOfProject: projectId }
  const asked = { user, subject, scope, listener: { projectIds: [projectId] } }
  const told = await toldOf(app, asked)
  const source = { ...asked, told }
  const claims = await claimsOf(app, source, groups)
  return {
    ...(await claimsOfFunction(app, 'preuserinfo', { source, clientId: '' }, claims)),
    active: true,
    token_type: 'Bearer',
    iss: app.externalUrl,
    username: told.userName,
    ...claims,
  }
}

async function introspectRefresh(app: App, token: string, introspector: Introspector): Promise<object> {
  const found = await findRefreshToken(app, token)
  const at = app.clock()
  if (found === undefined || found.isUsed || at >= found.issued.expiresAt) return INACTIVE
  const valid = await validGrant(app, found.grant, at, { survivesLogout: true })
  const { subject } = found.grant.state
  if (valid === undefined || subject.clientId !== introspector.clientId) return INACTIVE
  return {
    active: true,
    scope: found.issued.scope,
    client_id: subject.clientId,
    exp: seconds(found.issued.expiresAt),
    iat: seconds(found.issued.issuedAt),
    sub: await subjectFor(app, subject.userId, { projectIds: [introspector.projectId] }),
    iss: app.externalUrl,
  }
}

/** What an application may know about a token; exactly `{"active":false}` for everything that does not count. */
export async function introspect(app: App, token: string, introspector: Introspector): Promise<object> {
  if (isPersonalAccessToken(token)) return introspectPersonal(app, token, introspector)
  const found = await findAccessToken(app, token, app.clock())
  if (found === undefined) return introspectRefresh(app, token, introspector)
  const { grant, user, project, token: issued } = found
  const { subject } = grant.state
  if (!(await isTokenFor(app, subject, introspector))) return INACTIVE
  const asked = { user, subject, project, scope: issued.scope, listener: { projectIds: [introspector.projectId] } }
  const told = await toldOf(app, asked)
  const source = { ...asked, told }
  const groups = { hasProfile: true, hasRoles: true, rolesOfProject: introspector.projectId }
  const claims = await claimsOf(app, source, groups)
  const iat = seconds(issued.issuedAt)
  const { clientId, actor } = subject
  return {
    ...(await claimsOfFunction(app, 'preuserinfo', { source, clientId, actor }, claims)),
    active: true,
    scope: issued.scope,
    client_id: await clientOf(app, subject, told),
    token_type: issued.dpopKey === undefined ? 'Bearer' : 'DPoP',
    exp: seconds(issued.expiresAt),
    iat,
    nbf: iat,
    auth_time: seconds(subject.authenticatedAt),
    aud: [...(await audienceNow(app, subject))],
    amr: subject.amr,
    ...(subject.acr !== '' && { acr: subject.acr }),
    iss: app.externalUrl,
    jti: tokenIdOf(grant.id, issued.secret.hash),
    username: told.userName,
    ...(issued.dpopKey !== undefined && { cnf: { jkt: issued.dpopKey } }),
    ...(subject.actor !== undefined && { act: subject.actor }),
    ...detailsClaim(subject),
    ...claims,
  }
}
