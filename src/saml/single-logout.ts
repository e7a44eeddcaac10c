/**
 * Single logout (SAML 2.0 Profiles §4.4), by the front channel. A request of a service provider must be signed: it ends the
 * session at once, and whoever could send one could end the sessions of others. Then the browser is sent on, and comes back
 * with the answers.
 */
import { childrenOf, textOf, XmlRefused } from '../crypto/xml/parse.ts'
import { askedLogout, logOutFor, noteAnswer, samlAddresses, sessionsNamed } from '../features/saml/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { Refused } from '../kernel/refusal.ts'
import { PROTOCOL } from '../kernel/saml-names.ts'
import type { App } from '../module/app.ts'
import { BadMessage } from './bad-message.ts'
import { type ReceivedMessage, receive } from './binding.ts'
import { type SamlBrowser, seeOther } from './browser.ts'
import {
  type CheckedRequest,
  checkedLogoutResponse,
  checkedRequests,
  inResponseToOf,
  timeOf,
} from './checked-request.ts'

function checkTime({ root }: CheckedRequest, at: number): void {
  const until = root.attributes.get('NotOnOrAfter')
  if (until !== undefined && timeOf(until) <= at) throw new BadMessage('The message is too old.')
}

function indexesOf({ root }: CheckedRequest): readonly string[] {
  return childrenOf(root, PROTOCOL, 'SessionIndex').map(textOf)
}

/** Among applications of several organizations, the one that signed in to a session that the request names. */
async function meantBy(app: App, all: readonly CheckedRequest[]): Promise<CheckedRequest> {
  const [first] = all
  if (first === undefined) throw new BadMessage('The issuer of the message is no application that can be used.')
  if (all.length === 1) return first
  const named = await Promise.all(all.map((one) => sessionsNamed(app, one.applicationId, indexesOf(one))))
  return all.find((_, index) => named[index]?.length !== 0) ?? first
}

/**
 * Ends the sessions that the request names, and continues by GET: the browser sends the cookie of its session with that, but
 * not with a form.
 */
async function followRequest(app: App, message: ReceivedMessage, mayStart: () => boolean): Promise<PageAnswer> {
  const destination = samlAddresses(app.externalUrl).slo
  const mustBeSigned = () => true
  const all = await checkedRequests(app, message, { name: 'LogoutRequest', destination, mustBeSigned, mayStart })
  const checked = await meantBy(app, all)
  checkTime(checked, app.clock())
  const { applicationId, id: inResponseTo, relayState } = checked
  const indexes = indexesOf(checked)
  const relay = relayState === undefined ? {} : { relayState }
  return seeOther(await logOutFor(app, { applicationId, inResponseTo, ...relay }, indexes))
}

type Waiting = NonNullable<Awaited<ReturnType<typeof askedLogout>>>

async function note(app: App, message: ReceivedMessage, waiting: Waiting): Promise<void> {
  // It must be of the service provider that was asked, and what was signed counts.
  const { applicationId } = waiting
  const destination = samlAddresses(app.externalUrl).slo
  const { inResponseTo, isSuccess } = await checkedLogoutResponse(app, message, { applicationId, destination })
  if (inResponseTo !== inResponseToOf(message.root)) {
    throw new BadMessage('The message answers another request.')
  }
  await noteAnswer(app, waiting.id, inResponseTo, isSuccess)
}

/**
 * Notes what a service provider answered. An answer that does not count is none, and the browser continues without it: one
 * service provider that signs wrongly must not keep the others from being told.
 */
async function followResponse(app: App, message: ReceivedMessage): Promise<PageAnswer> {
  const waiting = await askedLogout(app, inResponseToOf(message.root))
  if (waiting === undefined) throw new BadMessage('The message answers no request that we sent.')
  try {
    await note(app, message, waiting)
  } catch (error) {
    if (!(error instanceof BadMessage || error instanceof XmlRefused || error instanceof Refused)) throw error
    const { applicationId } = waiting
    app.log.warn(
      { applicationId, reason: error.message },
      'the answer of a service provider to a logout does not count',
    )
  }
  return seeOther(waiting.goesOnAt)
}

/** Follows a request to log out, or the answer to one of ours. */
export async function answerLogout(app: App, request: PageRequest, { mayStartFrom }: SamlBrowser): Promise<PageAnswer> {
  const message = await receive(request)
  return message.name === 'SAMLResponse'
    ? followResponse(app, message)
    : followRequest(app, message, () => mayStartFrom(request.client))
}
