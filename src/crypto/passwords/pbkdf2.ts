/** Imported PBKDF2 hashes (RFC 8018) in passlib's format: `$pbkdf2-sha256$rounds$salt$hash`; no suffix means SHA-1. */
import { pbkdf2Sync } from 'node:crypto'
import { readBase64, sameBytes } from './base64.ts'
import { findOutOfBounds, type ReadHash, textUpTo, unreadable } from './reading.ts'

const FORM = /^\$pbkdf2(?:-(sha1|sha224|sha256|sha384|sha512))?\$(\d+)\$([^$]*)\$([^$]+)$/

const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 }

/** Reads `$pbkdf2$` and `$pbkdf2-sha…$`. */
export const readPbkdf2: ReadHash = (hash) => {
  if (!hash.startsWith('$pbkdf2')) return undefined
  const [whole, digest = 'sha1', rounds, saltText = '', keyText = ''] = FORM.exec(hash) ?? []
  const salt = readBase64(saltText)
  const stored = readBase64(keyText)
  if (whole === undefined || salt === undefined || stored === undefined) {
    return unreadable('Expected PBKDF2 as $pbkdf2-sha256$rounds$salt$hash with sha1, sha224, sha256, sha384 or sha512.')
  }
  const iterations = Number(rounds)
  const flaw = findOutOfBounds(
    ['pbkdf2 rounds', iterations, 1000, 10_000_000],
    ['pbkdf2 hash bytes', stored.length, 16, 64],
  )
  if (flaw !== undefined) return flaw
  const blocks = Math.ceil(stored.length / (DIGEST_BYTES[digest] ?? 1))
  return {
    expectedMilliseconds: iterations * blocks * 0.0008,
    memoryBytes: 4096,
    canJudge: textUpTo(4096),
    matches: (password) => sameBytes(pbkdf2Sync(password, salt, iterations, stored.length, digest), stored),
  }
}
