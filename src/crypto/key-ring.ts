/** Several keys of which one is active: everything new is sealed with that one, the others only open. */
import { createHash, randomBytes } from 'node:crypto'

/** 256 bits for AES-256-GCM or HMAC-SHA-256, and the id by which sealed text names it. */
export interface Key {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface KeyRing {
  readonly active: Key
  /** All of them, the active one first. */
  readonly keys: readonly [Key, ...Key[]]
  find(keyId: string): Key | undefined
}

export const KEY_BYTES = 32

/** The first key is the active one. */
export function keyRing(keys: readonly [Key, ...Key[]]): KeyRing {
  const byId = new Map(keys.map((key) => [key.id, key]))
  return Object.freeze({ active: keys[0], keys, find: (keyId: string) => byId.get(keyId) })
}

/** A key is named by what it is, so that the same bytes have the same id on every node; the id gives nothing away. */
export function keyOf(bytes: Uint8Array): Key {
  return {
    id: createHash('sha256').update('signet key id\0').update(bytes).digest('hex').slice(0, 16),
    bytes,
  }
}

export function newKey(): Key {
  return keyOf(randomBytes(KEY_BYTES))
}
