/** RSA 2048 key pairs of machine users and applications. They are generated off the event loop; only the public key is stored. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Instant } from '../kernel/instant.ts'
import { assertionKeyOf } from './assertion-key.ts'
import { publicKeyIn } from './public-key.ts'

const generate = promisify(generateKeyPair)

const MACHINE_KEY_BITS = 2048

/** Both keys as PEM: the public one is stored, the private one is returned once. */
export interface MachineKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Generates a key pair on a thread of the pool, because it takes some ten to some hundred milliseconds. */
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

/** The key file of a machine user, in the format that client libraries read. */
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

export interface ApplicationKeyFile {
  readonly keyId: string
  readonly applicationId: string
  readonly clientId: string
  readonly privateKey: string
}

/** The key file of an application, in the format that client libraries read. */
export function formatApplicationKeyFile(file: ApplicationKeyFile): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      type: 'application',
      keyId: file.keyId,
      key: file.privateKey,
      appId: file.applicationId,
      clientId: file.clientId,
    }),
  )
}

/**
 * Reads a public key of a caller and returns it as SPKI PEM; undefined when it is neither an RSA key of 2048 to 8192 bits
 * nor one on the curve P-256 nor Ed25519.
 */
export function readPublicKey(pem: string | Uint8Array): string | undefined {
  const key = publicKeyIn(pem)
  if (key === undefined) return undefined
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  const isRsa = key.asymmetricKeyType === 'rsa' && bits >= MACHINE_KEY_BITS && bits <= 8192
  if (!isRsa && assertionKeyOf(key) === undefined) return undefined
  return key.export({ type: 'spki', format: 'pem' }).toString()
}
