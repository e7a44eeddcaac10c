/** Messages of a service provider, written and signed by hand: what a library would never send can be written, too. */
import { randomUUID, sign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { RSA_SHA256, type Signing, signedXml as signedBy } from './saml-signer.ts'
import { SP_KEY } from './saml-world.ts'

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

/** A message with a signature after its issuer, whatever is signed. */
export function signedXml(xml: string, { privateKey = SP_KEY, ...signing }: Partial<Signing> = {}): string {
  return signedBy(xml, { privateKey, place: '/*', ...signing })
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
    algorithm = RSA_SHA256,
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
