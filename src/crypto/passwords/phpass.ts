/** Imported phpass hashes, `$P$` and `$H$` (MD5: WordPress, phpBB) and `$S$` (SHA-512: Drupal 7). */
import { hash } from 'node:crypto'
import { CRYPT64, sameText, writeCrypt64 } from './base64.ts'
import { findOutOfBounds, type ReadHash, textUpTo, unreadable } from './reading.ts'

const FORM = /^\$([PHS])\$([./0-9A-Za-z])([!-~]{8})([./0-9A-Za-z]+)$/
const LEAST_COST = 7
/**
 * The formats allow 31, which takes hours for one sign-in. 2^23 rounds take some seconds, and no known system exceeds
 * 2^16.
 */
const MOST_COST = 23
/** Drupal stores the first 43 of the 86 characters of a SHA-512 digest. */
const TEXT_LENGTH = { md5: 22, sha512: 43 } as const

function derivePhpass(algorithm: 'md5' | 'sha512', password: Buffer, salt: Buffer, rounds: number): string {
  const first: Buffer = hash(algorithm, Buffer.concat([salt, password]), 'buffer')
  const message = Buffer.concat([first, password])
  for (let round = 0; round < rounds; round++) hash(algorithm, message, 'buffer').copy(message)
  return writeCrypt64(message.subarray(0, first.length)).slice(0, TEXT_LENGTH[algorithm])
}

/** Reads `$P$`, `$H$` and `$S$`. */
export const readPhpass: ReadHash = (hash) => {
  if (!/^\$[PHS]\$/.test(hash)) return undefined
  const [, id, costText = '', salt = '', stored = ''] = FORM.exec(hash) ?? []
  const algorithm = id === 'S' ? 'sha512' : 'md5'
  if (id === undefined || stored.length !== TEXT_LENGTH[algorithm]) {
    return unreadable('Expected phpass: $P$ or $H$ and 31 characters, or $S$ and 52 characters.')
  }
  const cost = CRYPT64.indexOf(costText)
  const flaw = findOutOfBounds(['phpass cost (log2 of its rounds)', cost, LEAST_COST, MOST_COST])
  if (flaw !== undefined) return flaw
  return {
    expectedMilliseconds: 2 ** cost * 0.002,
    memoryBytes: 4096,
    canJudge: textUpTo(1024),
    matches: (password) =>
      sameText(derivePhpass(algorithm, Buffer.from(password), Buffer.from(salt), 2 ** cost), stored),
  }
}
