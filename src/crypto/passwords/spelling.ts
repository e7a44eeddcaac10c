/**
 * The bytes of a password. A new hash uses the NFKC form in UTF-8, so that "é" is the same password whether it is typed
 * as one code point or as two. Imported hashes can be of any bytes, so a check tries the password as sent first, and
 * then its NFKC form if that differs.
 */
import { refused } from '../../kernel/refusal.ts'
import { passwordRefusals } from './refusals.ts'

/** Far above every policy (200 code points are at most 800 bytes). Limits what reaches a hash function. */
const MOST_PASSWORD_BYTES = 4096

// Each password has its own memory. A pooled Buffer would be copied to a hashing thread with the other passwords in it.
const encoder = new TextEncoder()

/** Refuses text that cannot be a password before doing any work. */
function refuseImpossible(password: string): void {
  // A UTF-16 unit is at least one byte, so a huge string is refused without encoding it.
  if (password.length > MOST_PASSWORD_BYTES || Buffer.byteLength(password) > MOST_PASSWORD_BYTES) {
    throw refused(passwordRefusals, 'password.too_long')
  }
  // Lone surrogates would all become U+FFFD, so different passwords would have the same bytes.
  if (!password.isWellFormed()) throw refused(passwordRefusals, 'password.not_text')
}

/** The bytes for a new hash. */
export function spellForHashing(password: string): Uint8Array {
  refuseImpossible(password)
  return encoder.encode(password.normalize('NFKC'))
}

/** The bytes to check against a stored hash, in this order: as sent, then NFKC if it differs. */
export function spellForChecking(password: string): readonly Uint8Array[] {
  refuseImpossible(password)
  const normal = password.normalize('NFKC')
  return (normal === password ? [password] : [password, normal]).map((spelling) => encoder.encode(spelling))
}
