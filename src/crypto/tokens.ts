/**
 * Secrets we hand out and must recognise, never read again: 256 random bits, of which only the SHA-256 is stored.
 * SHA-256 is enough because nobody can guess 256 bits; what people type is in `codes.ts`.
 */
import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto'

export const SECRET_BYTES = 32

/** Where random bytes come from; tests pass their own. */
export type RandomBytes = (count: number) => Uint8Array

/** 256 random bits. */
export function newSecret(random: RandomBytes = randomBytes): Uint8Array {
  return random(SECRET_BYTES)
}

/** What is stored of a secret. */
export function hashSecret(secret: Uint8Array | string): string {
  return digestOf('sha256', secret, 'base64url')
}

/** Whether the secret is the one that was hashed, in a time that does not depend on where they differ. */
export function matchesHash(secret: Uint8Array | string, hash: string): boolean {
  return timingSafeEqual(digestOf('sha256', secret, 'buffer'), storedDigest(hash))
}

// Of the right length whatever is stored, so that a damaged hash matches nothing instead of throwing.
function storedDigest(hash: string): Uint8Array {
  const digest = Buffer.from(hash, 'base64url')
  return digest.length === SECRET_BYTES ? digest : randomBytes(SECRET_BYTES)
}

export interface ParsedToken {
  readonly tokenId: string
  readonly secret: Uint8Array
}

/** A token that was just made: `text` for its owner, `hash` for the store. */
export interface NewToken {
  readonly text: string
  readonly hash: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const NUMBER = /^[1-9]\d{17}$/

/** The 16 bytes of an id. A number fills the last eight; a UUID has its version among the first eight, which are never all zero. */
function bytesOf(id: string): Buffer | undefined {
  if (UUID.test(id)) return Buffer.from(id.replaceAll('-', ''), 'hex')
  if (!NUMBER.test(id)) return undefined
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64BE(BigInt(id), 8)
  return bytes
}

function idOf(bytes: Buffer): string {
  if (bytes.readBigUInt64BE(0) === 0n) {
    const number = String(bytes.readBigUInt64BE(8))
    if (NUMBER.test(number)) return number
  }
  const hex = bytes.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A family of tokens, told apart by their prefix: the id of a thing and a secret that only its owner has. */
function tokensWith(prefix: string) {
  // 16 + 32 bytes are exactly 64 characters with no bits left over: each token has one spelling.
  const pattern = new RegExp(`^${prefix}([A-Za-z0-9_-]{64})$`)
  const format = (id: string, secret: Uint8Array): string => {
    const bytes = bytesOf(id)
    if (bytes === undefined) throw new TypeError(`the id in a token ${prefix}… is an id that the server gave out`)
    return prefix + Buffer.concat([bytes, secret]).toString('base64url')
  }
  return {
    format,
    parse(text: string): ParsedToken | undefined {
      const body = pattern.exec(text)?.[1]
      if (body === undefined) return undefined
      const bytes = Buffer.from(body, 'base64url')
      return { tokenId: idOf(bytes), secret: bytes.subarray(16) }
    },
    issue(id: string, random: RandomBytes = randomBytes): NewToken {
      const secret = newSecret(random)
      return { text: format(id, secret), hash: hashSecret(secret) }
    },
  }
}

export const PERSONAL_ACCESS_TOKEN_PREFIX = 'signet_pat_'
const personalAccessTokens = tokensWith(PERSONAL_ACCESS_TOKEN_PREFIX)

/** The text of a personal access token: shown once to its owner, never stored. */
export const formatPersonalAccessToken = personalAccessTokens.format

/** Reads a personal access token; undefined when it is not the text of one. Says nothing about whether it is valid. */
export const parsePersonalAccessToken = personalAccessTokens.parse

/** A new personal access token. */
export const newPersonalAccessToken = personalAccessTokens.issue

export const SESSION_TOKEN_PREFIX = 'signet_session_'
const sessionTokens = tokensWith(SESSION_TOKEN_PREFIX)

/** Reads a session token; its `tokenId` is the id of the session. Undefined when it is not the text of one. */
export const parseSessionToken = sessionTokens.parse

/** A new token of a session: 79 characters, of which 256 bits are random. */
export const newSessionToken = sessionTokens.issue
