/**
 * Tokens that matched a stored hash before. A caller sends the same token with every request: it is parsed and its secret
 * hashed only once. Tokens are not kept in clear, but by a digest of the header that they were sent in.
 */

/** The ID in a token, and the stored hash that its secret matches. */
export interface KnownToken {
  readonly tokenId: string
  readonly hash: string
}

/** The oldest are forgotten first. */
const MOST_TOKENS = 10_000
const known = new Map<string, KnownToken>()

/** The token that was sent in a header with this digest. Whether it is still valid is for the caller to check. */
export function recallToken(digest: string | undefined): KnownToken | undefined {
  return digest === undefined ? undefined : known.get(digest)
}

/** To be called when the secret of a token matches the stored hash. */
export function rememberToken(digest: string | undefined, token: KnownToken): void {
  if (digest === undefined) return
  const oldest = known.size >= MOST_TOKENS ? known.keys().next().value : undefined
  if (oldest !== undefined) known.delete(oldest)
  known.set(digest, token)
}
