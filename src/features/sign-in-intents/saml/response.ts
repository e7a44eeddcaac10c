/**
 * Reads the response of a SAML provider (SAML 2.0 Core §2 and §3.3, Profiles §4.1.4.3). What counts is read from the assertion
 * as it was signed; what stands around it is only compared.
 */
import { keyOfCertificate } from '../../../crypto/certificate.ts'
import {
  childOf,
  childrenOf,
  parseXml,
  textOf,
  type XmlElement,
  XmlRefused,
  xmlTextOf,
} from '../../../crypto/xml/parse.ts'
import { readSignedPart, type SignedElement, XmlAlgorithmRefused } from '../../../crypto/xml/verify.ts'
import { ASSERTION, instantOfSaml, PROTOCOL, SAML } from '../../../kernel/saml-names.ts'
import type { SamlConnection } from '../../identity-providers/index.ts'
import type { FailureReason } from '../events.ts'
import { SKEW_SECONDS } from '../provider-claims.ts'
import type { ProviderAnswer } from '../relying-party.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { accountOf } from './account.ts'

/** Responses of real products have some ten thousand, most of them groups. */
const MOST_CHARACTERS = 200_000
const LIMITS = { mostCharacters: MOST_CHARACTERS }
const SKEW_MS = SKEW_SECONDS * 1000

const STATUS = `${SAML}:status:`
const BEARER = `${SAML}:cm:bearer`
/** Conditions that are understood; whoever sets others means that nobody else may rely on the assertion (Core §2.5.1). */
const CONDITIONS: readonly string[] = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
/** What a provider says when the user did not sign in, or may not. */
const DENIALS: readonly string[] = ['AuthnFailed', 'RequestDenied', 'NoPassive', 'NoAuthnContext']

/** What a response must be an answer to. */
export interface Expected {
  readonly requestId: string
  /** Our address for responses, and our name. */
  readonly acs: string
  readonly entityId: string
  readonly at: number
}

/** An assertion that counts. */
interface CheckedAssertion {
  readonly assertion: XmlElement
  /** The text that it was read from. */
  readonly xml: string
  /** When it ends. */
  readonly until: number
}

function require(condition: boolean, reason: FailureReason): void {
  if (!condition) throw new SignInFailed(reason)
}

function timeOf(text: string): number {
  const at = instantOfSaml(text)
  if (at === undefined) throw new SignInFailed('time_invalid')
  return at
}

/** Whether now is between the times of an element, which may both be missing. */
function requireCurrent({ attributes }: XmlElement, at: number): void {
  const from = attributes.get('NotBefore')
  const until = attributes.get('NotOnOrAfter')
  require(from === undefined || timeOf(from) <= at + SKEW_MS, 'time_invalid')
  require(until === undefined || timeOf(until) > at - SKEW_MS, 'time_invalid')
}

function issuerOf(element: XmlElement): string | undefined {
  const issuer = childOf(element, ASSERTION, 'Issuer')
  return issuer === undefined ? undefined : textOf(issuer)
}

/** Why a provider did not sign the user in. */
function requireSuccess(root: XmlElement): void {
  const status = childOf(root, PROTOCOL, 'Status')
  const code = status && childOf(status, PROTOCOL, 'StatusCode')
  if (code === undefined) throw new SignInFailed('response_invalid')
  if (code.attributes.get('Value') === `${STATUS}Success`) return
  const second = childOf(code, PROTOCOL, 'StatusCode')?.attributes.get('Value') ?? ''
  throw new SignInFailed(DENIALS.some((one) => second === `${STATUS}${one}`) ? 'denied' : 'provider_error')
}

/** The response itself. Where only the assertion is signed, this is not: it can only make a sign-in fail. */
function checkResponse(root: XmlElement, { upstream }: SamlConnection, { requestId, acs }: Expected): void {
  require(root.namespace === PROTOCOL && root.name === 'Response', 'response_invalid')
  require(root.attributes.get('Version') === '2.0', 'response_invalid')
  // One that answers nothing was not asked for by us.
  require(root.attributes.get('InResponseTo') === requestId, 'response_invalid')
  const destination = root.attributes.get('Destination')
  require(destination === undefined || destination === acs, 'response_invalid')
  const issuer = issuerOf(root)
  require(issuer === undefined || issuer === upstream.entityId, 'issuer_mismatch')
  requireSuccess(root)
}

