/** The key of a target, and the signature of what is sent to it. */
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { Instant } from '../../kernel/instant.ts'
import type { SignatureType } from './events.ts'

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const KEY_LENGTH = 36
/** Standard Webhooks: the key is base64 behind this. */
const STANDARD_PREFIX = 'whsec_'
const STANDARD_BYTES = 32

/** A new signing key. */
export function newSigningKey(type: SignatureType): string {
  if (type === 'standard_webhooks') return STANDARD_PREFIX + randomBytes(STANDARD_BYTES).toString('base64')
  return Array.from({ length: KEY_LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')
}

export interface SignedCall {
  readonly signatureType: SignatureType
  readonly signingKey: string
  /** Stays the same when a call is repeated. */
  readonly messageId: string
  readonly at: Instant
  readonly body: string
}

/** The headers that prove where a call comes from, and when. */
export function signatureHeaders(call: SignedCall): Readonly<Record<string, string>> {
  const { signatureType, signingKey, messageId, at, body } = call
  const seconds = Math.floor(at / 1000)
  if (signatureType === 'zitadel') {
    const mac = createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex')
    return { 'ZITADEL-Signature': `t=${seconds},v1=${mac}` }
  }
  const key = Buffer.from(signingKey.slice(STANDARD_PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${messageId}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': messageId, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${mac}` }
}
