/**
 * The way of a browser through a logout: to one service provider after the other, and at last back to who began it. It goes
 * there as itself, not in frames: in these, browsers hold back the cookies by which service providers know their sessions.
 */
import {
  deliver,
  findLogout,
  logoutRequest,
  protocolMessage,
  providerOf,
  samlAddresses,
  samlSigning,
  statusElement,
  takeStep,
} from '../features/saml/index.ts'
import type { PageAnswer, PageHeaders, PageRequest } from '../http/page.ts'
import { PATHS, SAML_PATHS } from '../kernel/page-paths.ts'
import { Refused } from '../kernel/refusal.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import { type SamlBrowser, seeOther } from './browser.ts'

type Next = Awaited<ReturnType<typeof takeStep>>

function withHeaders(page: PageAnswer, headers: PageHeaders): PageAnswer {
  return { ...page, headers: { ...page.headers, ...headers } }
}

/** Leads to a service provider with our request; undefined when it cannot be used any more. */
async function tell(
  app: App,
  request: PageRequest,
  browser: SamlBrowser,
  { step, requestId: id }: Extract<Next, { type: 'tell' }>,
): Promise<PageAnswer | undefined> {
  const found = await providerOf(app, step.applicationId)
  const services = found?.config.logoutServices ?? []
  // With an address, browsers send the cookies by which the service provider knows its session; with a form they do not.
  const service = services.find(({ binding }) => binding === 'redirect') ?? services[0]
  if (found === undefined || service === undefined) return undefined
  const { binding, url } = service
  const frame = { issuer: samlAddresses(app.externalUrl).entityId, destination: url, at: app.clock(), id }
  const key = binding === 'post' ? await samlSigning(app) : undefined
  const xml = logoutRequest(step.name, step.indexes, frame, key)
  const delivery = await deliver(app, { name: 'SAMLRequest', xml, url, binding })
  const { name } = found.application.state
  // A page each time: browsers follow a limited number of redirects, and hold those after a form to the policy of its page.
  return delivery.binding === 'post'
    ? browser.formPage(request, delivery.url, delivery.fields, name)
    : browser.leadPage(request, delivery.url, name)
}

/** The answer to the service provider that began, if its metadata say where it goes. */
async function answerFor(
  app: App,
  { applicationId, inResponseTo }: NonNullable<Extract<Next, { type: 'finish' }>['asked']>,
  relayState: string | undefined,
  isComplete: boolean,
) {
  const found = await providerOf(app, applicationId)
  const [service] = found?.config.logoutServices ?? []
  if (service === undefined) return undefined
  const { binding, url, responseUrl = url } = service
  const issuer = samlAddresses(app.externalUrl).entityId
  const frame = { issuer, destination: responseUrl, inResponseTo, at: app.clock() }
  const status = statusElement(isComplete ? 'Success' : 'PartialLogout')
  const key = binding === 'post' ? await samlSigning(app) : undefined
  const xml = protocolMessage('samlp:LogoutResponse', frame, [status], key)
  return deliver(app, { name: 'SAMLResponse', xml, url: responseUrl, binding, relayState })
}

async function finish(
  app: App,
  request: PageRequest,
  browser: SamlBrowser,
  { asked, secret, isComplete, isOwn, hasSteps }: Extract<Next, { type: 'finish' }>,
): Promise<PageAnswer> {
  const headers = isOwn ? browser.forgetSession(request) : {}
  const delivery = asked && (await answerFor(app, asked, secret.relayState, isComplete))
  if (delivery?.binding === 'post') {
    return withHeaders(browser.formPage(request, delivery.url, delivery.fields), headers)
  }
  const away = delivery?.url ?? secret.target ?? PATHS.signedOut
  if (away === PATHS.signedOut) return seeOther(isComplete ? away : `${away}?left=some`, headers)
  // After a form to a service provider, browsers would hold a redirect to the policy of that form.
  return hasSteps && !away.startsWith('/')
    ? withHeaders(browser.leadPage(request, away), headers)
    : seeOther(away, headers)
}

/** The browser came here twice at once, and the other one took the step. */
function ifTaken(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}

/** The browser continues with a logout. Each turn asks one service provider or finishes. */
export async function goOnWithLogout(app: App, request: PageRequest, browser: SamlBrowser): Promise<PageAnswer> {
  const id = request.path.slice(SAML_PATHS.goOnWithLogout.length)
  for (;;) {
    const logout = await findLogout(app, id)
    if (logout === undefined) throw new BadMessage('The logout does not exist, or has ended.')
    const next = await takeStep(app, logout, browser.readSession(request)).catch(ifTaken)
    if (next === undefined) continue
    if (next.type === 'finish') return finish(app, request, browser, next)
    const page = await tell(app, request, browser, next)
    if (page !== undefined) return page
  }
}
