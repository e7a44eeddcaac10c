/** Public keys of targets: which are accepted, and how payloads are encrypted for them. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { publicKeyIn } from '../../crypto/public-key.ts'

/** Keys below these sizes protect nothing. */
const FEWEST_RSA_BITS = 2048
const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1']

export interface ReadPublicKey {
  readonly pem: string
  readonly fingerprint: string
}

function isUsable({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails.modulusLength ?? 0) >= FEWEST_RSA_BITS
  return asymmetricKeyType === 'ec' && CURVES.includes(asymmetricKeyDetails.namedCurve ?? '')
}

/** Reads an RSA or EC key in PEM format; undefined for anything else, private keys included. */
export function readPublicKey(bytes: Uint8Array): ReadPublicKey | undefined {
  const key = publicKeyIn(bytes)
  if (key === undefined || !isUsable(key)) return undefined
  const der = key.export({ type: 'spki', format: 'der' })
  const digest = createHash('sha256').update(der).digest('base64').replace(/=+$/, '')
  return { pem: String(key.export({ type: 'spki', format: 'pem' })), fingerprint: `SHA256:${digest}` }
}

/** Encrypts a token for a public key. */
export function encryptFor(keyId: string, pem: string, token: string): Promise<string> {
  const key = createPublicKey(pem)
  const alg = key.asymmetricKeyType === 'rsa' ? 'RSA-OAEP-256' : 'ECDH-ES+A256KW'
  return new CompactEncrypt(Buffer.from(token))
    .setProtectedHeader({ alg, enc: 'A256GCM', kid: keyId, typ: 'JWT', cty: 'JWT' })
    .encrypt(key)
}
