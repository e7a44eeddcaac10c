/** What an AuthnRequest asks for (SAML 2.0 Core §3.4.1). Responses go only where the metadata say. Pure. */
import { childOf, childrenOf, textOf, type XmlElement } from '../crypto/xml/parse.ts'
import type { SamlConfig } from '../features/applications/index.ts'
import type { SamlAsked } from '../features/authorization-requests/index.ts'
import { ASSERTION, BINDING, PROTOCOL } from '../kernel/saml-names.ts'
import { BadMessage } from './bad-message.ts'
import { timeOf } from './checked-request.ts'

type ResponseService = SamlConfig['responseServices'][number]

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1'
}

/** Where the response goes: what the request names if it is in the metadata, else their default. */
export function responseServiceOf(
  root: XmlElement,
  { responseServices }: Pick<SamlConfig, 'responseServices'>,
): ResponseService {
  const { attributes } = root
  const url = attributes.get('AssertionConsumerServiceURL')
  const index = attributes.get('AssertionConsumerServiceIndex')
  const named = attributes.get('ProtocolBinding')
  const binding = Object.entries(BINDING).find(([, name]) => name === named)?.[0]
  if (named !== undefined && binding === undefined)
    throw new BadMessage('Responses have the binding HTTP-POST or HTTP-Redirect.')
  const fits = responseServices.filter(
    (one) =>
      (url === undefined || one.url === url) &&
      (binding === undefined || one.binding === binding) &&
      (url !== undefined || index === undefined || String(one.index) === index),
  )
  const byPriority = fits.toSorted(
    (a, b) => Number(b.isDefault === true) - Number(a.isDefault === true) || a.index - b.index,
  )
  const [chosen] = byPriority
  if (chosen === undefined)
    throw new BadMessage('The address for the response is not in the metadata of the application.')
  return chosen
}

function checkConditions(root: XmlElement, at: number): void {
  const conditions = childOf(root, ASSERTION, 'Conditions')
  const from = conditions?.attributes.get('NotBefore')
  const until = conditions?.attributes.get('NotOnOrAfter')
  const isCurrent = (from === undefined || timeOf(from) <= at) && (until === undefined || timeOf(until) > at)
  if (!isCurrent) throw new BadMessage('The conditions of the message do not hold now.')
}

function nameIdFormatOf(root: XmlElement): Pick<SamlAsked, 'nameIdFormat'> {
  const format = childOf(root, PROTOCOL, 'NameIDPolicy')?.attributes.get('Format')
  return format === undefined || format.length > 200 ? {} : { nameIdFormat: format }
}

function classesOf(root: XmlElement): Pick<SamlAsked, 'classes'> {
  const context = childOf(root, PROTOCOL, 'RequestedAuthnContext')
  if (context === undefined) return {}
  const classes = childrenOf(context, ASSERTION, 'AuthnContextClassRef').map(textOf)
  return { classes: classes.slice(0, 20).filter((one) => one.length <= 200) }
}

/** What a request asks for, without the parties. */
export function askedIn(root: XmlElement, config: SamlConfig, at: number) {
  if (childOf(root, ASSERTION, 'Subject') !== undefined) throw new BadMessage('A request cannot name its user here.')
  checkConditions(root, at)
  const { url, binding } = responseServiceOf(root, config)
  return {
    responseUrl: url,
    binding,
    ...(isTrue(root.attributes.get('ForceAuthn')) && { isForced: true as const }),
    ...(isTrue(root.attributes.get('IsPassive')) && { isPassive: true as const }),
    ...nameIdFormatOf(root),
    ...classesOf(root),
  }
}
