/** Public keys with which clients prove who they are: which are strong enough, and which algorithms each is for. */
import { createPublicKey, type KeyObject } from 'node:crypto'

const RSA_BITS = { least: 2048, most: 4096 } as const

/** A large exponent would make each check slow. */
const LARGEST_EXPONENT = 2n ** 32n

/** The algorithms of each type of key that signatures are accepted with. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'PS256'],
  ec: ['ES256'],
  ed25519: ['EdDSA', 'Ed25519'],
}

export interface AssertionKey {
  /** SPKI in PEM. */
  readonly publicKey: string
  readonly algorithms: readonly string[]
}

/** A key as it is kept; undefined: it is none that can be used. */
export function assertionKeyOf(key: KeyObject): AssertionKey | undefined {
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details = {} } = key
  const { modulusLength: bits, publicExponent = 0n, namedCurve } = details
  if (bits !== undefined && (bits < RSA_BITS.least || bits > RSA_BITS.most)) return undefined
  if (publicExponent >= LARGEST_EXPONENT || (type === 'ec' && namedCurve !== 'prime256v1')) return undefined
  const algorithms = ALGORITHMS[type]
  return algorithms && { publicKey: key.export({ type: 'spki', format: 'pem' }).toString(), algorithms }
}

/** Reads a public key in PEM; undefined when it is none that can be used. */
export function readAssertionKey(pem: string): AssertionKey | undefined {
  // createPublicKey also accepts a private key. A caller who sends one made a mistake and must get an error.
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return undefined
  try {
    return assertionKeyOf(createPublicKey(pem))
  } catch {
    return undefined
  }
}
