/**
 * Single logout that a service provider begins (SAML 2.0 Profiles §4.4). Its request must be signed: it ends the session at
 * once, and whoever could send one could end the sessions of others.
 */
import { childrenOf, textOf } from '../crypto/xml/parse.ts'
import {
  deliver,
  logOutFrom,
  PROTOCOL,
  protocolMessage,
  samlAddresses,
  samlSigning,
  statusElement,
} from '../features/saml/index.ts'
import { findPerson } from '../features/sign-in/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { ANONYMOUS_ACTOR } from '../kernel/actor.ts'
import { PATHS } from '../kernel/page-paths.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import { type SamlBrowser, seeOther } from './browser.ts'
import { type CheckedRequest, checkedRequest, timeOf } from './checked-request.ts'

function checkTime({ root }: CheckedRequest, at: number): void {
  const until = root.attributes.get('NotOnOrAfter')
  if (until !== undefined && timeOf(until) <= at) throw new BadMessage('The message is too old.')
}

/** The answer, if the metadata say where it goes. */
async function answerFor(app: App, { id, relayState, config }: CheckedRequest, hasOthers: boolean) {
  const [service] = config.logoutServices
  if (service === undefined) return undefined
  const { binding, url, responseUrl = url } = service
  const issuer = samlAddresses(app.externalUrl).entityId
  const frame = { issuer, destination: responseUrl, inResponseTo: id, at: app.clock() }
  const status = statusElement(hasOthers ? 'PartialLogout' : 'Success')
  const key = binding === 'post' ? await samlSigning(app) : undefined
  const xml = protocolMessage('samlp:LogoutResponse', frame, [status], key)
  return deliver(app, { name: 'SAMLResponse', xml, url: responseUrl, binding, relayState })
}

/** Answers a request to log out. */
export async function answerLogout(app: App, request: PageRequest, browser: SamlBrowser): Promise<PageAnswer> {
  const checked = await checkedRequest(app, request, {
    name: 'LogoutRequest',
    destination: samlAddresses(app.externalUrl).slo,
    mustBeSigned: () => true,
    mayStartFrom: browser.mayStartFrom,
  })
  checkTime(checked, app.clock())
  const token = browser.readSession(request)
  const person = token === undefined ? undefined : await findPerson(app, token)
  const indexes = childrenOf(checked.root, PROTOCOL, 'SessionIndex').map(textOf)
  const origin = { actor: person?.userId ?? ANONYMOUS_ACTOR, at: app.clock() }
  const { applicationId } = checked
  const { sessionIds, hasOthers } = await logOutFrom(app, origin, {
    applicationId,
    indexes,
    browserSessionId: person?.sessionId,
  })
  const isOwn = person !== undefined && sessionIds.has(person.sessionId)
  const headers = isOwn ? browser.forgetSession(request) : {}
  const delivery = await answerFor(app, checked, hasOthers)
  if (delivery === undefined) return seeOther(PATHS.signedOut, headers)
  if (delivery.binding === 'redirect') return seeOther(delivery.url, headers)
  const page = browser.formPage(request, delivery.url, delivery.fields)
  return { ...page, headers: { ...page.headers, ...headers } }
}
