/** Tokens as another product encrypts them. */
import { createCipheriv, randomBytes } from 'node:crypto'

export const TOKEN_KEY = randomBytes(32)

/** A token as the other product encrypts it: compact JWE with A256GCMKW and A256GCM. */
export function encryptToken(text: string, key = TOKEN_KEY, kid = 'oidcKey'): string {
  const contentKey = randomBytes(32)
  const seal = (by: Buffer, plain: Buffer, additional?: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', by, nonce)
    if (additional !== undefined) cipher.setAAD(Buffer.from(additional))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64url')
    return { nonce: nonce.toString('base64url'), sealed, tag: cipher.getAuthTag().toString('base64url') }
  }
  const wrapped = seal(key, contentKey)
  const members = { alg: 'A256GCMKW', enc: 'A256GCM', kid, iv: wrapped.nonce, tag: wrapped.tag }
  const header = Buffer.from(JSON.stringify(members)).toString('base64url')
  const { nonce, sealed, tag } = seal(contentKey, Buffer.from(text), header)
  return [header, wrapped.sealed, nonce, sealed, tag].join('.')
}
