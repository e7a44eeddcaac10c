/**
 * Encrypts secrets that must be read again (client secrets, SMTP passwords) with AES-256-GCM and a random nonce. The
 * text contains the ID of its key and authenticates its place, so that it cannot be decrypted anywhere else.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/** The place of an encrypted value: a member of one document. */
export interface Place {
  readonly kind: string
  readonly id: string
  readonly member: string
}

/**
 * An encrypted value that cannot be decrypted: wrong key, wrong place, or changed text. A fault that is never returned.
 */
export class SealBroken extends Error {
  constructor(reason: string) {
    super(`a sealed value does not open: ${reason}`)
    this.name = 'SealBroken'
  }
}

const FORMAT = 'seal1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
// Strict base64url. Buffer.from would skip unknown characters.
const SEALED = /^seal1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/

// JSON separates the parts, so that no two places have the same text.
function additionalData(keyId: string, place: Place): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, keyId, place.kind, place.id, place.member]))
}

/** Encrypts `plain` with the active key for one place. */
export function sealBytes(ring: KeyRing, place: Place, plain: Uint8Array): string {
  const { id, bytes } = ring.active
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additionalData(id, place))
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `${FORMAT}.${id}.${sealed.toString('base64url')}`
}

/** Decrypts a value that `sealBytes` encrypted for the same place. Throws `SealBroken` for anything else. */
export function openBytes(ring: KeyRing, place: Place, sealed: string): Uint8Array {
  const [, keyId, body] = SEALED.exec(sealed) ?? []
  if (keyId === undefined || body === undefined) throw new SealBroken('not a sealed text')
  const key = ring.find(keyId)
  if (key === undefined) throw new SealBroken(`key ${keyId} is not in the ring`)
  const bytes = Buffer.from(body, 'base64url')
  // The last base64url character can contain unused bits. A text that differs from the written one is refused.
  if (bytes.toString('base64url') !== body) throw new SealBroken('not a sealed text')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(additionalData(keyId, place))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new SealBroken('changed, or sealed for another place')
  }
}

/** `sealBytes` for text. */
export function seal(ring: KeyRing, place: Place, plain: string): string {
  return sealBytes(ring, place, Buffer.from(plain))
}

/** `openBytes` for text. */
export function open(ring: KeyRing, place: Place, sealed: string): string {
  return Buffer.from(openBytes(ring, place, sealed)).toString()
}

/** The ID of the key that a text was encrypted with; undefined when it is not encrypted text. */
export function keyIdOf(sealed: string): string | undefined {
  return SEALED.exec(sealed)?.[1]
}
