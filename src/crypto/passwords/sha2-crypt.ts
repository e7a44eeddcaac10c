/**
 * Imported sha2-crypt hashes, `$5$` (SHA-256) and `$6$` (SHA-512), according to Drepper's "Unix crypt using SHA-256 and
 * SHA-512".
 */
import { hash } from 'node:crypto'
import { sameText, writeCrypt64 } from './base64.ts'
import { mixRounds, reorder, repeatTo } from './crypt-rounds.ts'
import { findOutOfBounds, type ReadHash, textUpTo, unreadable } from './reading.ts'

const FORM = /^\$([56])\$(?:rounds=(\d+)\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]+)$/
const DEFAULT_ROUNDS = 5000
/**
 * The format allows 999 999 999, which takes half an hour for one sign-in. This takes as long as the limit of pbkdf2.
 */
const MOST_ROUNDS = 10_000_000

interface Variant {
  readonly algorithm: 'sha256' | 'sha512'
  readonly textLength: number
  readonly order: readonly number[]
}

/**
 * Three indices that are a third of the digest apart. Each group is the previous one rotated by `turn` and increased by
 * one.
 */
function listOrder(third: number, turn: 1 | 2, rest: readonly number[]): number[] {
  const order: number[] = []
  let group = [2 * third, third, 0]
  for (let written = 0; written < third; written++) {
    order.push(...group)
    group = [...group.slice(turn), ...group.slice(0, turn)].map((index) => index + 1)
  }
  return [...order, ...rest]
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  '5': { algorithm: 'sha256', textLength: 43, order: listOrder(10, 1, [30, 31]) },
  '6': { algorithm: 'sha512', textLength: 86, order: listOrder(21, 2, [63]) },
}

function deriveSha2Crypt({ algorithm, order }: Variant, password: Buffer, salt: Buffer, rounds: number): string {
  const digest = (...parts: readonly Buffer[]): Buffer => hash(algorithm, Buffer.concat(parts), 'buffer')
  const inner = digest(password, salt, password)
  const parts = [password, salt, repeatTo(inner, password.length)]
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? inner : password)
  const first = digest(...parts)
  const longPassword = digest(...Array<Buffer>(password.length).fill(password))
  const longSalt = digest(...Array<Buffer>(16 + first.readUInt8(0)).fill(salt))
  const mixedPassword = repeatTo(longPassword, password.length)
  const mixedSalt = repeatTo(longSalt, salt.length)
  return writeCrypt64(reorder(mixRounds(algorithm, first, mixedPassword, mixedSalt, rounds), order))
}

/** Reads `$5$` and `$6$`. */
export const readSha2Crypt: ReadHash = (hash) => {
  if (!hash.startsWith('$5$') && !hash.startsWith('$6$')) return undefined
  const [, id = '', roundsText, salt = '', stored = ''] = FORM.exec(hash) ?? []
  const variant = VARIANTS[id]
  if (variant === undefined || stored.length !== variant.textLength) {
    return unreadable('Expected sha2-crypt as $5$rounds=…$salt$hash or $6$rounds=…$salt$hash.')
  }
  const rounds = roundsText === undefined ? DEFAULT_ROUNDS : Number(roundsText)
  const flaw = findOutOfBounds(['sha2-crypt rounds', rounds, 1000, MOST_ROUNDS])
  if (flaw !== undefined) return flaw
  return {
    expectedMilliseconds: rounds * 0.003,
    memoryBytes: 4096,
    canJudge: textUpTo(1024),
    matches: (password) => sameText(deriveSha2Crypt(variant, Buffer.from(password), Buffer.from(salt), rounds), stored),
  }
}
