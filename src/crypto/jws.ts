/** Signs and verifies JSON Web Tokens in the compact form (RFC 7515, RFC 7519), on a thread of the pool. */
import { constants, type KeyObject, sign, verify } from 'node:crypto'
import type { SigningAlgorithm } from '../kernel/web-key-type.ts'

/** A key with the algorithm that it is used with. */
export interface JwsKey {
  /** Identifies it in the header of tokens. */
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly key: KeyObject
}

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>

const HASHES: Readonly<Record<SigningAlgorithm, string | null>> = {
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
  PS256: 'sha256',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  EdDSA: null,
}

/** Signatures of ECDSA are the two numbers one after the other, not DER; the salt of PSS is as long as the hash (RFC 7518). */
function keyOf({ alg, key }: JwsKey) {
  if (alg === 'PS256') {
    return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const
  }
  return alg.startsWith('ES') ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Signs claims. The header names the key, its algorithm and the type of the token. */
export async function signClaims(key: JwsKey, typ: string, claims: Claims): Promise<string> {
  const signed = `${encode({ alg: key.alg, kid: key.kid, typ })}.${encode(claims)}`
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  sign(HASHES[key.alg], Buffer.from(signed), keyOf(key), (error, signature) =>
    error === null ? resolve(signature) : reject(error),
  )
  return `${signed}.${(await promise).toString('base64url')}`
}

// Strict base64url: Buffer.from would skip unknown characters, and a changed token would still verify.
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/

function decode(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}

/**
 * The claims of a token that one of the keys signed; undefined for anything else. The key decides which algorithm is
 * accepted, never the token (RFC 8725, section 3.1). Whether the token has expired is for the caller to check.
 */
export async function verifyClaims(
  find: (kid: string) => JwsKey | undefined,
  token: string,
): Promise<Claims | undefined> {
  const [, head = '', body = '', signature = ''] = COMPACT.exec(token) ?? []
  const header = decode(head)
  const key = typeof header?.kid === 'string' ? find(header.kid) : undefined
  // Extensions that must be understood are not supported (RFC 7515, section 4.1.11).
  if (key === undefined || header?.alg !== key.alg || header.crit !== undefined) return undefined
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const signed = Buffer.from(`${head}.${body}`)
  verify(HASHES[key.alg], signed, keyOf(key), Buffer.from(signature, 'base64url'), (error, isValid) =>
    resolve(error === null && isValid),
  )
  return (await promise) ? decode(body) : undefined
}
