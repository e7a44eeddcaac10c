/**
 * Logout that an application starts (OpenID Connect RP-Initiated Logout 1.0). With an ID token of the session that the browser
 * shows, or of a user of its own organization, the session ends at once. Without one, any site could have sent the browser
 * here, so the user is asked: on the login page of the caller's own, where there is one, because it knows the session.
 */

import { activeApplicationOfClient, isRedirectAllowed, type OidcConfig } from '../features/applications/index.ts'
import { clientOfRequest, ownLoginBase } from '../features/authorization-requests/index.ts'
import { tellServiceProviders } from '../features/saml/index.ts'
import { endSession, findOpenSession, sessionIdOfToken } from '../features/sessions/index.ts'
import { findPerson, signLogoutTarget } from '../features/sign-in/index.ts'
import { verifyOwnJwt } from '../features/web-keys/index.ts'
import { loginClientOf } from '../http/login-client.ts'
import type { PageAnswer, PageHeaders, PageRequest } from '../http/page.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { OAuthError } from './answers.ts'
import { originOf } from './origin.ts'
import { ownLogoutPage } from './own-login.ts'

export interface EndSessionOptions {
  readSession(request: PageRequest): string | undefined
  /** The header that makes the browser forget its session. */
  forgetSession(request: PageRequest): PageHeaders
}

interface Hint {
  readonly userId: string
  readonly sessionId: string
  readonly clientId: string
}

/** The user and session that an ID token names; an expired one is fine. */
async function readHint(app: App, token: string): Promise<Hint> {
  const payload = await verifyOwnJwt(app, token)
  if (payload === undefined || payload.iss !== app.externalUrl || typeof payload.azp !== 'string') {
    throw new OAuthError('invalid_request', 'The parameter id_token_hint is not an ID token of this server.')
  }
  return { userId: String(payload.sub), sessionId: String(payload.sid ?? ''), clientId: payload.azp }
}

async function configOf(app: App, clientId: string): Promise<OidcConfig> {
  const found = await clientOfRequest(app, { clientId })
  const config = found?.application.state.config
  if (config?.type !== 'oidc') throw new OAuthError('invalid_request', 'The parameter client_id names no application.')
  return config
}

function redirect(location: string, headers: PageHeaders = {}): PageAnswer {
  return { status: 303, contentType: 'text/plain; charset=utf-8', body: '', headers: { location, ...headers } }
}

/** Where the browser goes afterwards: to an address that the application has registered, or to our own page. */
function destinationOf(asked: URLSearchParams, config: OidcConfig | undefined): string {
  const uri = asked.get('post_logout_redirect_uri')
  if (uri === null || config === undefined) return PATHS.signedOut
  if (!isRedirectAllowed(uri, config.postLogoutRedirectUris, config)) {
    throw new OAuthError(
      'invalid_request',
      'The parameter post_logout_redirect_uri is not registered for the application.',
    )
  }
  const state = asked.get('state')
  if (state === null) return uri
  const url = new URL(uri)
  url.searchParams.set('state', state)
  // As the application wrote it: without a path, there is none.
  return url.pathname === '/' && !/^[^?#]*:\/\/[^/?#]*\//.test(uri) ? url.href.replace('/?', '?') : url.href
}

/**
 * Whether the session of an ID token ends without a question: the browser shows it, or the application belongs to the
 * organization of the user. Applications elsewhere have ID tokens of anybody who opened a link.
 */
async function endsAtOnce(app: App, { sessionId, userId, clientId }: Hint, isShown: boolean): Promise<boolean> {
  if (isShown) return true
  const [session, found] = await Promise.all([
    findOpenSession(app.store, sessionId, app.clock(), userId),
    activeApplicationOfClient(app, clientId),
  ])
  return session === undefined || session.state.user.organizationId === found?.project.owner
}

/** Ends a session of a user if it is open. */
async function endIfOpen(app: App, sessionId: string, userId: string): Promise<void> {
  if ((await findOpenSession(app.store, sessionId, app.clock(), userId)) === undefined) return
  await endSession(app, originOf(app, userId), sessionId)
}

/** Answers a request to log out. Throws `OAuthError` for a request that must not be followed. */
export async function answerEndSession(
  app: App,
  request: PageRequest,
  { readSession, forgetSession }: EndSessionOptions,
): Promise<PageAnswer> {
  const asked = request.method === 'POST' ? await request.readForm() : request.query
  const token = asked.get('id_token_hint')
  const hint = token === null || token === '' ? undefined : await readHint(app, token)
  const clientId = asked.get('client_id') ?? hint?.clientId
  if (hint !== undefined && clientId !== hint.clientId) {
    throw new OAuthError('invalid_request', 'The parameter client_id does not belong to id_token_hint.')
  }
  const config = clientId === undefined ? undefined : await configOf(app, clientId)
  const destination = destinationOf(asked, config)
  const own = readSession(request)
  const person = own === undefined ? undefined : await findPerson(app, own)
  const isShown = hint !== undefined && own !== undefined && (await sessionIdOfToken(app, own)) === hint.sessionId
  if (hint !== undefined && (await endsAtOnce(app, hint, isShown))) {
    await endIfOpen(app, hint.sessionId, hint.userId)
    const away = isShown ? await tellServiceProviders(app, hint.sessionId, destination) : undefined
    // The browser shows the token of the session until all of them were told.
    if (away !== undefined) return redirect(away)
    // The browser keeps the session of another user.
    return redirect(
      destination,
      person === undefined || person.sessionId === hint.sessionId ? forgetSession(request) : {},
    )
  }
  const base = await ownLoginBase(app, config, loginClientOf(request))
  if (base !== undefined) {
    // An address of the application stays as it was registered, letter for letter.
    const redirectUri = destination.startsWith('/') ? app.externalUrl + destination : destination
    const [logoutHint, uiLocales] = ['logout_hint', 'ui_locales'].map((name) => asked.get(name) ?? undefined)
    return redirect(await ownLogoutPage(app, base, { redirectUri, logoutHint, uiLocales }))
  }
  if (person === undefined) return redirect(destination)
  const then = destination === PATHS.signedOut ? undefined : await signLogoutTarget(app, destination)
  return redirect(then === undefined ? PATHS.signOut : `${PATHS.signOut}?${new URLSearchParams({ then })}`)
}
