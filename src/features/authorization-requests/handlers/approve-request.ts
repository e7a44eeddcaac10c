/**
 * Approves an authorization request for the user of a session: checks that the user may use the application, and opens
 * the grant. The hosted pages, `OIDCService` and the device page all use it.
 */

import { type Instant, instant } from '../../../kernel/instant.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { type ActiveApplication, keepAgentApplication, noteUse } from '../../applications/index.ts'
import { hasConsent, type NewGrant, type Picture } from '../../grants/index.ts'
import { findOpenSession, type UserSession, userOfSession } from '../../sessions/index.ts'
import { signInStateOf } from '../../sign-in/index.ts'
import { activePerson } from '../../users/index.ts'
import {
  requireOrganizationOfScopes,
  requireProjectAccess,
  requireResource,
  type ScopesAndAudience,
  scopesForApplication,
  targetOf,
} from '../audience.ts'
import { type Authentication, acrFor, authenticationOf, requiredAcrs } from '../authentication.ts'
import { type ClientOfRequest, clientOfRequest } from '../client-of-request.ts'
import { authorizationRequests } from '../documents.ts'
import { authorizationRequestRefusals } from '../refusals.ts'
import { signInScope } from '../scopes.ts'
import { askedOf, describeClient } from './describe-request.ts'

/** How much of a value is kept in the record of a sign-in. */
const MOST_OF_VALUE = 200

/** What an application asks for. */
export interface Asked {
  readonly clientId: string
  readonly scope: string
  readonly nonce?: string | undefined
  /** The `claims` parameter as JSON. */
  readonly claims?: string | undefined
  /** The URI of the resource that tokens are for; undefined: for the application and its project. */
  readonly resource?: string | undefined
  /** The `authorization_details` parameter, and the request in which the user must have allowed it. */
  readonly details?: { readonly text: string; readonly requestId: string } | undefined
  /** Where the code is sent; undefined: there is none. */
  readonly redirectUri?: string | undefined
}

/** An open session with a user; throws when there is none. A user who is not active has none. */
export async function requireSignedIn(reader: Reader, sessionId: string, at: Instant): Promise<Document<UserSession>> {
  const session = await findOpenSession(reader, sessionId, at)
  if (session !== undefined) return session
  const userId = await userOfSession(reader, sessionId)
  if (userId !== undefined) await requireActive(reader, { id: userId })
  throw refused(authorizationRequestRefusals, 'authorization_request.session_invalid')
}

/** Throws unless a user may act now. A session can outlive that. */
async function requireActive(
  reader: Reader,
  { id, organizationId }: { readonly id: string; readonly organizationId?: string },
): Promise<void> {
  if ((await activePerson(reader, id, organizationId)) !== undefined) return
  throw refused(authorizationRequestRefusals, 'authorization_request.user_not_active')
}

/**
 * Throws unless the sign-in of the session is complete, by the same rule as for our own API. A login page that only named
 * a user, or asked for one of two factors, has proved nothing to an application either.
 */
async function requireCompleteSignIn(app: App, session: UserSession, at: Instant): Promise<void> {
  if ((await signInStateOf(app, session, at)).step === 'none') return
  throw refused(authorizationRequestRefusals, 'authorization_request.sign_in_incomplete')
}

