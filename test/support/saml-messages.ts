/** Messages of a service provider, written and signed by hand: what a library would never send can be written, too. */
import { randomUUID, sign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { SP_KEY } from './saml-world.ts'

export const SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

export interface MessageParts {
  readonly issuer: string
  readonly destination: string
  readonly at?: number
  readonly id?: string
  readonly version?: string
  /** More attributes. */
  readonly more?: string
  /** What comes after the issuer. */
  readonly inside?: string
  readonly name?: 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse'
}

export function messageOf(parts: MessageParts): string {
  const { issuer, destination, id = `_${randomUUID()}`, version = '2.0', name = 'AuthnRequest' } = parts
  const at = new Date(parts.at ?? Date.now()).toISOString()
  return `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="${version}" IssueInstant="${at}" Destination="${destination}" ${parts.more ?? ''}><saml:Issuer>${issuer}</saml:Issuer>${parts.inside ?? ''}</samlp:${name}>`
}

export interface SignedParts {
  readonly privateKey?: string
  readonly algorithm?: string
  readonly digest?: string
  readonly canonicalization?: string
  readonly transforms?: readonly string[]
  /** What is signed. */
  readonly xpath?: string
}

/** A message with a signature after its issuer. */
export function signedXml(xml: string, parts: SignedParts = {}): string {
  const { privateKey = SP_KEY, algorithm = SHA256, canonicalization = EXCLUSIVE, xpath = '/*' } = parts
  const { digest: digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256' } = parts
  const transforms = [...(parts.transforms ?? [ENVELOPED, EXCLUSIVE])]
  const signer = new SignedXml({
    privateKey,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonicalization as typeof EXCLUSIVE,
  })
  signer.addReference({ xpath, digestAlgorithm, transforms })
  signer.computeSignature(xml, { location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' } })
  return signer.getSignedXml()
}

export function encoded(xml: string): string {
  return Buffer.from(xml).toString('base64')
}

export function deflated(xml: string): string {
  return encodeURIComponent(deflateRawSync(xml).toString('base64'))
}

export function inflated(text: string): string {
  return inflateRawSync(Buffer.from(text, 'base64')).toString()
}

/** A message in an address, signed there. */
export function signedQuery(
  xml: string,
  {
    name = 'SAMLRequest',
    key = SP_KEY,
    algorithm = SHA256,
    relayState = 'state',
  }: {
    readonly name?: 'SAMLRequest' | 'SAMLResponse'
    readonly key?: string
    readonly algorithm?: string
    readonly relayState?: string
  } = {},
): string {
  const text = `${name}=${deflated(xml)}&RelayState=${relayState}&SigAlg=${encodeURIComponent(algorithm)}`
  return `${text}&Signature=${encodeURIComponent(sign('sha256', Buffer.from(text), key).toString('base64'))}`
}
