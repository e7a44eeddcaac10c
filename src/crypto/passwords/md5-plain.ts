/** Imported single MD5 digests: 32 hex digits without a salt, `$md5salted-prefix$` and `$md5salted-suffix$`. */
import { hash as digest } from 'node:crypto'
import { readBase64, sameBytes } from './base64.ts'
import { type Check, type ReadHash, textUpTo, unreadable } from './reading.ts'

const SALTED_FORM = /^\$md5salted-(prefix|suffix)\$([^$]*)\$([^$]+)$/

function planCheck(stored: Buffer, before: string, after: string): Check {
  return {
    expectedMilliseconds: 0.1,
    memoryBytes: 4096,
    canJudge: textUpTo(4096),
    matches(password) {
      const message = Buffer.concat([Buffer.from(before), password, Buffer.from(after)])
      return sameBytes(digest('md5', message, 'buffer'), stored)
    },
  }
}

/** Reads 32 hex digits. */
export const readMd5Plain: ReadHash = (hash) =>
  /^[0-9a-fA-F]{32}$/.test(hash) ? planCheck(Buffer.from(hash, 'hex'), '', '') : undefined

/**
 * Reads `$md5salted-prefix$` and `$md5salted-suffix$`. The salt is hashed as the text in the hash; the digest is
 * base64.
 */
export const readMd5Salted: ReadHash = (hash) => {
  if (!hash.startsWith('$md5salted')) return undefined
  const [, place, salt = '', text = ''] = SALTED_FORM.exec(hash) ?? []
  const stored = readBase64(text)
  if (place === undefined || stored?.length !== 16) {
    return unreadable('Expected $md5salted-prefix$salt$hash or $md5salted-suffix$salt$hash, the hash as base64.')
  }
  return place === 'prefix' ? planCheck(stored, salt, '') : planCheck(stored, '', salt)
}
