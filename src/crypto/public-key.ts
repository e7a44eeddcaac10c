/** Public keys that callers bring. */
import { createPublicKey, type KeyObject } from 'node:crypto'

// RFC 7468 §13: "PUBLIC KEY". Go programs write the same structure below the label of PKCS #1, too.
const PEM = /-----BEGIN ((?:RSA )?PUBLIC KEY)-----([\s\S]+?)-----END \1-----/

/**
 * Reads a public key in PEM format by its content, which the label need not fit; undefined for anything else, also for text
 * with a private key: whoever sends one made a mistake.
 */
export function publicKeyIn(pem: string | Uint8Array): KeyObject | undefined {
  const text = Buffer.from(pem).toString('latin1')
  const [, , content] = PEM.exec(text) ?? []
  if (content === undefined || text.includes('PRIVATE KEY')) return undefined
  const key = Buffer.from(content, 'base64')
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key, format: 'der', type })
    } catch {
      // The other structure, or none.
    }
  }
  return undefined
}
