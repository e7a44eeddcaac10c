/** Writes responses: an assertion about a user, or a status that says why there is none (SAML 2.0 Core §2, §3). */
import { randomUUID } from 'node:crypto'
import { keyOfCertificate } from '../../crypto/certificate.ts'
import { type EncryptionKey, encryptedData } from '../../crypto/xml/encrypt.ts'
import { signatureOf, type XmlSigningKey } from '../../crypto/xml/sign.ts'
import { element, type Xml } from '../../crypto/xml/write.ts'
import { ASSERTION, FORMAT, PROTOCOL, SAML, samlTime } from '../../kernel/saml-names.ts'
import type { SamlStatus } from './names.ts'

const LIFETIME_MS = 300_000
/** Clocks of service providers go differently. */
const EARLIER_MS = 30_000

export interface NameId {
  readonly format: string
  readonly value: string
}

export interface WrittenAttribute {
  readonly name: string
  readonly nameFormat?: string
  readonly values: readonly string[]
}

/** What an assertion says. */
export interface Said {
  readonly nameId: NameId
  readonly audience: string
  readonly sessionIndex: string
  readonly authenticatedAt: number
  readonly sessionEndsAt: number
  readonly contextClass: string
  readonly attributes: readonly WrittenAttribute[]
}

/** Where a response goes, and what it answers. */
export interface ResponseFrame {
  readonly issuer: string
  readonly destination: string
  readonly inResponseTo: string | undefined
  readonly at: number
  /** A new one unless it is given. */
  readonly id?: string
  /** Until when a request counts. */
  readonly until?: number
}

/** An ID is a name in XML, which does not begin with a digit. */
function newXmlId(): string {
  return `_${randomUUID()}`
}

const NAMES = { 'xmlns:saml': ASSERTION } as const

function issuerElement(issuer: string): Xml {
  return element('saml:Issuer', { ...NAMES, Format: `${SAML}:nameid-format:entity` }, issuer)
}

function attributeElement({ name, nameFormat, values }: WrittenAttribute): Xml {
  const format = nameFormat ?? `${SAML}:attrname-format:basic`
  return element(
    'saml:Attribute',
    { Name: name, NameFormat: format },
    values.map((value) => element('saml:AttributeValue', {}, value)),
  )
}

function assertionElement(said: Said, frame: ResponseFrame, key: XmlSigningKey): Xml {
  const { issuer, destination, inResponseTo, at } = frame
  const id = newXmlId()
  const until = samlTime(at + LIFETIME_MS)
  const confirmation = element(
    'saml:SubjectConfirmation',
    { Method: `${SAML}:cm:bearer` },
    element('saml:SubjectConfirmationData', {
      InResponseTo: inResponseTo,
      NotOnOrAfter: until,
      Recipient: destination,
    }),
  )
  const content = [
    element('saml:Subject', {}, [
      element('saml:NameID', { Format: said.nameId.format }, said.nameId.value),
      confirmation,
    ]),
    element('saml:Conditions', { NotBefore: samlTime(at - EARLIER_MS), NotOnOrAfter: until }, [
      element('saml:AudienceRestriction', {}, element('saml:Audience', {}, said.audience)),
    ]),
    element(
      'saml:AuthnStatement',
      {
        AuthnInstant: samlTime(said.authenticatedAt),
        SessionIndex: said.sessionIndex,
        SessionNotOnOrAfter: samlTime(said.sessionEndsAt),
      },
      element('saml:AuthnContext', {}, element('saml:AuthnContextClassRef', {}, said.contextClass)),
    ),
    said.attributes.length === 0
      ? undefined
      : element('saml:AttributeStatement', {}, said.attributes.map(attributeElement)),
  ]
  const written = (signature?: Xml) =>
    element('saml:Assertion', { ...NAMES, ID: id, IssueInstant: samlTime(at), Version: '2.0' }, [
      // The namespace is declared above.
      element('saml:Issuer', { Format: `${SAML}:nameid-format:entity` }, issuer),
      signature,
      content,
    ])
  return written(signatureOf(written(), id, key))
}

