/**
 * The endpoints of OpenID Connect and OAuth 2.0 as pages of the port. The protocol is served by an engine
 * (`oidc-provider`, in `engine/`); what is called often, or is about machines, is answered without it.
 */

import type { Page, PageAnswer, PageHeaders, PageRequest, Pages } from '../http/page.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import {
  CROSS_ORIGIN,
  errorAnswer,
  jsonAnswer,
  OAuthError,
  oauthErrorOf,
  preflight,
  rejectRepeated,
} from './answers.ts'
import { answerDiscovery, answerKeys } from './discovery.ts'
import { answerEndSession } from './end-session.ts'
import { answerAssertion, isIdentityAssertion } from './identity-assertions.ts'
import { introspect, introspectorBySecret, introspectorOf } from './introspection.ts'
import { authenticateMachine } from './machine-clients.ts'
import { CLIENT_CREDENTIALS, dpopKeyOf, issueMachineToken, JWT_BEARER } from './machine-tokens.ts'
import { protectedResourcePages } from './protected-resources.ts'
import { answerManagement, answerRegistration } from './registration.ts'
import { revokeOwnToken, revokeToken } from './revocation.ts'
import { ROUTES } from './routes.ts'
import { finishTrial } from './sign-in-trial.ts'
import { answerUserinfo } from './userinfo.ts'

export { identifyByProof } from './dpop.ts'

export interface OpenIdOptions {
  readonly app: App
  /** The languages of the hosted pages. */
  readonly languages: readonly string[]
  /** The session token of the hosted pages that the browser has. */
  readSession(request: PageRequest): string | undefined
  /** The header that makes the browser forget its session. */
  forgetSession(request: PageRequest): PageHeaders
  /** A page that tells the user about an error. */
  errorPage: import('./engine/bridge.ts').BridgeOptions['errorPage']
  /** Counts an anonymous request that is stored; false: there were too many from this address of the network. */
  mayStartFrom(address: string): boolean
}

let bridge: Promise<typeof import('./engine/bridge.ts')> | undefined

/** Loads the engine when it is first needed. */
function loadEngine(): Promise<typeof import('./engine/bridge.ts')> {
  bridge ??= import('./engine/bridge.ts')
  return bridge
}

/** Answers with the engine. */
async function byEngine(options: OpenIdOptions, request: PageRequest, body?: string): Promise<PageAnswer> {
  const { askEngine } = await loadEngine()
  return askEngine(options.app, request, options, body)
}

/** Runs an endpoint of ours; errors become the answers that RFC 6749 §5.2 asks for. */
async function answering(request: PageRequest, act: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await act()
  } catch (error) {
    const known = oauthErrorOf(error)
    if (known === undefined) throw error
    return errorAnswer(known, request.header('authorization') !== undefined)
  }
}

/** A redirect of a GET is 302, which clients look for; 303 turns a POST into a GET (RFC 9110 §15.4.4). */
function asRedirect(answer: PageAnswer, { method }: PageRequest): PageAnswer {
  return answer.status === 303 && method !== 'POST' ? { ...answer, status: 302 } : answer
}

/** For an endpoint that browsers visit: the user sees a page. */
async function showing(
  { errorPage }: OpenIdOptions,
  request: PageRequest,
  act: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return asRedirect(await act(), request)
  } catch (error) {
    const known = oauthErrorOf(error)
    if (known === undefined) throw error
    const page = errorPage(request, known.error, known.message, known.status)
    return { ...page, headers: { ...page.headers, ...known.headers } }
  }
}

function tokenPage(options: OpenIdOptions): Page {
  return {
    verbs: ['POST', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        const isForm = request.header('content-type')?.startsWith('application/x-www-form-urlencoded')
        if (request.method === 'OPTIONS' || isForm !== true) return byEngine(options, request)
        const form = await request.readForm()
        const type = form.get('grant_type')
        if (type !== CLIENT_CREDENTIALS && type !== JWT_BEARER) return byEngine(options, request, form.toString())
        rejectRepeated(form)
        const shown = { proof: request.header('dpop'), verb: request.method, path: request.path }
        if (type === JWT_BEARER && isIdentityAssertion(form)) {
          const by = {
            authorization: request.header('authorization'),
            mayStart: () => options.mayStartFrom(request.client),
          }
          const dpopKey = (holder: string) => dpopKeyOf(options.app, shown, holder)
          return jsonAnswer(await answerAssertion(options.app, form, by, dpopKey))
        }
        return jsonAnswer(await issueMachineToken(options.app, form, request.header('authorization'), shown))
      }),
  }
}

function introspectionPage(options: OpenIdOptions): Page {
  return {
    verbs: ['POST', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        if (request.method === 'OPTIONS') return preflight('POST')
        const { app } = options
        const form = await request.readForm()
        rejectRepeated(form)
        const bySecret = await introspectorBySecret(app, form, request.header('authorization'))
        const token = form.get('token')
        if (bySecret !== undefined) return jsonAnswer(await introspect(app, requireToken(token), bySecret))
        const found = await authenticated(options, request, form)
        if ('answer' in found) return found.answer
        return jsonAnswer(await introspect(app, requireToken(token), await introspectorOf(app, found.clientId)))
      }),
  }
}

