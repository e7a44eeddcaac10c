/**
 * One-time codes. Long ones travel in links (160 bits, SHA-256 is stored); short ones are typed by people and could be
 * guessed from a plain hash, so what is stored is an HMAC with a key that is not in the database.
 */
import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'
import type { RandomBytes } from './tokens.ts'

/** 32 characters that are not confused with each other (no 0, 1, I, O): 5 bits each. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** 32 characters of the alphabet: 160 bits. */
export const LONG_CODE_LENGTH = 32

function codeOf(length: number, random: RandomBytes): string {
  // 256 is a multiple of 32: the remainder is even.
  let code = ''
  for (const byte of random(length)) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]
  return code
}

/** A code for a link; store `hashSecret(code)` and compare with `matchesHash`. */
export function newLongCode(random: RandomBytes = randomBytes): string {
  return codeOf(LONG_CODE_LENGTH, random)
}

/** A code for people to type, 5 bits a character: 8 characters are 40 bits. Throttle its checks. */
export function newShortCode(length = 8, random: RandomBytes = randomBytes): string {
  return codeOf(length, random)
}

/** A code of decimal digits for small keyboards, 3.3 bits a digit: 8 digits are 26 bits. Throttle its checks. */
export function newDigitCode(length = 8): string {
  return Array.from({ length }, () => String(randomInt(10))).join('')
}

function macOf(keyBytes: Uint8Array, purpose: readonly string[], code: string): Buffer {
  // A key of its own, so that no other use of the ring's key can help with codes.
  const key = Buffer.from(hkdfSync('sha256', keyBytes, '', 'signet one-time code', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([...purpose, code]))
    .digest()
}

/** What is stored of a short code. `purpose` says for what and whom it counts: the same code counts nowhere else. */
export function hashShortCode(ring: KeyRing, purpose: readonly string[], code: string): string {
  return `mac1.${ring.active.id}.${macOf(ring.active.bytes, purpose, code).toString('base64url')}`
}

/** Whether this is the code that was hashed for this purpose; false also when its key has been taken out of use. */
export function matchesShortCode(ring: KeyRing, purpose: readonly string[], code: string, hash: string): boolean {
  const [format, keyId, mac] = hash.split('.')
  const key = keyId === undefined ? undefined : ring.find(keyId)
  if (format !== 'mac1' || key === undefined || mac === undefined) return false
  const stored = Buffer.from(mac, 'base64url')
  const given = macOf(key.bytes, purpose, code)
  return stored.length === given.length && timingSafeEqual(stored, given)
}