/** The status of a response: the second code says what the first cannot. */
export function statusElement(status: SamlStatus, message?: string): Xml {
  const code = (name: string) => `${SAML}:status:${name}`
  const outer =
    status === 'Success' || status === 'PartialLogout' ? 'Success' : status === 'VersionMismatch' ? status : 'Responder'
  const inner = status === outer ? undefined : element('samlp:StatusCode', { Value: code(status) })
  return element('samlp:Status', {}, [
    element('samlp:StatusCode', { Value: code(outer) }, inner),
    message === undefined ? undefined : element('samlp:StatusMessage', {}, message),
  ])
}

/** A message of ours with a signature of its own, unless the binding signs it. */
export function protocolMessage(
  name: 'samlp:Response' | 'samlp:LogoutResponse' | 'samlp:LogoutRequest',
  { issuer, destination, inResponseTo, at, id = newXmlId(), until }: ResponseFrame,
  content: readonly (Xml | undefined)[],
  key: XmlSigningKey | undefined,
): string {
  const written = (signature?: Xml) =>
    element(
      name,
      {
        'xmlns:samlp': PROTOCOL,
        Destination: destination,
        ID: id,
        InResponseTo: inResponseTo,
        IssueInstant: samlTime(at),
        NotOnOrAfter: until === undefined ? undefined : samlTime(until),
        Version: '2.0',
      },
      [issuerElement(issuer), signature, content],
    )
  return (key === undefined ? written() : written(signatureOf(written(), id, key))).xml
}

/** The assertion of a response; encrypted, where the service provider has a key for that. */
function assertionFor(
  said: Said,
  frame: ResponseFrame,
  key: XmlSigningKey,
  encryption: EncryptionKey | undefined,
): Xml {
  const assertion = assertionElement(said, frame, key)
  const publicKey = encryption === undefined ? undefined : keyOfCertificate(encryption.certificate)
  if (publicKey === undefined) return assertion
  return element('saml:EncryptedAssertion', NAMES, encryptedData(assertion, publicKey, encryption?.cipher))
}

/** A response with an assertion about a user. The assertion is always signed; the response where the binding does not. */
export function successResponse(
  said: Said,
  frame: ResponseFrame,
  {
    key,
    encryption,
    isPost,
  }: { readonly key: XmlSigningKey; readonly encryption?: EncryptionKey | undefined; readonly isPost: boolean },
): string {
  const assertion = assertionFor(said, frame, key, encryption)
  return protocolMessage('samlp:Response', frame, [statusElement('Success'), assertion], isPost ? key : undefined)
}

/** A response that says why there is no assertion. */
export function failureResponse(
  status: SamlStatus,
  message: string | undefined,
  frame: ResponseFrame,
  { key, isPost }: { readonly key: XmlSigningKey; readonly isPost: boolean },
): string {
  return protocolMessage('samlp:Response', frame, [statusElement(status, message)], isPost ? key : undefined)
}

/** A request to end sessions of a user (SAML 2.0 Core §3.7.1). */
export function logoutRequest(
  { format, value }: NameId,
  indexes: readonly string[],
  frame: Omit<ResponseFrame, 'inResponseTo' | 'until'>,
  key: XmlSigningKey | undefined,
): string {
  const nameId = element('saml:NameID', { ...NAMES, Format: format }, value)
  const sessions = indexes.map((index) => element('samlp:SessionIndex', {}, index))
  const until = frame.at + LIFETIME_MS
  return protocolMessage(
    'samlp:LogoutRequest',
    { ...frame, inResponseTo: undefined, until },
    [nameId, ...sessions],
    key,
  )
}

/** Whether a name ID of this format can be given. */
export function isKnownFormat(format: string): boolean {
  return (Object.values(FORMAT) as readonly string[]).includes(format)
}
