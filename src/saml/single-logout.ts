/**
 * Single logout (SAML 2.0 Profiles §4.4), by the front channel. A request of a service provider must be signed: it ends the
 * session at once, and whoever could send one could end the sessions of others. Then the browser is sent on, and comes back
 * with the answers.
 */
import { childrenOf, textOf, XmlRefused } from '../crypto/xml/parse.ts'
import { askedLogout, logOutFor, noteAnswer, samlAddresses } from '../features/saml/index.ts'
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
  checkedRequest,
  inResponseToOf,
  timeOf,
} from './checked-request.ts'

function checkTime({ root }: CheckedRequest, at: number): void {
  const until = root.attributes.get('NotOnOrAfter')
  if (until !== undefined && timeOf(until) <= at) throw new BadMessage('The message is too old.')
}

/**
 * Ends the sessions that the request names, and goes on by GET: the browser sends the cookie of its session with that, but
 * not with a form.
 */
async function followRequest(app: App, message: ReceivedMessage, mayStart: () => boolean): Promise<PageAnswer> {
  const destination = samlAddresses(app.externalUrl).slo
  const mustBeSigned = () => true
  const checked = await checkedRequest(app, message, { name: 'LogoutRequest', destination, mustBeSigned, mayStart })
  checkTime(checked, app.clock())
  const { root, applicationId, id: inResponseTo, relayState } = checked
  const indexes = childrenOf(root, PROTOCOL, 'SessionIndex').map(textOf)
  const relay = relayState === undefined ? {} : { relayState }
  return seeOther(await logOutFor(app, { applicationId, inResponseTo, ...relay }, indexes))
}

type Waiting = NonNullable<Awaited<ReturnType<typeof askedLogout>>>

async function note(app: App, message: ReceivedMessage, waiting: Waiting): Promise<void> {
  const checked = await checkedLogoutResponse(app, message, samlAddresses(app.externalUrl).slo)
  const { applicationId, inResponseTo, isSuccess } = checked
  // What was signed counts, and it must be the service provider that was asked.
  if (inResponseTo !== inResponseToOf(message.root) || applicationId !== waiting.applicationId) {
    throw new BadMessage('The message answers another request.')
  }
  await noteAnswer(app, waiting.id, inResponseTo, isSuccess)
}

/**
 * Notes what a service provider answered. An answer that does not count is none, and the browser goes on without it: one
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
