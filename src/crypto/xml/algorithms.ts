/** The algorithms of signatures in XML that count here. Those with SHA-1 do not, nor do those with shared secrets. */
import { type KeyObject, sign, verify } from 'node:crypto'

export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const ENVELOPED = `${DSIG}enveloped-signature`

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'

interface SignatureAlgorithm {
  readonly keyType: 'rsa' | 'ec'
  readonly hash: string
}

const SIGNATURES: ReadonlyMap<string, SignatureAlgorithm> = new Map(
  (['rsa', 'ec'] as const).flatMap((keyType) =>
    ['256', '384', '512'].map((bits) => {
      const name = `${MORE}${keyType === 'rsa' ? 'rsa' : 'ecdsa'}-sha${bits}`
      return [name, { keyType, hash: `sha${bits}` }] as const
    }),
  ),
)

/** Digests by their name in XML. */
export const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${MORE}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

export const SIGNATURE_NAMES: readonly string[] = [...SIGNATURES.keys()]

/** What we sign with ourselves. */
export type OwnHash = 'sha256' | 'sha512'

export function ownSignature(hash: OwnHash): string {
  return `${MORE}rsa-${hash}`
}

export const OWN_DIGEST = 'http://www.w3.org/2001/04/xmlenc#sha256'

const FEWEST_RSA_BITS = 2048

/** Whether a key can be used at all: RSA of 2048 bits or more, or ECDSA on a curve of NIST. */
export function isUsableKey(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') return modulusLength >= FEWEST_RSA_BITS
  return key.asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)
}

/** Whether a key made this signature; false also for an algorithm that does not count. */
export function verifyBytes(algorithm: string, key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  const known = SIGNATURES.get(algorithm)
  if (known === undefined || known.keyType !== key.asymmetricKeyType || !isUsableKey(key)) return false
  return verify(known.hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Our own signature. */
export function signBytes(key: KeyObject, bytes: Uint8Array, hash: OwnHash): Buffer {
  return sign(hash, bytes, key)
}
