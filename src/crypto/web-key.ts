/** Key pairs that sign tokens (RFC 7517, RFC 7518, RFC 8037). They are generated off the event loop. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { isSameType, type PublicMembers, type WebKeyType } from '../kernel/web-key-type.ts'

const generate = promisify(generateKeyPair)

/** A new key pair. */
export interface WebKeyPair {
  readonly publicKey: PublicMembers
  /** PKCS #8 in PEM. */
  readonly privateKey: string
}

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

interface PairAhead {
  readonly type: WebKeyType
  readonly pair: Promise<KeyPair>
}

const pairsAhead: PairAhead[] = []

/**
 * Starts to generate pairs that are needed soon, while the rest of the program is loaded. One after the other, because
 * loading needs a processor too.
 */
export function generateAhead(type: WebKeyType, count: number): void {
  let pair = generatePair(type)
  for (let left = count; left > 0; left--) {
    // Who takes the pair gets the error as well.
    pair.catch(() => {})
    pairsAhead.push({ type, pair })
    if (left > 1) pair = pair.then(() => generatePair(type))
  }
}

/** Each pair is taken once. */
function takePairAhead(type: WebKeyType): PairAhead | undefined {
  const index = pairsAhead.findIndex((ahead) => isSameType(ahead.type, type))
  return index === -1 ? undefined : pairsAhead.splice(index, 1)[0]
}

/** Generates a key pair on a thread of the pool: RSA takes from some ten milliseconds to seconds. */
export async function newWebKeyPair(type: WebKeyType): Promise<WebKeyPair> {
  const { publicKey, privateKey } = await (takePairAhead(type)?.pair ?? generatePair(type))
  return {
    publicKey: publicKey.export({ format: 'jwk' }) as PublicMembers,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function generatePair(type: WebKeyType): Promise<KeyPair> {
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
