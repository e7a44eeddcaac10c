/** The client secret for Apple: a short-lived token, signed with the private key that Apple issued. */
import { createPrivateKey, sign } from 'node:crypto'
import type { Instant } from '../../kernel/instant.ts'

/** Longer than any exchange with Apple takes. Apple allows half a year. */
const LIFETIME_SECONDS = 300
const APPLE = 'https://appleid.apple.com'

export interface AppleClient {
  readonly clientId: string
  readonly teamId: string
  readonly keyId: string
  /** PKCS #8, PEM. */
  readonly privateKey: string
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Signs a client secret that is valid from now on. */
export function signAppleSecret({ clientId, teamId, keyId, privateKey }: AppleClient, at: Instant): string {
  const issuedAt = Math.floor(at / 1000)
  const claims = { iss: teamId, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS, aud: APPLE, sub: clientId }
  const text = `${part({ alg: 'ES256', kid: keyId })}.${part(claims)}`
  // RFC 7518 §3.4: the two numbers of the signature side by side.
  const key = { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}
