/**
 * The bytes of a password. A new hash is made over the NFKC form in UTF-8, so that "é" typed as one code point or
 * as two is one password whatever the keyboard. Imported hashes were made over whatever bytes the other system got,
 * so a check tries the password exactly as it was sent first, and its NFKC form second where that differs.
 */
import { refused } from '../../kernel/refusal.ts'
import { passwordRefusals } from './refusals.ts'

/** Far over every policy (200 code points are at most 800 bytes); a bound on what reaches a hash function at all. */
export const MOST_PASSWORD_BYTES = 4096

// Each password in memory of its own: a pooled Buffer would be copied to a hashing thread with all its neighbours.
const encoder = new TextEncoder()

/** Refuses text that cannot be a password, before any work is done for it. */
function refuseImpossible(password: string): void {
  // A UTF-16 unit is at least one byte, so a huge string is turned away without encoding it.
  if (password.length > MOST_PASSWORD_BYTES || Buffer.byteLength(password) > MOST_PASSWORD_BYTES) {
    throw refused(passwordRefusals, 'password.too_long')
  }
  // Lone surrogates would all become U+FFFD, and different passwords the same bytes.
  if (!password.isWellFormed()) throw refused(passwordRefusals, 'password.not_text')
}

/** The bytes that a new hash is made of. */
export function spellForHashing(password: string): Uint8Array {
  refuseImpossible(password)
  return encoder.encode(password.normalize('NFKC'))
}

/** The bytes to try against a stored hash, in this order: as sent, then NFKC if that is different. */
export function spellForChecking(password: string): readonly Uint8Array[] {
  refuseImpossible(password)
  const normal = password.normalize('NFKC')
  return (normal === password ? [password] : [password, normal]).map((spelling) => encoder.encode(spelling))
}
