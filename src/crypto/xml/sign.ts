/** Signs what we wrote: an enveloped signature in XML, or one over a query (SAML 2.0 Bindings §3.4.4.1). */
import { createHash, type KeyObject } from 'node:crypto'
import { DSIG, ENVELOPED, EXCLUSIVE, OWN_DIGEST, type OwnHash, ownSignature, signBytes } from './algorithms.ts'
import { element, type Xml } from './write.ts'

/** A key with its certificate as base64 of DER. */
export interface XmlSigningKey {
  readonly privateKey: KeyObject
  readonly certificate: string
  /** What signatures hash with. If not set, SHA-256. */
  readonly hash?: OwnHash
}

/**
 * The signature of an element with this ID. `unsigned` is the element without it, in canonical form, as `element` writes
 * it; the signature goes into it, which the transform takes out again.
 */
export function signatureOf(
  unsigned: Xml,
  id: string,
  { privateKey, certificate, hash = 'sha256' }: XmlSigningKey,
): Xml {
  const digest = createHash('sha256').update(unsigned.xml).digest('base64')
  const signedInfo = (declared: Readonly<Record<string, string>>) =>
    element('ds:SignedInfo', declared, [
      element('ds:CanonicalizationMethod', { Algorithm: EXCLUSIVE }),
      element('ds:SignatureMethod', { Algorithm: ownSignature(hash) }),
      element('ds:Reference', { URI: `#${id}` }, [
        element('ds:Transforms', {}, [
          element('ds:Transform', { Algorithm: ENVELOPED }),
          element('ds:Transform', { Algorithm: EXCLUSIVE }),
        ]),
        element('ds:DigestMethod', { Algorithm: OWN_DIGEST }),
        element('ds:DigestValue', {}, digest),
      ]),
    ])
  const value = signBytes(privateKey, Buffer.from(signedInfo({ 'xmlns:ds': DSIG }).xml), hash)
  return element('ds:Signature', { 'xmlns:ds': DSIG }, [
    signedInfo({}),
    element('ds:SignatureValue', {}, value.toString('base64')),
    element('ds:KeyInfo', {}, element('ds:X509Data', {}, element('ds:X509Certificate', {}, certificate))),
  ])
}

/** Browsers escape an apostrophe in a query: what they send must be what was signed. */
function escaped(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27')
}

/** A query with our signature over it, for the redirect binding. The order of the parameters is that of the standard. */
export function signedQuery(
  parameters: readonly (readonly [name: string, value: string])[],
  { privateKey, hash = 'sha256' }: Pick<XmlSigningKey, 'privateKey' | 'hash'>,
): string {
  const all = [...parameters, ['SigAlg', ownSignature(hash)] as const]
  const text = all.map(([name, value]) => `${name}=${escaped(value)}`).join('&')
  return `${text}&Signature=${encodeURIComponent(signBytes(privateKey, Buffer.from(text), hash).toString('base64'))}`
}
