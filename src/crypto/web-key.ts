/** Key pairs that sign tokens (RFC 7517, RFC 7518, RFC 8037). They are generated off the event loop. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { PublicMembers, WebKeyType } from '../kernel/web-key-type.ts'

const generate = promisify(generateKeyPair)

/** A new key pair. */
export interface WebKeyPair {
  readonly publicKey: PublicMembers
  /** PKCS #8 in PEM. */
  readonly privateKey: string
}

/** Generates a key pair on a thread of the pool: RSA takes from some ten milliseconds to seconds. */
export async function newWebKeyPair(type: WebKeyType): Promise<WebKeyPair> {
  const { publicKey, privateKey } = await generatePair(type)
  return {
    publicKey: publicKey.export({ format: 'jwk' }) as PublicMembers,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function generatePair(type: WebKeyType) {
  switch (type.type) {
    case 'rsa':
      return generate('rsa', { modulusLength: type.bits })
    case 'ecdsa':
      return generate('ec', { namedCurve: type.curve })
    case 'ed25519':
      return generate('ed25519')
  }
}

/** Reads the private key of a pair. */
export function readPrivateKey(pem: string): KeyObject {
  return createPrivateKey(pem)
}

/** Reads the public key of a pair. */
export function readPublicMembers(members: PublicMembers): KeyObject {
  return createPublicKey({ key: { ...members }, format: 'jwk' })
}
