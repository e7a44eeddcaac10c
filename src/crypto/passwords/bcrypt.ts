/**
 * Imported bcrypt hashes: `$2a$`, `$2b$` and `$2y$`, which are the same function for all passwords that this server
 * accepts.
 */
import { verifySync } from '@node-rs/bcrypt'
import { findOutOfBounds, type ReadHash, type Reading, textUpTo, unreadable } from './reading.ts'

/**
 * bcrypt ignores everything after 72 bytes, so two long passwords with the same start have the same hash. ASVS 6.2.8
 * forbids that silent truncation: a longer password never matches here, and users who had one before the import must
 * set a new one.
 */
const LONGEST_BYTES = 72

function readFrom(hash: string, least: number): Reading | undefined {
  if (!hash.startsWith('$2')) return undefined
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? []
  if (cost === undefined) return unreadable('Expected bcrypt of version 2a, 2b or 2y: $2b$12$ and 53 characters.')
  const flaw = findOutOfBounds(['bcrypt cost', Number(cost), least, 16])
  if (flaw !== undefined) return flaw
  return {
    expectedMilliseconds: 2 ** Number(cost) * 0.075,
    memoryBytes: 4096,
    canJudge: textUpTo(LONGEST_BYTES),
    matches: (password) => verifySync(password, hash),
  }
}

/** Reads `$2a$`, `$2b$` and `$2y$`. */
export const readBcrypt: ReadHash = (hash) => readFrom(hash, 10)

/** As above, of a random secret: it cannot be guessed, whatever a try costs, so products store it at the lowest cost. */
export const readBcryptOfSecret: ReadHash = (hash) => readFrom(hash, 4)
