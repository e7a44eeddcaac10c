/** Signs XML as another implementation does, with whatever a test wants to be wrong about it. */
import { generateKeyPairSync } from 'node:crypto'
import { SignedXml } from 'xml-crypto'

export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

export function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

export interface Signing {
  readonly privateKey: string
  readonly algorithm?: string
  readonly digest?: string
  readonly canonicalization?: string
  readonly transforms?: readonly string[]
  readonly prefixes?: readonly string[]
  /** The element that is signed, and the one after whose issuer the signature stands. */
  readonly xpath?: string
  readonly place?: string
}

export function signedXml(xml: string, signing: Signing): string {
  const { privateKey, algorithm = RSA_SHA256, digest = SHA256, transforms = [ENVELOPED, EXCLUSIVE] } = signing
  const { canonicalization = EXCLUSIVE, prefixes, xpath = '/*', place = xpath } = signing
  const signer = new SignedXml({
    privateKey,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonicalization as typeof EXCLUSIVE,
  })
  signer.addReference({
    xpath,
    digestAlgorithm: digest,
    transforms: [...transforms],
    ...(prefixes && { inclusiveNamespacesPrefixList: [...prefixes] }),
  })
  signer.computeSignature(xml, { location: { reference: `${place}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}