function isConfirmed(confirmation: XmlElement, { requestId, acs, at }: Expected): boolean {
  if (confirmation.attributes.get('Method') !== BEARER) return false
  const data = childOf(confirmation, ASSERTION, 'SubjectConfirmationData')
  if (data === undefined) return false
  const isOurs = data.attributes.get('Recipient') === acs && data.attributes.get('InResponseTo') === requestId
  if (!isOurs || !data.attributes.has('NotOnOrAfter')) return false
  requireCurrent(data, at)
  return true
}

function checkConditions(assertion: XmlElement, { entityId, at }: Expected): void {
  const conditions = childOf(assertion, ASSERTION, 'Conditions')
  if (conditions === undefined) throw new SignInFailed('audience_mismatch')
  requireCurrent(conditions, at)
  const isKnown = ({ namespace, name }: XmlElement) => namespace === ASSERTION && CONDITIONS.includes(name)
  require(conditions.children.every(isKnown), 'token_invalid')
  const restrictions = childrenOf(conditions, ASSERTION, 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    childrenOf(restriction, ASSERTION, 'Audience').some((audience) => textOf(audience) === entityId)
  require(restrictions.length > 0 && restrictions.every(isForUs), 'audience_mismatch')
}

function checkAssertion(assertion: XmlElement, { upstream }: SamlConnection, expected: Expected): void {
  const { at } = expected
  require(assertion.attributes.get('Version') === '2.0', 'token_invalid')
  require(issuerOf(assertion) === upstream.entityId, 'issuer_mismatch')
  checkConditions(assertion, expected)
  const subject = childOf(assertion, ASSERTION, 'Subject')
  const confirmations = subject === undefined ? [] : childrenOf(subject, ASSERTION, 'SubjectConfirmation')
  require(confirmations.some((one) => isConfirmed(one, expected)), 'response_invalid')
  const statements = childrenOf(assertion, ASSERTION, 'AuthnStatement')
  require(statements.length > 0, 'token_invalid')
  for (const { attributes } of statements) {
    const end = attributes.get('SessionNotOnOrAfter')
    require(end === undefined || timeOf(end) > at - SKEW_MS, 'time_invalid')
  }
}

/** When the assertion, or what confirms its subject, ends. */
function endOf(assertion: XmlElement, at: number): number {
  const until = childOf(assertion, ASSERTION, 'Conditions')?.attributes.get('NotOnOrAfter')
  return until === undefined ? Number.POSITIVE_INFINITY : Math.max(timeOf(until), at + SKEW_MS)
}

function decoded(given: string): string {
  const compact = given.replace(/[ \t\r\n]/g, '')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(compact)
  require(isBase64 && compact.length <= 2 * MOST_CHARACTERS, isBase64 ? 'too_large' : 'response_invalid')
  return xmlTextOf(Buffer.from(compact, 'base64'))
}

async function verified(text: string, { upstream }: SamlConnection): Promise<SignedElement> {
  const keys = upstream.signingCertificates.flatMap((certificate) => keyOfCertificate(certificate) ?? [])
  try {
    return await readSignedPart(text, { namespace: ASSERTION, name: 'Assertion' }, keys, LIMITS)
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error
    const reason = error instanceof XmlAlgorithmRefused ? 'algorithm_refused' : 'signature_invalid'
    throw new SignInFailed(reason, { cause: error })
  }
}

/** The assertion of a response, if everything about it is as it must be. Throws `SignInFailed` or `XmlRefused`. */
async function checkedAssertion(saml: SamlConnection, response: string, expected: Expected): Promise<CheckedAssertion> {
  const text = decoded(response)
  checkResponse(parseXml(text, LIMITS), saml, expected)
  const { element: assertion, xml } = await verified(text, saml)
  checkAssertion(assertion, saml, expected)
  return { assertion, xml, until: endOf(assertion, expected.at) }
}

/** The account that a response is about. Throws `SignInFailed`. */
export async function redeemResponse(
  saml: SamlConnection,
  response: string,
  expected: Expected,
): Promise<ProviderAnswer> {
  try {
    const { assertion, xml, until } = await checkedAssertion(saml, response, expected)
    const { attributes, ...account } = accountOf(assertion, { saml, entityId: expected.entityId })
    return { ...account, accessToken: '', saml: { xml, attributes }, endsAt: until }
  } catch (error) {
    if (error instanceof XmlRefused) throw new SignInFailed('response_invalid', { cause: error })
    throw error
  }
}
