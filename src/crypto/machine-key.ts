/** Key pairs with which machines sign in: RSA 2048, made off the event loop; we keep the public half only. */
import { createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Instant } from '../kernel/instant.ts'

const generate = promisify(generateKeyPair)

export const MACHINE_KEY_BITS = 2048

/** Both halves as PEM: the public one is stored, the private one is handed out once. */
export interface MachineKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Makes a key pair in a thread of the pool (it takes some ten to some hundred milliseconds of computing). */
export function newMachineKeyPair(): Promise<MachineKeyPair> {
  return generate('rsa', {
    modulusLength: MACHINE_KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
}

export interface MachineKeyFile {
  readonly keyId: string
  readonly userId: string
  readonly privateKey: string
  readonly expiresAt: Instant
}

/** The file a machine signs in with, in the form that client libraries read. */
export function formatMachineKeyFile(file: MachineKeyFile): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      type: 'serviceaccount',
      keyId: file.keyId,
      key: file.privateKey,
      expirationDate: new Date(file.expiresAt).toISOString(),
      userId: file.userId,
    }),
  )
}

/** A public key that a caller sent, as SPKI PEM; undefined when it is not an RSA key of 2048 to 8192 bits. */
export function readPublicKey(pem: string | Uint8Array): string | undefined {
  const text = Buffer.from(pem).toString()
  // createPublicKey would take a private key too; a caller who sends one made a mistake and must be told.
  if (!text.includes('PUBLIC KEY-----')) return undefined
  try {
    const key = createPublicKey(text)
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    if (key.asymmetricKeyType !== 'rsa' || bits < MACHINE_KEY_BITS || bits > 8192) return undefined
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}
