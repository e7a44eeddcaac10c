/** Imported md5-crypt hashes, `$1$`: the format of /etc/shadow on FreeBSD and Linux until about 2008. */
import { hash } from 'node:crypto'
import { sameText, writeCrypt64 } from './base64.ts'
import { mixRounds, reorder, repeatTo } from './crypt-rounds.ts'
import { type ReadHash, textUpTo, unreadable } from './reading.ts'

const ROUNDS = 1000
const ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11]

function md5(...parts: readonly Buffer[]): Buffer {
  return hash('md5', Buffer.concat(parts), 'buffer')
}

function deriveMd5Crypt(password: Buffer, salt: Buffer): string {
  const parts = [password, Buffer.from('$1$'), salt, repeatTo(md5(password, salt, password), password.length)]
  const zero = Buffer.alloc(1)
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? zero : password.subarray(0, 1))
  return writeCrypt64(reorder(mixRounds('md5', md5(...parts), password, salt, ROUNDS), ORDER))
}

/** Reads `$1$`. */
export const readMd5Crypt: ReadHash = (hash) => {
  if (!hash.startsWith('$1$')) return undefined
  const [, salt, stored] = /^\$1\$([!-#%-9;-~]{0,8})\$([./0-9A-Za-z]{22})$/.exec(hash) ?? []
  if (salt === undefined || stored === undefined) return unreadable('Expected md5-crypt as $1$salt$ and 22 characters.')
  return {
    expectedMilliseconds: 3,
    memoryBytes: 4096,
    canJudge: textUpTo(1024),
    matches: (password) => sameText(deriveMd5Crypt(Buffer.from(password), Buffer.from(salt)), stored),
  }
}
