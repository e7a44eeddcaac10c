/**
 * Texts that a client keeps for us and brings back, such as cookies: not secret, but authenticated with an
 * HMAC, which unlike AES-GCM with random nonces may be made as often as anonymous visitors ask for one.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

const FORMAT = 'signed1'
const SIGNED = /^signed1\.([0-9a-f]{16})\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]{43})$/

function macOf(keyBytes: Uint8Array, purpose: readonly string[], body: string): string {
  // A key of its own, so that no other use of the ring's key can help to sign texts.
  const key = Buffer.from(hkdfSync('sha256', keyBytes, '', 'signet signed text', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([...purpose, body]))
    .digest('base64url')
}

/** Signs a text with the active key. `purpose` says for what it counts: it counts for nothing else. */
export function signText(ring: KeyRing, purpose: readonly string[], text: string): string {
  const { id, bytes } = ring.active
  const body = Buffer.from(text).toString('base64url')
  return `${FORMAT}.${id}.${body}.${macOf(bytes, purpose, body)}`
}

/** The text that was signed for this purpose; undefined when anything was changed, or when its key was removed. */
export function readSignedText(ring: KeyRing, purpose: readonly string[], signed: string): string | undefined {
  const [, keyId = '', body = '', mac = ''] = SIGNED.exec(signed) ?? []
  const key = ring.find(keyId)
  if (key === undefined) return undefined
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key.bytes, purpose, body)))
  return isOurs ? Buffer.from(body, 'base64url').toString() : undefined
}
