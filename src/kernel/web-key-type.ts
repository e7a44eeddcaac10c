/** The types of keys that sign tokens, and the algorithm that each signs with. Pure. */

/** The type of a key pair and what it signs with. */
export type WebKeyType =
  | { readonly type: 'rsa'; readonly bits: 2048 | 3072 | 4096; readonly hash: 'sha256' | 'sha384' | 'sha512' }
  | { readonly type: 'ecdsa'; readonly curve: 'P-256' | 'P-384' | 'P-521' }
  | { readonly type: 'ed25519' }

/** The type of keys that are not asked for in particular: every OpenID client supports RS256. */
export const DEFAULT_KEY_TYPE: WebKeyType = Object.freeze({ type: 'rsa', bits: 2048, hash: 'sha256' })

/** The algorithms of signatures (RFC 7518, section 3.1; RFC 8037, section 3.1). */
export type SigningAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA'

const RSA_ALGORITHMS = { sha256: 'RS256', sha384: 'RS384', sha512: 'RS512' } as const
const ECDSA_ALGORITHMS = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const

/** Every algorithm that a key can sign with, PS256 of RSA keys included. */
export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  ...Object.values(RSA_ALGORITHMS),
  'PS256',
  ...Object.values(ECDSA_ALGORITHMS),
  'EdDSA',
]

/** The algorithm that a key signs with. */
export function algorithmOf(type: WebKeyType): SigningAlgorithm {
  if (type.type === 'rsa') return RSA_ALGORITHMS[type.hash]
  return type.type === 'ecdsa' ? ECDSA_ALGORITHMS[type.curve] : 'EdDSA'
}

/** The algorithms that the FAPI 2.0 Security Profile allows (section 5.4). */
const STRONG: ReadonlySet<SigningAlgorithm> = new Set<SigningAlgorithm>(['PS256', 'ES256', 'EdDSA'])

/**
 * What a key signs with where the FAPI 2.0 Security Profile applies. RSA keys sign with PS256 then, under a key ID of their
 * own, because a published key is for one algorithm. Undefined: the profile allows no algorithm of the key.
 */
export function strongAlgorithmOf(type: WebKeyType): SigningAlgorithm | undefined {
  const algorithm = algorithmOf(type)
  if (STRONG.has(algorithm)) return algorithm
  return type.type === 'rsa' ? 'PS256' : undefined
}

/** Whether two keys are of the same type and sign alike. */
export function isSameType(one: WebKeyType, other: WebKeyType): boolean {
  const bits = (type: WebKeyType) => (type.type === 'rsa' ? type.bits : 0)
  return algorithmOf(one) === algorithmOf(other) && bits(one) === bits(other)
}

/** The members of a public key (RFC 7518, section 6), without those that say how it is used. */
export type PublicMembers = Readonly<Record<string, string>>
