/**
 * Opaque tokens of another product: encrypted texts (compact JWE, RFC 7516, with A256GCMKW and A256GCM), which say who
 * holds them. Whoever has the key can read them; they are authenticated, so nobody else can make or change one.
 */
import { createDecipheriv } from 'node:crypto'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Header, key, nonce, text and tag. Longer ones are none: the text is two ids. */
const FORM = /^([\w-]{1,400})\.([\w-]{43})\.([\w-]{16})\.([\w-]{1,700})\.([\w-]{22})$/

/** The parts of a token that were read without a key. */
export interface ForeignToken {
  /** The ID of its key, if it names one. */
  readonly keyId: string | undefined
  open(key: Uint8Array): string | undefined
}

interface Header {
  readonly alg?: unknown
  readonly enc?: unknown
  readonly kid?: unknown
  readonly iv?: unknown
  readonly tag?: unknown
}

function decrypt(key: Uint8Array, nonce: Buffer, tag: Buffer, text: Buffer, additional?: Buffer): Buffer | undefined {
  if (key.length !== KEY_BYTES || nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  if (additional !== undefined) decipher.setAAD(additional)
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}

function bytesOf(text: unknown): Buffer {
  return Buffer.from(typeof text === 'string' ? text : '', 'base64url')
}

function readHeader(text: string): Header | undefined {
  try {
    const header: unknown = JSON.parse(bytesOf(text).toString())
    return typeof header === 'object' && header !== null ? header : undefined
  } catch {
    return undefined
  }
}

/** Whether a text has the form of such a token. Our own tokens, and signed ones, have fewer parts. */
export function isForeignToken(text: string): boolean {
  return FORM.test(text)
}

/** Reads a token; undefined when the text is not one. */
export function readForeignToken(token: string): ForeignToken | undefined {
  const [, protectedHeader = '', wrapped, nonce, text, tag] = FORM.exec(token) ?? []
  const header = readHeader(protectedHeader)
  if (header?.alg !== 'A256GCMKW' || header.enc !== 'A256GCM') return undefined
  return {
    keyId: typeof header.kid === 'string' ? header.kid : undefined,
    open(key) {
      const contentKey = decrypt(key, bytesOf(header.iv), bytesOf(header.tag), bytesOf(wrapped))
      const additional = Buffer.from(protectedHeader)
      return contentKey && decrypt(contentKey, bytesOf(nonce), bytesOf(tag), bytesOf(text), additional)?.toString()
    },
  }
}
