/**
 * Secrets that the server issues and later only compares: 256 random bits, of which the SHA-256 is stored. SHA-256 is
 * enough because 256 bits cannot be guessed; codes that users type are in `codes.ts`.
 */
import { hash as digestOf, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32

/** Where random bytes come from; tests pass their own. */
export type RandomBytes = (count: number) => Uint8Array

// Drawing many secrets at once costs little more than drawing one.
const drawn = Buffer.allocUnsafeSlow(128 * SECRET_BYTES)
let nextDrawn = drawn.length

/** Bytes of a secret from the generator of the system; none are given out twice, and they do not stay in memory here. */
function drawSecret(): Uint8Array {
  if (nextDrawn === drawn.length) {
    randomFillSync(drawn)
    nextDrawn = 0
  }
  const end = nextDrawn + SECRET_BYTES
  const secret = Uint8Array.prototype.slice.call(drawn, nextDrawn, end)
  drawn.fill(0, nextDrawn, end)
  nextDrawn = end
  return secret
}

/** 256 random bits. */
export function newSecret(random: RandomBytes = drawSecret): Uint8Array {
  return random(SECRET_BYTES)
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const CLIENT_SECRET_LENGTH = 64

/** A secret of an application: 64 letters and digits, which clients need not encode anywhere. */
export function newClientSecret(random: RandomBytes = randomBytes): string {
  const count = LETTERS_AND_DIGITS.length
  let secret = ''
  while (secret.length < CLIENT_SECRET_LENGTH) {
    // Bytes beyond the last multiple would make some characters more likely.
    const fair = random(CLIENT_SECRET_LENGTH).filter((byte) => byte < 256 - (256 % count))
    for (const byte of fair) secret += LETTERS_AND_DIGITS[byte % count]
  }
  return secret.slice(0, CLIENT_SECRET_LENGTH)
}

/** The stored hash of a secret. */
export function hashSecret(secret: Uint8Array | string): string {
  return digestOf('sha256', secret, 'base64url')
}

/** Whether the secret matches the hash, in a time that does not depend on the difference. */
export function matchesHash(secret: Uint8Array | string, hash: string): boolean {
  // As texts: digests as bytes are allocated outside of the heap, which takes longer than computing them.
  const [given, stored] = [Buffer.from(hashSecret(secret)), Buffer.from(hash)]
  // Only a damaged hash has another length.
  return given.length === stored.length && timingSafeEqual(given, stored)
}

/** Whether a stored hash is of another product, which names its function at the beginning: `$2a$04$…`. Ours never do. */
export function isForeignHash(hash: string): boolean {
  return hash.startsWith('$')
}

/** Whether a text has the form of a hash of ours. */
export function isSecretHash(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

export interface ParsedToken {
  readonly tokenId: string
  readonly secret: Uint8Array
}

/** A new token: `text` for its owner, `hash` for the store. */
export interface NewToken {
  readonly text: string
  readonly hash: string
}

const ID_BYTES = 16
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const NUMBER = /^[1-9]\d{17}$/

/**
 * Writes the 16 bytes of an id; false if the server never gave it out. A number fills the last eight; a UUID has its version
 * among the first eight, which are never all zero.
 */
function writeId(bytes: Buffer, id: string): boolean {
  if (UUID.test(id)) return bytes.write(id.replaceAll('-', ''), 'hex') === ID_BYTES
  if (!NUMBER.test(id)) return false
  bytes.fill(0, 0, 8)
  bytes.writeBigUInt64BE(BigInt(id), 8)
  return true
}

function idOf(bytes: Buffer): string {
  if (bytes.readBigUInt64BE(0) === 0n) {
    const number = String(bytes.readBigUInt64BE(8))
    if (NUMBER.test(number)) return number
  }
  const hex = bytes.toString('hex', 0, ID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A type of tokens with its own prefix. A token contains the ID of an object and a secret. */
function tokensWith(prefix: string) {
  // 16 + 32 bytes are exactly 64 characters without unused bits, so each token has only one form.
  const pattern = new RegExp(`^${prefix}([A-Za-z0-9_-]{64})$`)
  const format = (id: string, secret: Uint8Array): string => {
    const bytes = Buffer.allocUnsafe(ID_BYTES + secret.length)
    if (!writeId(bytes, id)) throw new TypeError(`the id in a token ${prefix}… is an id that the server gave out`)
    bytes.set(secret, ID_BYTES)
    return prefix + bytes.toString('base64url')
  }
  return {
    format,
    parse(text: string): ParsedToken | undefined {
      const body = pattern.exec(text)?.[1]
      if (body === undefined) return undefined
      const bytes = Buffer.from(body, 'base64url')
      return { tokenId: idOf(bytes), secret: bytes.subarray(ID_BYTES) }
    },
    issue(id: string, random?: RandomBytes): NewToken {
      const secret = newSecret(random)
      return { text: format(id, secret), hash: hashSecret(secret) }
    },
  }
}

export const PERSONAL_ACCESS_TOKEN_PREFIX = 'signet_pat_'
const personalAccessTokens = tokensWith(PERSONAL_ACCESS_TOKEN_PREFIX)

/** The text of a personal access token: shown once to its owner, never stored. */
export const formatPersonalAccessToken = personalAccessTokens.format

/** Parses a personal access token; undefined when the text is not one. Does not check whether it is valid. */
export const parsePersonalAccessToken = personalAccessTokens.parse

/** A new personal access token. */
export const newPersonalAccessToken = personalAccessTokens.issue

export const SESSION_TOKEN_PREFIX = 'signet_session_'
const sessionTokens = tokensWith(SESSION_TOKEN_PREFIX)

/** Parses a session token, whose `tokenId` is the ID of the session; undefined when the text is not one. */
export const parseSessionToken = sessionTokens.parse

/** A new session token: 79 characters with 256 random bits. */
export const newSessionToken = sessionTokens.issue

const ACCESS_TOKEN_PREFIX = 'signet_at_'
const accessTokens = tokensWith(ACCESS_TOKEN_PREFIX)
const refreshTokens = tokensWith('signet_rt_')
const authorizationCodes = tokensWith('signet_ac_')

/** The codes and tokens of a grant. Each contains the ID of the grant, by which it is found, and a secret. */
export const grantTokens = {
  access_token: accessTokens,
  refresh_token: refreshTokens,
  authorization_code: authorizationCodes,
} as const

/** The tokens with which clients register for a project (RFC 7591). */
export const registrationTokenTexts = tokensWith('signet_registration_')

/** The tokens with which clients that registered themselves manage that (RFC 7592). */
export const clientManagementTokens = tokensWith('signet_client_')
