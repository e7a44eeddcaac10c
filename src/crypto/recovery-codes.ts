/**
 * Recovery codes: 50 bits, which users keep on paper for years. A plain hash of so few bits could be searched, and a
 * hash with a key of the ring would become invalid when that key is replaced. So each set has its own key, which is
 * stored encrypted.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { newShortCode } from './codes.ts'
import type { RandomBytes } from './tokens.ts'

const LENGTH = 10
const KEY_BYTES = 32

function macOf(key: string, code: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(code).digest()
}

/** Normalizes a code as users type it: in any case, with or without the hyphen. */
function canonical(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

export interface RecoveryCodes {
  /** For the user, in the form `ABCDE-FGHJK`; shown once and not stored. */
  readonly codes: readonly string[]
  /** Must be stored encrypted. */
  readonly key: string
  /** Must be stored, in the order of the codes. */
  readonly hashes: readonly string[]
}

/** Creates a new set of different codes. */
export function newRecoveryCodes(count: number, random: RandomBytes = randomBytes): RecoveryCodes {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(newShortCode(LENGTH, random))
  const key = Buffer.from(random(KEY_BYTES)).toString('base64url')
  const middle = LENGTH / 2
  return {
    codes: [...codes].map((code) => `${code.slice(0, middle)}-${code.slice(middle)}`),
    key,
    hashes: [...codes].map((code) => macOf(key, code).toString('base64url')),
  }
}

/** A set of codes that somebody else made: what must be stored of it. */
export function givenRecoveryCodes(
  codes: readonly string[],
  random: RandomBytes = randomBytes,
): Pick<RecoveryCodes, 'key' | 'hashes'> {
  const key = Buffer.from(random(KEY_BYTES)).toString('base64url')
  return { key, hashes: codes.map((code) => macOf(key, canonical(code)).toString('base64url')) }
}

/** The index of a code among the hashes of its set; undefined when it is not one of them. */
export function findRecoveryCode(key: string, hashes: readonly string[], typed: string): number | undefined {
  const mac = macOf(key, canonical(typed))
  let found: number | undefined
  for (const [index, hash] of hashes.entries()) {
    const stored = Buffer.from(hash, 'base64url')
    if (stored.length === mac.length && timingSafeEqual(stored, mac)) found = index
  }
  return found
}
