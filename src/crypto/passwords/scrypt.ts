/** Imported scrypt hashes (RFC 7914): `$scrypt$ln=…` of passlib, the same after `$7$`, and `$7$` of crypt(3). */
import { scryptSync } from 'node:crypto'
import { readBase64, readCrypt64Number, sameBytes, sameText, writeCrypt64 } from './base64.ts'
import { type Bound, findOutOfBounds, type ReadHash, type Reading, textUpTo, unreadable } from './reading.ts'

const PASSLIB_FORM = /^\$(?:scrypt|7)\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]*)\$([^$]+)$/
const CRYPT_FORM = /^\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([!-#%-~]*)\$([./0-9A-Za-z]{43})$/

const MEBIBYTE = 1024 * 1024

/** The costs, the salt, and the comparison of a derived key with the stored one. */
interface Parts {
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly keyBytes: number
  isKey(key: Buffer): boolean
}

function readPasslibForm(hash: string): Parts | undefined {
  const [, ln, r, p, saltText, keyText] = PASSLIB_FORM.exec(hash) ?? []
  const salt = readBase64(saltText ?? '')
  const stored = readBase64(keyText ?? '')
  if (ln === undefined || salt === undefined || stored === undefined) return undefined
  const isKey = (key: Buffer) => sameBytes(key, stored)
  return { ln: Number(ln), r: Number(r), p: Number(p), salt, keyBytes: stored.length, isKey }
}

function readCryptForm(hash: string): Parts | undefined {
  const [, ln, r = '', p = '', salt = '', stored = ''] = CRYPT_FORM.exec(hash) ?? []
  if (ln === undefined) return undefined
  const costs = { ln: readCrypt64Number(ln), r: readCrypt64Number(r), p: readCrypt64Number(p) }
  // crypt(3) uses the salt as text, without decoding it.
  return { ...costs, salt: Buffer.from(salt), keyBytes: 32, isKey: (key) => sameText(writeCrypt64(key), stored) }
}

function planCheck({ ln, r, p, salt, keyBytes, isKey }: Parts): Reading {
  const bounds: Bound[] = [
    ['scrypt ln', ln, 14, 20],
    ['scrypt r', r, 8, 32],
    ['scrypt p', p, 1, 16],
    ['scrypt hash bytes', keyBytes, 16, 128],
  ]
  // Each cost can reach its limit alone. All together would take 4 GiB and minutes for one sign-in.
  const memoryBytes = 128 * 2 ** ln * r
  bounds.push(['scrypt memory in MiB (128 · r · 2^ln)', memoryBytes / MEBIBYTE, 16, 1024])
  bounds.push(['scrypt work in MiB (128 · r · 2^ln · p)', (memoryBytes * p) / MEBIBYTE, 16, 4096])
  const flaw = findOutOfBounds(...bounds)
  if (flaw !== undefined) return flaw
  return {
    expectedMilliseconds: ((memoryBytes * p) / MEBIBYTE) * 3.5,
    memoryBytes,
    canJudge: textUpTo(4096),
    matches(password) {
      const maxmem = 128 * r * (2 ** ln + p + 2) + MEBIBYTE
      return isKey(scryptSync(password, salt, keyBytes, { N: 2 ** ln, r, p, maxmem }))
    },
  }
}

/** Reads `$scrypt$` and `$7$`. */
export const readScrypt: ReadHash = (hash) => {
  if (!hash.startsWith('$scrypt$') && !hash.startsWith('$7$')) return undefined
  const parts = readPasslibForm(hash) ?? readCryptForm(hash)
  if (parts !== undefined) return planCheck(parts)
  return unreadable('Expected scrypt as $scrypt$ln=…,r=…,p=…$salt$hash or in the $7$ form of crypt(3).')
}
