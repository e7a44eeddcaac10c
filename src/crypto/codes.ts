/**
 * One-time codes. Long codes are for links (160 bits; their SHA-256 is stored). Short codes are for typing and could be
 * guessed from a plain hash, so an HMAC with a key outside the database is stored.
 */
import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'
import type { RandomBytes } from './tokens.ts'

/** 32 characters that are not easily confused (no 0, 1, I, O), with 5 bits each. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** 32 characters of the alphabet: 160 bits. */
export const LONG_CODE_LENGTH = 32

function codeOf(length: number, random: RandomBytes): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  let code = ''
  for (const byte of random(length)) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]
  return code
}

/** A code for a link; store `hashSecret(code)` and compare with `matchesHash`. */
export function newLongCode(random: RandomBytes = randomBytes): string {
  return codeOf(LONG_CODE_LENGTH, random)
}

/** A code for users to type, with 5 bits per character: 8 characters are 40 bits. Throttle its checks. */
export function newShortCode(length = 8, random: RandomBytes = randomBytes): string {
  return codeOf(length, random)
}

/** A code of decimal digits for small keyboards, with 3.3 bits per digit: 8 digits are 26 bits. Throttle its checks. */
export function newDigitCode(length = 8): string {
  return Array.from({ length }, () => String(randomInt(10))).join('')
}

function macOf(keyBytes: Uint8Array, purpose: readonly string[], code: string): Buffer {
  // A separate key, so that no other use of the ring's key can reveal codes.
  const key = Buffer.from(hkdfSync('sha256', keyBytes, '', 'signet one-time code', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([...purpose, code]))
    .digest()
}

/**
 * The stored hash of a short code. `purpose` names what and whom the code is for; it is not valid for anything else.
 */
export function hashShortCode(ring: KeyRing, purpose: readonly string[], code: string): string {
  return `mac1.${ring.active.id}.${macOf(ring.active.bytes, purpose, code).toString('base64url')}`
}

/** Whether this code was hashed for this purpose. False also when its key is no longer in use. */
export function matchesShortCode(ring: KeyRing, purpose: readonly string[], code: string, hash: string): boolean {
  const [format, keyId, mac] = hash.split('.')
  const key = keyId === undefined ? undefined : ring.find(keyId)
  if (format !== 'mac1' || key === undefined || mac === undefined) return false
  const stored = Buffer.from(mac, 'base64url')
  const given = macOf(key.bytes, purpose, code)
  return stored.length === given.length && timingSafeEqual(stored, given)
}