/** How the user was authenticated; throws when the application requires another level. */
async function requireLevel(
  app: App,
  session: UserSession,
  claims: string | undefined,
  at: Instant,
): Promise<Authentication> {
  const authentication = await authenticationOf(app, session, at)
  const acr = acrFor(authentication.acr, requiredAcrs(claims))
  if (acr === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.acr_unmet')
  return { ...authentication, acr }
}

/**
 * What the tokens are for: the resource that was asked for, or the application with its project. Those of an unregistered
 * client are for nobody else without a resource: it reads userinfo.
 */
async function targetFor(
  app: App,
  reader: Reader,
  { application, project, agent }: ClientOfRequest,
  { scope, resource: uri }: Asked,
  user: UserSession['user'],
): Promise<ScopesAndAudience> {
  if (agent !== undefined && uri === undefined) return { scope: signInScope(scope), audience: [agent.clientId] }
  const own = await scopesForApplication(app, application, scope, user)
  if (uri === undefined) return own
  const resource = await requireResource(app, uri, project.owner, reader)
  return targetOf(resource, scope, own.scope.split(' ').filter(Boolean))
}

interface Approval {
  readonly asked: Asked
  readonly session: Document<UserSession>
  readonly found: ActiveApplication
  readonly at: Instant
}

/** What the application asks of its users, by the code of the refusal. */
function ruleOf(
  code: string,
  { asked, found: { project } }: Approval,
): readonly [name: string, value: string] | undefined {
  switch (code) {
    case 'authorization_request.no_access':
      return [project.state.authorizationRequired ? 'authorizationRequired' : 'projectAccessRequired', 'true']
    case 'authorization_request.wrong_organization':
      return ['scope', asked.scope]
    case 'authorization_request.acr_unmet':
      return ['acr', String(requiredAcrs(asked.claims))]
    default:
      return undefined
  }
}

/** The rules of an application that keep a user out are part of the record of the sign-in. */
async function recordingRefusals<Value>(app: App, approval: Approval, approve: () => Promise<Value>): Promise<Value> {
  try {
    return await approve()
  } catch (error) {
    const rule = error instanceof Refused ? ruleOf(error.code, approval) : undefined
    if (rule === undefined || !(error instanceof Refused)) throw error
    const { session, found, at } = approval
    const { id: userId, organizationId } = session.state.user
    const [name, value] = rule
    await app.lifecycle.whenSignInRefused(app, {
      origin: { actor: { user: userId }, at },
      check: 'application',
      code: error.code,
      userId,
      organizationId,
      sessionId: session.id,
      applicationId: found.application.id,
      setting: { name, value: value.slice(0, MOST_OF_VALUE), level: 'application' },
    })
    throw error
  }
}

/**
 * What the user saw when they allowed this, if it is an application that users are asked about. An unregistered client
 * gets nothing without being seen, whatever page led here; its application is stored when it gets something for the first
 * time. One of an organization can also sign users in on a login page of its own, which asks them itself.
 */
async function allowedPicture(
  app: App,
  work: Work,
  found: ClientOfRequest,
  asked: Asked,
  { id: userId, organizationId }: UserSession['user'],
): Promise<Picture | undefined> {
  const { config } = found.application.state
  if (config.type !== 'oidc' || !config.isThirdParty) return undefined
  const described = await describeClient(app, found, asked)
  const shown = described && askedOf(described, asked.redirectUri)
  const isAllowed = shown && (await hasConsent(app, { ...shown, userId, organizationId, since: instant(0) }, work))
  if (found.agent === undefined) return isAllowed ? shown.picture : undefined
  if (!isAllowed) throw notAllowed()
  await keepAgentApplication(app, work, found.agent, asked.resource === undefined ? undefined : found.project)
  await noteUse(app, work, asked.clientId)
  return shown.picture
}

/** Throws unless the user allowed what the details ask for, in this very request. */
async function requireDetailsAllowed(reader: Reader, { details }: Asked, userId: string): Promise<void> {
  if (details === undefined) return
  const request = (await reader.get(authorizationRequests, details.requestId))?.state
  if (request === undefined || request.status === 'unknown') throw notAllowed()
  const { authorization_details: shown } = (request.secret.payload.params ?? {}) as Readonly<Record<string, unknown>>
  if (request.detailsAllowedBy !== userId || shown !== details.text) throw notAllowed()
}

function notAllowed(): Refused {
  return refused(authorizationRequestRefusals, 'authorization_request.not_allowed')
}

/** What the grant of this application for this session is about; throws when the user may not use the application. */
export async function approvedGrant(
  app: App,
  reader: Work,
  asked: Asked,
  sessionId: string,
  at: Instant,
): Promise<NewGrant> {
  const session = await requireSignedIn(reader, sessionId, at)
  const { user } = session.state
  const found = await clientOfRequest(app, asked, reader)
  if (found === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
  await requireActive(reader, user)
  await requireCompleteSignIn(app, session.state, at)
  const { target, authentication } = await recordingRefusals(app, { asked, session, found, at }, async () => {
    await requireProjectAccess(app, reader, found.project, user)
    await requireOrganizationOfScopes(app, asked.scope, user.organizationId)
    const target = await targetFor(app, reader, found, asked, user)
    return { target, authentication: await requireLevel(app, session.state, asked.claims, at) }
  })
  const picture = await allowedPicture(app, reader, found, asked, user)
  await requireDetailsAllowed(reader, asked, user.id)
  return {
    userId: user.id,
    organizationId: user.organizationId,
    isMachine: false,
    clientId: asked.clientId,
    applicationId: found.application.id,
    projectId: found.project.id,
    sessionId,
    ...target,
    ...authentication,
    ...(picture !== undefined && { picture }),
    ...(asked.nonce !== undefined && { secret: { nonce: asked.nonce } }),
    ...(asked.claims !== undefined && { claims: asked.claims }),
    ...(asked.details !== undefined && { authorizationDetails: asked.details.text }),
  }
}
