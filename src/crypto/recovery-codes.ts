/**
 * Recovery codes: 50 bits, kept on paper for years. A plain hash of so few bits could be searched, and a hash with a key
 * of the ring would die when that key is replaced; so each set has a key of its own, which its keeper seals.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { newShortCode } from './codes.ts'
import type { RandomBytes } from './tokens.ts'

const LENGTH = 10
const KEY_BYTES = 32

function macOf(key: string, code: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(code).digest()
}

/** As people type it: in either case, with or without the hyphen. */
function canonical(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

export interface RecoveryCodes {
  /** For the person, written `ABCDE-FGHJK`; shown once, stored nowhere. */
  readonly codes: readonly string[]
  /** To be sealed. */
  readonly key: string
  /** To be stored, in the order of the codes. */
  readonly hashes: readonly string[]
}

/** A new set of codes, no two alike. */
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

/** The place of a code among the hashes of its set; undefined when it is not one of them. */
export function findRecoveryCode(key: string, hashes: readonly string[], typed: string): number | undefined {
  const mac = macOf(key, canonical(typed))
  let found: number | undefined
  for (const [index, hash] of hashes.entries()) {
    const stored = Buffer.from(hash, 'base64url')
    if (stored.length === mac.length && timingSafeEqual(stored, mac)) found = index
  }
  return found
}
