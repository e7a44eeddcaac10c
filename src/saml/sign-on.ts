/**
 * Single sign-on: a request is checked and stored, the user signs in on the pages that all applications share, and the
 * browser takes the response to the service provider (SAML 2.0 Profiles §4.1).
 */
import type { SamlConfig } from '../features/applications/index.ts'
import {
  ACR,
  authenticationOf,
  findSamlRequest,
  isForThisRequest,
  isFreshEnough,
  ownLoginBase,
  type SamlAsked,
  type StartedSamlRequest,
  startSamlRequest,
} from '../features/authorization-requests/index.ts'
import {
  factorsFor,
  providerOf,
  respondWithSession,
  respondWithStatus,
  type SamlDelivery,
  type SamlStatus,
  samlAddresses,
  statusOf,
} from '../features/saml/index.ts'
import { findOpenSession } from '../features/sessions/index.ts'
import { findPerson, type Person } from '../features/sign-in/index.ts'
import { cookiesOf } from '../http/cookies.ts'
import { loginClientOf } from '../http/login-client.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { PATHS, SAML_PATHS } from '../kernel/page-paths.ts'
import { Refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'
import type { Document, Origin } from '../store/index.ts'
import { askedIn, responseServiceOf } from './authn-request.ts'
import { BadMessage } from './bad-message.ts'
import { receive } from './binding.ts'
import { type SamlBrowser, seeOther } from './browser.ts'
import { checkedRequests, forThoseThat } from './checked-request.ts'
import { requestFor } from './same-provider.ts'

/** By this cookie a browser is recognized as the one that came with a request. */
const COOKIE = 'signet_saml'
const COOKIE_SECONDS = 3600
/** Between the IDs of requests in an address. */
const BETWEEN = '.'

type Request = Document<StartedSamlRequest>

function originOf(app: App, user?: string): Origin {
  return { actor: user === undefined ? 'anonymous' : { user }, at: app.clock() }
}

/** To the page where a browser continues with its request, or with one for each application that is asked. */
function continueWith({ externalUrl }: App, id: string): PageAnswer {
  const path = `${SAML_PATHS.goOn}${id}`
  const secure = new URL(externalUrl).protocol === 'https:' ? '; Secure' : ''
  const cookie = `${COOKIE}=${id}; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return seeOther(path, { 'set-cookie': cookie })
}

/**
 * Stores a request and continues by GET: the browser sends the cookie of its session with that, but not with a form. Where
 * several organizations have the service provider, it is stored for each, and who signs in decides.
 */
async function begin(app: App, request: PageRequest, all: readonly SamlAsked[]): Promise<PageAnswer> {
  const login = loginClientOf(request)
  const ids = await Promise.all(all.map((asked) => startSamlRequest(app, originOf(app), asked, login)))
  return continueWith(app, ids.join(BETWEEN))
}

/** A service provider asks. */
export async function startSignOn(app: App, request: PageRequest, { mayStartFrom }: SamlBrowser): Promise<PageAnswer> {
  const checked = await checkedRequests(app, await receive(request), {
    name: 'AuthnRequest',
    destination: samlAddresses(app.externalUrl).sso,
    mustBeSigned: ({ signsRequests }) => signsRequests,
    mayStart: () => mayStartFrom(request.client),
  })
  const all = await forThoseThat(checked, ({ root, id, relayState, config, applicationId, clientId }) => {
    const relay = relayState === undefined ? {} : { secret: { relayState } }
    return { applicationId, clientId, inResponseTo: id, ...askedIn(root, config, app.clock()), ...relay }
  })
  return begin(app, request, all)
}

const NO_REQUEST = { namespace: '', name: '', attributes: new Map(), children: [], text: '' } as const

/** The user begins here, where the application allows it. */
export async function startUnsolicited(
  app: App,
  request: PageRequest,
  { mayStartFrom }: SamlBrowser,
): Promise<PageAnswer> {
  const found = await providerOf(app, request.path.slice(SAML_PATHS.start.length))
  if (found?.config.allowsUnsolicited !== true)
    throw new BadMessage('Users cannot begin here with this application.', 404)
  if (!mayStartFrom(request.client)) throw new BadMessage('Too many requests. Try again in a minute.', 429)
  const { url: responseUrl, binding } = responseServiceOf(NO_REQUEST, found.config)
  const { id: applicationId, state } = found.application
  return begin(app, request, [{ applicationId, clientId: state.clientId, responseUrl, binding }])
}

function cameWith(request: PageRequest, id: string): boolean {
  return cookiesOf(request, COOKIE).includes(id)
}

function notThere(): BadMessage {
  return new BadMessage('The request does not exist, was answered, or came with another browser.')
}

async function waitingRequest(app: App, id: string): Promise<Request> {
  const found = /^[\w-]{1,100}$/.test(id) ? await findSamlRequest(app.store, id, app.clock()) : undefined
  if (found?.state.status !== 'waiting') throw notThere()
  return found
}

async function personOf(app: App, request: PageRequest, browser: SamlBrowser): Promise<Person | undefined> {
  const token = browser.readSession(request)
  return token === undefined ? undefined : findPerson(app, token)
}

/** Continues with the request for the application that this user has. */
async function choose(app: App, request: PageRequest, browser: SamlBrowser, id: string): Promise<PageAnswer> {
  const waiting = await forThoseThat(id.split(BETWEEN), (one) => waitingRequest(app, one))
  const person = await personOf(app, request, browser)
  if (person?.step === 'none') return continueWith(app, (await requestFor(app, waiting, person)).id)
  const isPassive = waiting.every(({ state }) => state.isPassive === true)
  if (isPassive) throw new BadMessage('Nobody is signed in, and the application asks for no sign-in.')
  return seeOther(`${PATHS.signIn}?${new URLSearchParams({ next: `${SAML_PATHS.goOn}${id}` })}`)
}

type Standing = 'signed_in' | 'sign_in' | 'level_unmet'

/** Whether the session of the browser is enough for what was asked. */
async function standingOf(app: App, { state }: Request, person: Person | undefined): Promise<Standing> {
  const session = person && (await findOpenSession(app.store, person.sessionId, app.clock(), person.userId))
  if (person === undefined || session === undefined || person.step !== 'none') return 'sign_in'
  const { authenticatedAt, acr } = await authenticationOf(app, session.state, app.clock())
  const since = state.flowStartedAt
  if (!isFreshEnough(authenticatedAt, { isForced: state.isForced === true, since }, app.clock())) return 'sign_in'
  if (factorsFor(state.classes) !== 2 || acr === ACR.multi) return 'signed_in'
  return isForThisRequest(authenticatedAt, since) ? 'level_unmet' : 'sign_in'
}

function signInPage({ id, state }: Request, person: Person | undefined): PageAnswer {
  const kept = { next: `${SAML_PATHS.goOn}${id}`, authRequest: id }
  const isSecond = person?.step === 'second_factor' && factorsFor(state.classes) === 2
  const how = person?.step === 'none' ? { again: 'yes' } : {}
  const path = isSecond ? PATHS.secondFactor : PATHS.signIn
  return seeOther(`${path}?${new URLSearchParams({ ...kept, ...how })}`)
}

function delivered(request: PageRequest, browser: SamlBrowser, delivery: SamlDelivery): PageAnswer {
  return delivery.binding === 'post' ? browser.formPage(request, delivery.url, delivery.fields) : seeOther(delivery.url)
}

/** Refusals that a sign-in can change. */
const SIGN_IN_HELPS: readonly string[] = [
  'authorization_request.session_invalid',
  'authorization_request.sign_in_incomplete',
  'authorization_request.sign_in_too_old',
  'authorization_request.user_not_active',
]

async function answer(app: App, request: PageRequest, browser: SamlBrowser, asked: Request, person: Person) {
  const origin = originOf(app, person.userId)
  try {
    return delivered(request, browser, await respondWithSession(app, origin, asked, person.sessionId))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code === 'authorization_request.finished') throw new BadMessage('The request was answered before.')
    if (SIGN_IN_HELPS.includes(error.code) && asked.state.isPassive !== true) return signInPage(asked, person)
    const failed = await respondWithStatus(app, origin, asked, statusOf(error), error.message)
    return delivered(request, browser, failed)
  }
}

async function ownPage(app: App, { id, state }: Request, config: SamlConfig): Promise<string | undefined> {
  const base = await ownLoginBase(app, config, state.loginClientId)
  return base === undefined ? undefined : `${base}/login?samlRequest=V2_${id}`
}

/** The browser continues with a request: to the sign-in, or with the response to the service provider. */
export async function goOn(app: App, request: PageRequest, browser: SamlBrowser): Promise<PageAnswer> {
  const id = request.path.slice(SAML_PATHS.goOn.length)
  if (!cameWith(request, id)) throw notThere()
  if (id.includes(BETWEEN)) return choose(app, request, browser, id)
  const asked = await waitingRequest(app, id)
  const found = await providerOf(app, asked.state.applicationId)
  if (found === undefined) throw new BadMessage('The application cannot be used.')
  const refuse = async (status: SamlStatus) =>
    delivered(request, browser, await respondWithStatus(app, originOf(app), asked, status))
  if (factorsFor(asked.state.classes) === undefined) return refuse('NoAuthnContext')
  const own = await ownPage(app, asked, found.config)
  if (own !== undefined) return asked.state.isPassive === true ? refuse('NoPassive') : seeOther(own)
  const person = await personOf(app, request, browser)
  const standing = await standingOf(app, asked, person)
  if (standing === 'level_unmet') return refuse('NoAuthnContext')
  if (standing === 'sign_in' || person === undefined) {
    return asked.state.isPassive === true ? refuse('NoPassive') : signInPage(asked, person)
  }
  return answer(app, request, browser, asked, person)
}
