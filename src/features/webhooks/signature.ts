/** Signs requests by Standard Webhooks 1.0 (standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto'
import type { Instant } from '../../kernel/instant.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/** A new key, in the form in which it is shown. */
export function newKey(): string {
  return `${PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`
}

function signatureOf(key: string, text: string): string {
  const bytes = Buffer.from(key.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', bytes).update(text).digest('base64')}`
}

/** The headers of a request: one signature for each key that receivers may have. */
export function signedHeaders(
  keys: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Instant; readonly body: string },
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(at / 1000))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => signatureOf(key, `${id}.${seconds}.${body}`)).join(' '),
  }
}