function requireToken(token: string | null): string {
  if (token === null || token === '') throw new OAuthError('invalid_request', 'The parameter token is missing.')
  return token
}

/** The client of a request about a token, authenticated by the engine; or the answer for one that could not be. */
async function authenticated(options: OpenIdOptions, request: PageRequest, form: URLSearchParams) {
  const { clientByEngine } = await loadEngine()
  return clientByEngine(options.app, request, options, form)
}

const REVOKED: PageAnswer = { status: 200, contentType: 'text/plain; charset=utf-8', body: '', headers: CROSS_ORIGIN }

function revocationPage(options: OpenIdOptions): Page {
  return {
    verbs: ['POST', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        if (request.method === 'OPTIONS') return preflight('POST')
        const form = await request.readForm()
        rejectRepeated(form)
        const machine = await authenticateMachine(options.app, form, request.header('authorization'))
        if (machine !== undefined) {
          await revokeOwnToken(options.app, requireToken(form.get('token')), machine.id)
          return REVOKED
        }
        const found = await authenticated(options, request, form)
        if ('answer' in found) return found.answer
        await revokeToken(options.app, requireToken(form.get('token')), found.clientId)
        return REVOKED
      }),
  }
}

/**
 * A request by POST goes on by GET: the browser sends the cookie of its session with that, but not with a form of
 * another site.
 */
function authorizationPage(options: OpenIdOptions): Page {
  return {
    verbs: ['GET', 'HEAD', 'POST'],
    answer: (request) =>
      showing(options, request, async () => {
        if (request.method !== 'POST') return byEngine(options, request)
        const location = `${ROUTES.authorization}?${await request.readForm()}`
        return { status: 303, contentType: 'text/plain; charset=utf-8', body: '', headers: { location } }
      }),
  }
}

function userinfoPage(options: OpenIdOptions): Page {
  return {
    verbs: ['GET', 'POST', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        if (request.method === 'OPTIONS') return preflight('GET, POST')
        return answerUserinfo(options.app, request)
      }),
  }
}

function registrationPage({ app, mayStartFrom }: OpenIdOptions): Page {
  return {
    verbs: ['POST', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        if (request.method === 'OPTIONS') return preflight('POST')
        return answerRegistration(app, request, () => mayStartFrom(request.client))
      }),
  }
}

function managementPage({ app }: OpenIdOptions): Page {
  return {
    verbs: ['GET', 'PUT', 'DELETE', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () => {
        if (request.method === 'OPTIONS') return preflight('GET, PUT, DELETE')
        return answerManagement(app, request)
      }),
  }
}

function endSessionPage(options: OpenIdOptions): Page {
  return {
    verbs: ['GET', 'POST'],
    answer: (request) => showing(options, request, () => answerEndSession(options.app, request, options)),
  }
}

/** Every endpoint by its path. */
export function openIdPages(options: OpenIdOptions): Pages {
  const { app, languages } = options
  const engine = (...verbs: string[]): Page => ({
    verbs,
    answer: (request) => answering(request, () => byEngine(options, request)),
  })
  const discovery: Page = {
    verbs: ['GET', 'HEAD', 'OPTIONS'],
    answer: (request) =>
      answering(request, async () =>
        request.method === 'OPTIONS' ? preflight('GET') : answerDiscovery(app, languages),
      ),
  }
  return new Map<string, Page>([
    ['/.well-known/openid-configuration', discovery],
    ['/.well-known/oauth-authorization-server', discovery],
    ...protectedResourcePages(app),
    [
      ROUTES.jwks,
      {
        verbs: ['GET', 'HEAD', 'OPTIONS'],
        answer: (request) =>
          answering(request, async () => (request.method === 'OPTIONS' ? preflight('GET') : answerKeys(app))),
      },
    ],
    [ROUTES.authorization, authorizationPage(options)],
    [
      `${ROUTES.authorization}/*`,
      { verbs: ['GET'], answer: (request) => showing(options, request, () => byEngine(options, request)) },
    ],
    [ROUTES.token, tokenPage(options)],
    [ROUTES.introspection, introspectionPage(options)],
    [ROUTES.revocation, revocationPage(options)],
    [ROUTES.device_authorization, engine('POST', 'OPTIONS')],
    [ROUTES.pushed_authorization_request, engine('POST', 'OPTIONS')],
    [ROUTES.backchannel_authentication, engine('POST', 'OPTIONS')],
    [ROUTES.registration, registrationPage(options)],
    [`${ROUTES.registration}/*`, managementPage(options)],
    [ROUTES.userinfo, userinfoPage(options)],
    [ROUTES.end_session, endSessionPage(options)],
    [
      PATHS.finishTrial,
      {
        verbs: ['POST'],
        answer: (request) =>
          answering(request, async () => jsonAnswer(await finishTrial(app, await request.readForm()))),
      },
    ],
  ])
}
