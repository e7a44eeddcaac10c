/** Responses of an identity provider of SAML, good and bad, as texts that tests take apart. */
import { randomUUID } from 'node:crypto'
import { selfSigned } from '../../src/crypto/certificate.ts'
import { newKey, type Signing, signedXml } from './saml-signer.ts'

const SAML = 'urn:oasis:names:tc:SAML:2.0'
const own = newKey()

export const UPSTREAM_KEY = own.pem
export const FOREIGN_KEY = newKey().pem

export function certificateFor(privateKey: ReturnType<typeof newKey>['privateKey']): string {
  const times = { notBefore: Date.UTC(2020, 0), notAfter: Date.UTC(2049, 0) }
  return selfSigned({ privateKey, commonName: 'upstream', serial: Buffer.alloc(16, 7), ...times })
}

export const UPSTREAM_CERTIFICATE = certificateFor(own.privateKey)

/** The metadata of an identity provider with one service of each binding. */
export function upstreamMetadata(entityId: string, certificate = UPSTREAM_CERTIFICATE, more = ''): string {
  const key = `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
  const services = ['Redirect', 'POST'].map(
    (binding) => `<md:SingleSignOnService Binding="${SAML}:bindings:HTTP-${binding}" Location="${entityId}/sso"/>`,
  )
  return `<md:EntityDescriptor xmlns:md="${SAML}:metadata" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="${SAML}:protocol" ${more}>${key}${services.join('')}</md:IDPSSODescriptor></md:EntityDescriptor>`
}

/** What a response says. A part that is `null` is left out. */
export interface ResponseParts {
  readonly issuer: string
  readonly responseIssuer?: string | null
  readonly requestId: string
  readonly acs: string
  readonly audience: string
  readonly inResponseTo?: string | null
  readonly destination?: string | null
  readonly status?: string
  readonly version?: string
  readonly responseId?: string
  readonly assertionId?: string
  readonly subject?: string
  readonly nameId?: string
  /** The attributes of the name: a persistent one without qualifiers, if not given. */
  readonly nameAttributes?: Readonly<Record<string, string>>
  readonly confirmation?: string
  readonly recipient?: string
  readonly confirmationInResponseTo?: string | null
  readonly confirmationUntil?: number | null
  readonly method?: string
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly conditions?: string
  readonly moreConditions?: string
  readonly audiences?: string
  readonly statements?: string
  readonly attributes?: string
  /** Inside of the response, before the assertion. */
  readonly inside?: string
}

const now = () => Date.now()
const time = (at: number) => new Date(at).toISOString()

function attribute(name: string, value: string | null): string {
  return value === null ? '' : ` ${name}="${value}"`
}

/** An assertion without a signature. */
export function assertionOf(parts: ResponseParts): string {
  const { issuer, acs, requestId, audience, nameId = 'ada', assertionId = `_a${randomUUID()}` } = parts
  const { recipient = acs, confirmationInResponseTo = requestId, method = `${SAML}:cm:bearer` } = parts
  const { confirmationUntil = now() + 300_000, notBefore = now() - 5_000, notOnOrAfter = now() + 300_000 } = parts
  const until = confirmationUntil === null ? null : time(confirmationUntil)
  const confirmation =
    parts.confirmation ??
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData${attribute('InResponseTo', confirmationInResponseTo)}${attribute('NotOnOrAfter', until)}${attribute('Recipient', recipient)}/></saml:SubjectConfirmation>`
  const { nameAttributes = { Format: `${SAML}:nameid-format:persistent` } } = parts
  const named = Object.entries(nameAttributes).map(([name, value]) => attribute(name, value))
  const subject =
    parts.subject ?? `<saml:Subject><saml:NameID${named.join('')}>${nameId}</saml:NameID>${confirmation}</saml:Subject>`
  const audiences =
    parts.audiences ?? `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`
  const conditions =
    parts.conditions ??
    `<saml:Conditions NotBefore="${time(notBefore)}" NotOnOrAfter="${time(notOnOrAfter)}">${audiences}${parts.moreConditions ?? ''}</saml:Conditions>`
  const statements =
    parts.statements ??
    `<saml:AuthnStatement AuthnInstant="${time(now())}" SessionIndex="_s"><saml:AuthnContext><saml:AuthnContextClassRef>${SAML}:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
  const attributes = parts.attributes ?? ''
  return `<saml:Assertion xmlns:saml="${SAML}:assertion" ID="${assertionId}" IssueInstant="${time(now())}" Version="${parts.version ?? '2.0'}"><saml:Issuer>${issuer}</saml:Issuer>${subject}${conditions}${statements}${attributes}</saml:Assertion>`
}

/** A response around assertions. */
export function responseOf(parts: ResponseParts, ...assertions: readonly string[]): string {
  const { acs, requestId, responseId = `_r${randomUUID()}`, inResponseTo = requestId, destination = acs } = parts
  const { status = 'Success', responseIssuer = parts.issuer, inside = '' } = parts
  const issuer =
    responseIssuer === null ? '' : `<saml:Issuer xmlns:saml="${SAML}:assertion">${responseIssuer}</saml:Issuer>`
  return `<samlp:Response xmlns:samlp="${SAML}:protocol" xmlns:xs="http://www.w3.org/2001/XMLSchema"${attribute('Destination', destination)} ID="${responseId}"${attribute('InResponseTo', inResponseTo)} IssueInstant="${time(now())}" Version="2.0">${issuer}<samlp:Status><samlp:StatusCode Value="${SAML}:status:${status}"/></samlp:Status>${inside}${assertions.join('')}</samlp:Response>`
}

export function signedAssertion(parts: ResponseParts, signing: Partial<Signing> = {}): string {
  return signedXml(assertionOf(parts), { privateKey: UPSTREAM_KEY, ...signing })
}

/** A response whose assertion is signed, as most products send it. */
export function usualResponse(parts: ResponseParts, signing: Partial<Signing> = {}): string {
  return responseOf(parts, signedAssertion(parts, signing))
}

/** A response that is signed itself. */
export function signedResponse(parts: ResponseParts, signing: Partial<Signing> = {}): string {
  return signedXml(responseOf(parts, assertionOf(parts)), { privateKey: UPSTREAM_KEY, ...signing })
}
