/** Answers an authorization request for a login page of the caller's own: with a code, or with an error. */

import type { Call } from '../../../access/call.ts'
import { accessRefusals } from '../../../access/refusals.ts'
import { holdsOnInstance } from '../../../access/roles.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { openGrantWithCode } from '../../grants/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { type OpenSession, requireTokenOf } from '../../sessions/index.ts'
import { authenticatedAtOf } from '../authentication.ts'
import type { AuthorizationRequest, WaitingRequest } from '../decider.ts'
import { authorizationRequests } from '../documents.ts'
import { isFreshEnough } from '../freshness.ts'
import { callbackUrl, type Parameters, parametersOf, storedIdOf } from '../parameters.ts'
import { authorizationRequestRefusals } from '../refusals.ts'
import { approvedGrant, requireSignedIn } from './approve-request.ts'

/** The session that a login page shows. */
export interface ShownSession {
  readonly sessionId: string
  readonly token: string
}

/** An error of the authorization endpoint (RFC 6749 §4.1.2.1). */
export interface AuthorizationFailure {
  readonly error: string
  readonly description: string | undefined
  readonly uri: string | undefined
}

/** A request that was answered, and where the browser goes. */
export interface AnsweredRequest {
  readonly request: Document<AuthorizationRequest>
  readonly url: string
}

/**
 * A request that has not expired, for callers with the permission on the instance. Other callers do not learn whether it
 * exists. That the request names its caller is no permission: the browser chose the name.
 */
export async function requestForLoginPage(
  app: App,
  reader: Reader,
  call: Pick<Call, 'caller' | 'may' | 'at'>,
  publicId: string,
  permission: 'session.read' | 'session.link',
): Promise<Document<WaitingRequest>> {
  const id = storedIdOf(publicId)
  const request = id === undefined ? undefined : await reader.get(authorizationRequests, id)
  const state = request?.state.status === 'unknown' ? undefined : request?.state
  if (!call.may(permission, app.instanceId)) throw refused(accessRefusals, 'access.forbidden')
  if (request === undefined || state === undefined || call.at >= state.expiresAt) {
    throw refused(authorizationRequestRefusals, 'authorization_request.not_found')
  }
  return { ...request, state }
}

/** Whether a user may answer requests, as the login page of an instance does. */
export async function mayAnswerRequests(app: App, userId: string): Promise<boolean> {
  return holdsOnInstance(await grantsOf(app, userId), 'session.link')
}

/** The request that a login page may answer now; throws when it was answered before. */
async function requestToAnswer(app: App, work: Work, call: Call, publicId: string) {
  const request = await requestForLoginPage(app, work, call, publicId, 'session.link')
  if (request.state.status === 'finished') {
    throw refused(authorizationRequestRefusals, 'authorization_request.finished')
  }
  return { request, parameters: parametersOf(request.state) }
}

/** An open session with a user, if the shown token is its current one. */
export async function requireShownSession(
  reader: Reader,
  { sessionId, token }: ShownSession,
  at: Instant,
): Promise<Document<OpenSession>> {
  const session = await requireSignedIn(reader, sessionId, at)
  requireTokenOf(session, token)
  return session
}

/** Throws when the application asked for a new sign-in and the session has an older one. */
function requireNewSignIn(
  { prompts, maxAge }: Parameters,
  { flowStartedAt: since }: WaitingRequest,
  session: OpenSession,
  at: Instant,
): void {
  const asked = { isForced: prompts.includes('login'), maxAge, since }
  if (!isFreshEnough(authenticatedAtOf(session), asked, at))
    throw refused(authorizationRequestRefusals, 'authorization_request.sign_in_too_old')
}

/** Answers a request with a code for the user of a session, in one write. */
export async function answerWithSession(
  app: App,
  call: Call,
  publicId: string,
  shown: ShownSession,
): Promise<AnsweredRequest> {
  const { value } = await app.store.write(call.origin, async (work) => {
    const { at } = work.origin
    const { request, parameters } = await requestToAnswer(app, work, call, publicId)
    const session = await requireShownSession(work, shown, at)
    requireNewSignIn(parameters, request.state, session.state, at)
    const { scope, nonce, claims, resource, redirectUri, codeChallenge, dpopKey } = parameters
    const asked = { clientId: request.state.clientId, scope, nonce, claims, resource, redirectUri }
    const subject = await approvedGrant(app, work, asked, session.id, at)
    const code = await openGrantWithCode(app, work, subject, {
      redirectUri,
      ...(codeChallenge !== undefined && { codeChallenge }),
      ...(dpopKey !== undefined && { dpopKey }),
    })
    const command = { type: 'finish', outcome: 'code_issued' } as const
    return {
      request: await work.decide(authorizationRequests, request.id, command),
      url: callbackUrl(parameters, app.externalUrl, { code }),
    }
  })
  return value
}

/** Answers a request with an error. */
export async function answerWithError(
  app: App,
  call: Call,
  publicId: string,
  { error, description, uri }: AuthorizationFailure,
): Promise<AnsweredRequest> {
  const { value } = await app.store.write(call.origin, async (work) => {
    const { request, parameters } = await requestToAnswer(app, work, call, publicId)
    const answer = { error, error_description: description, error_uri: uri }
    return {
      request: await work.decide(authorizationRequests, request.id, { type: 'finish', outcome: 'failed' }),
      url: callbackUrl(parameters, app.externalUrl, answer),
    }
  })
  return value
}
