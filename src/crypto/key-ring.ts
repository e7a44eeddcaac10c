/** A set of keys, one of which is active: it encrypts all new values, the others only decrypt. */
import { createHash, randomBytes } from 'node:crypto'

/** 256 bits for AES-256-GCM or HMAC-SHA-256, and the ID that encrypted text contains. */
export interface Key {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface KeyRing {
  readonly active: Key
  /** All keys, the active one first. */
  readonly keys: readonly [Key, ...Key[]]
  find(keyId: string): Key | undefined
}

export const KEY_BYTES = 32

/** The first key is the active one. */
export function keyRing(keys: readonly [Key, ...Key[]]): KeyRing {
  const byId = new Map(keys.map((key) => [key.id, key]))
  return Object.freeze({ active: keys[0], keys, find: (keyId: string) => byId.get(keyId) })
}

/** The ID of a key is derived from its bytes, so that it is the same on all nodes. It reveals nothing about the key. */
export function keyOf(bytes: Uint8Array): Key {
  return {
    id: createHash('sha256').update('signet key id\0').update(bytes).digest('hex').slice(0, 16),
    bytes,
  }
}

export function newKey(): Key {
  return keyOf(randomBytes(KEY_BYTES))
}
